package webhooks_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/logtest"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/projections"
	"daftar/webhooks"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(helperEnv); url != "" {
		helper(url) // this process is the one that TestAnotherServerTakesOver kills
		return
	}
	pgtest.Main(m)
}

var operator = accounts.Operator("test")

// world is a ledger with one organisation, and a clock that stands still until the
// test sets it forward: what is due does not depend on how long the test takes.
type world struct {
	t          testing.TB
	db         *pgtest.DB
	pool       *pgxpool.Pool
	store      *eventstore.Store
	ledger     *ledger.Ledger
	accounts   *accounts.Accounts
	people     *people.People
	deliveries *webhooks.Deliveries
	org        accounts.OrganizationID
	log        *logtest.Log
	began      time.Time
	ahead      atomic.Int64
	recorded   int64 // position
	serial     atomic.Int64
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{t: t, db: pgtest.Database(t), log: &logtest.Log{}, began: time.Now()}
	w.pool = pgtest.Open(t, w.db.ServiceURL(), postgres.Options{SetServiceRole: true, MaxConns: 6})
	w.store = eventstore.New(w.pool, w.pool, eventstore.Options{Inline: projections.Inline()})
	intents := projections.NewIntents(w.pool)
	w.ledger = ledger.New(w.store, intents)
	w.accounts = accounts.New(w.pool, accounts.Options{SecretKey: secretKey(t)})
	w.people = people.New(w.pool, w.accounts, people.Options{SecretKey: secretKey(t), CheapPasswords: true})
	w.deliveries = webhooks.NewDeliveries(w.pool, w.accounts, w.now)
	org, err := w.accounts.CreateOrganization(t.Context(), operator, "شركة النخيل")
	if err != nil {
		t.Fatal(err)
	}
	w.org = org.ID
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(w.log.String())
		}
		if err := w.store.Close(context.Background()); err != nil {
			t.Errorf("close store: %v", err)
		}
		intents.Close()
	})
	return w
}

func secretKey(t testing.TB) accounts.SecretKey {
	t.Helper()
	key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (w *world) now() time.Time { return w.began.Add(time.Duration(w.ahead.Load())) }

// later sets the clock forward.
func (w *world) later(by time.Duration) { w.ahead.Add(int64(by)) }

// shop is an application and the namespace of its intents.
type shop struct {
	accounts.NewApplication
	space domain.Namespace
}

func (w *world) shop(url string) shop {
	w.t.Helper()
	app, err := w.accounts.CreateApplication(w.t.Context(), operator, w.org,
		accounts.Draft{Name: "متجر", WebhookURL: url})
	if err != nil {
		w.t.Fatal(err)
	}
	space := value[[16]byte](w, `SELECT namespace FROM applications WHERE uuid = $1`, app.ID)
	return shop{app, space}
}

// create makes an intent of the shop; its event is the one that most tests deliver.
func (w *world) create(s shop) domain.IntentID {
	w.t.Helper()
	i, created, err := w.ledger.Create(w.t.Context(), domain.Create{Terms: domain.Terms{
		Application: s.ID, MerchantReference: domain.MerchantReference(fmt.Sprintf("طلب <%d>", w.serial.Add(1))),
		Amount: domain.Money{Minor: 45_750, Currency: domain.LYD}, Description: "كتابان",
	}}, s.space, ledger.Origin{Actor: ledger.ActorApplication(s.ID)})
	if err != nil || !created {
		w.t.Fatalf("create: %v, %v", created, err)
	}
	return i.ID
}

func (w *world) execute(id domain.IntentID, c domain.Command) {
	w.t.Helper()
	if _, err := w.ledger.Execute(w.t.Context(), id, c, ledger.Origin{Actor: "payer"}); err != nil {
		w.t.Fatal(err)
	}
}

// record passes the group the new events of the log, as the feed does.
func (w *world) record() {
	w.t.Helper()
	events := w.eventsAfter(w.recorded)
	w.handle(events)
	if len(events) > 0 {
		w.recorded = events[len(events)-1].Position
	}
}

func (w *world) handle(events []eventstore.Recorded) {
	w.t.Helper()
	err := pgx.BeginFunc(w.t.Context(), w.pool, func(tx pgx.Tx) error {
		return webhooks.Group().Handle(w.t.Context(), tx, events)
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) eventsAfter(position int64) []eventstore.Recorded {
	w.t.Helper()
	events, err := w.store.ReadRange(w.t.Context(), position, 1<<20, 1<<20)
	if err != nil {
		w.t.Fatal(err)
	}
	return events
}

// createDelivery creates an intent and records its first delivery.
func (w *world) createDelivery(s shop) webhooks.DeliveryID {
	w.t.Helper()
	id := w.create(s)
	w.record()
	return webhooks.IDOf(uuid.UUID(id), 1)
}

// running is a dispatcher that runs until stop or the end of the test.
type running struct {
	*webhooks.Dispatcher
	registry *prometheus.Registry
	stop     func()
}

// prepare makes a dispatcher that may call the test's endpoints; change alters
// its configuration.
func (w *world) prepare(change func(*webhooks.Config)) *running {
	w.t.Helper()
	c := webhooks.Config{
		Pool: w.pool, Accounts: w.accounts, Log: zerolog.New(w.log), AllowPrivate: true,
		Version: "test", Now: w.now,
	}
	if change != nil {
		change(&c)
	}
	r := &running{registry: prometheus.NewRegistry()}
	c.Registerer = r.registry
	r.Dispatcher = webhooks.New(c)
	r.SetLimits(time.Minute, time.Minute) // on a busy machine a slow answer is not a failure
	return r
}

func (r *running) start(t testing.TB) *running {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.Run(ctx)
	}()
	r.stop = sync.OnceFunc(func() {
		cancel()
		<-done
	})
	t.Cleanup(r.stop)
	return r
}

func (w *world) dispatch() *running { return w.prepare(nil).start(w.t) }

func (w *world) eventually(what string, so func() bool) {
	w.t.Helper()
	pgtest.WaitFor(w.t, what, so)
}

// delivery reads one delivery from the table.
func (w *world) delivery(id webhooks.DeliveryID) webhooks.Delivery {
	w.t.Helper()
	for _, v := range w.list(webhooks.Filter{Tenant: webhooks.Operator(), Limit: 1000}) {
		if v.ID == id {
			return v
		}
	}
	w.t.Fatalf("no delivery %s", id)
	return webhooks.Delivery{}
}

func (w *world) list(f webhooks.Filter) []webhooks.Delivery {
	w.t.Helper()
	all, err := w.deliveries.List(context.Background(), f)
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

func (w *world) tries(id webhooks.DeliveryID) []webhooks.Try {
	w.t.Helper()
	all, err := w.deliveries.Tries(context.Background(), webhooks.Operator(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// attempted waits until n tries are stored.
func (w *world) attempted(id webhooks.DeliveryID, n int) webhooks.Delivery {
	w.t.Helper()
	w.eventually(fmt.Sprintf("%d tries of %s", n, id), func() bool { return w.delivery(id).Attempts >= n })
	return w.delivery(id)
}

func (w *world) wantState(id webhooks.DeliveryID, want string) webhooks.Delivery {
	w.t.Helper()
	w.eventually(want, func() bool { return w.delivery(id).State == want })
	return w.delivery(id)
}

// value reads one value from the database.
func value[T any](w *world, query string, args ...any) T {
	w.t.Helper()
	var v T
	if err := w.pool.QueryRow(context.Background(), query, args...).Scan(&v); err != nil {
		w.t.Fatalf("%s: %v", query, err)
	}
	return v
}
