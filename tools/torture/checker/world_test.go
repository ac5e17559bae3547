package checker_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/expiry"
	"daftar/httpapi"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/projections"
	"daftar/tools/torture/history"
	"daftar/transparency"
	"daftar/webhooks"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const (
	secretKey = "5a6b7c8d5a6b7c8d5a6b7c8d5a6b7c8d5a6b7c8d5a6b7c8d5a6b7c8d5a6b7c8d"
	password  = "a password that nobody may see"
	client    = 1
)

var operator = accounts.Operator("torture")

// world is a service with two merchants, each with an endpoint of its own. One
// endpoint takes every webhook, the other none.
type world struct {
	t        *testing.T
	db       *pgtest.DB
	pool     *pgxpool.Pool
	recorder *history.Recorder
	accounts *accounts.Accounts
	ledger   *ledger.Ledger
	early    *ledger.Ledger // its clock is behind: what it creates expires soon
	api      *httptest.Server
	shops    []*shop
	bank     []history.Taken
	log      *os.File      // of the server
	admin    *pgxpool.Pool // of the server, once the run is over
	ends     []func()      // in the reverse of the order in which they are called
}

type shop struct {
	history.Application
	space domain.Namespace
}

// lived is a small real run: it is quiet, and everything is closed.
func lived(t *testing.T) (*world, *history.Run) {
	t.Helper()
	w := &world{t: t, db: pgtest.Database(t), recorder: history.NewRecorder(1)}
	w.pool = pgtest.Open(t, w.db.ServiceURL(), postgres.Options{SetServiceRole: true, MaxConns: 16})
	var err error
	if w.log, err = os.Create(filepath.Join(t.TempDir(), "server.log")); err != nil {
		t.Fatal(err)
	}
	w.start()
	w.live()
	w.awaitQuiet()
	for _, end := range slices.Backward(w.ends) {
		end()
	}
	w.pool.Close()
	w.admin = admin(t, w)
	run := w.recorder.Run()
	run.Bank, run.Logs = w.bank, []string{w.log.Name()}
	return w, run
}

func (w *world) ledgerOn(clock *eventstore.Clock, wake func()) *ledger.Ledger {
	store := eventstore.New(w.pool, w.pool, eventstore.Options{Inline: projections.Inline(), Clock: clock, OnCommit: func([]eventstore.Recorded) { wake() }})
	intents := projections.NewIntents(w.pool)
	w.ends = append(w.ends, func() {
		if err := store.Close(context.Background()); err != nil {
			w.t.Errorf("close store: %v", err)
		}
		intents.Close()
	})
	return ledger.New(store, intents)
}

func (w *world) start() {
	t := w.t
	t.Helper()
	log := zerolog.New(w.log)
	following, err := feed.New(feed.Config{Pool: w.pool, Log: log, Groups: []feed.Group{
		expiry.Group(), webhooks.Group(), projections.DashboardGroup(), transparency.Group(),
	}})
	if err != nil {
		t.Fatal(err)
	}
	w.ledger = w.ledgerOn(&eventstore.Clock{}, following.Wake)
	w.early = w.ledgerOn(&eventstore.Clock{Offset: -domain.MinExpiry - time.Minute}, following.Wake)
	key, err := accounts.ParseSecretKey(secretKey)
	if err != nil {
		t.Fatal(err)
	}
	w.accounts = accounts.New(w.pool, accounts.Options{SecretKey: key})
	w.api = httptest.NewServer(httpapi.New(httpapi.Config{
		Ledger: w.ledger, Accounts: w.accounts, PublicURL: "https://pay.example", Log: log, Now: w.ledger.Now,
	}))
	w.ends = append(w.ends, w.api.Close)
	dispatcher := webhooks.New(webhooks.Config{Pool: w.pool, Accounts: w.accounts, Log: log, AllowPrivate: true})
	running, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for _, run := range []func(context.Context){
		func(ctx context.Context) {
			if err := following.Run(ctx); err != nil {
				t.Errorf("follow the log: %v", err)
			}
		},
		expiry.New(expiry.Config{Pool: w.pool, Ledger: w.ledger, Log: log}).Run, dispatcher.Run, w.notary(log).Run,
	} {
		all.Go(func() { run(running) })
	}
	w.ends = append(w.ends, func() {
		stop()
		all.Wait()
	})
	w.shops = []*shop{w.open("ok", http.StatusOK), w.open("500", http.StatusInternalServerError)}
}

func (w *world) notary(log zerolog.Logger) *transparency.Notary {
	w.t.Helper()
	secret, err := accounts.ParseSecretKey(secretKey)
	if err != nil {
		w.t.Fatal(err)
	}
	key, err := transparency.LoadKey(w.t.Context(), w.pool, secret, "pay.example", time.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	n, err := transparency.New(w.t.Context(),
		transparency.Config{Pool: w.pool, Key: key, Now: time.Now, Log: log})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// open makes a merchant with an endpoint that gives one answer.
func (w *world) open(behaviour string, status int) *shop {
	w.t.Helper()
	s := &shop{}
	sink := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		w.recorder.Delivery(history.Delivery{
			Sink: behaviour, Application: s.UUID, Arrived: w.recorder.Now(), ID: r.Header.Get("Webhook-Id"),
			Timestamp: r.Header.Get("Webhook-Timestamp"), Signature: r.Header.Get("Webhook-Signature"), Body: body,
			Answered: status,
		})
		rw.WriteHeader(status)
	}))
	w.ends = append(w.ends, sink.Close)
	org, err := w.accounts.CreateOrganization(w.t.Context(), operator, "شركة "+behaviour)
	if err != nil {
		w.t.Fatal(err)
	}
	app, err := w.accounts.CreateApplication(w.t.Context(), operator, org.ID, "متجر", sink.URL)
	if err != nil {
		w.t.Fatal(err)
	}
	_, token, err := w.accounts.CreateToken(w.t.Context(), operator, org.ID, "server", nil)
	if err != nil {
		w.t.Fatal(err)
	}
	s.Application = history.Application{
		UUID: uuid.UUID(app.ID), Organization: uuid.UUID(org.ID), APIKey: app.APIKey, AccessToken: token,
		WebhookSecret: app.WebhookSecret, Sink: behaviour,
	}
	owner, err := pgxpool.New(w.t.Context(), w.db.URL())
	if err != nil {
		w.t.Fatal(err)
	}
	defer owner.Close()
	var space [16]byte
	if err := owner.QueryRow(w.t.Context(), `SELECT namespace FROM applications WHERE uuid = $1`,
		[16]byte(app.ID)).Scan(&space); err != nil {
		w.t.Fatal(err)
	}
	s.space = space
	w.recorder.Application(s.Application)
	return s
}

// live is what the merchants and their payers do.
func (w *world) live() {
	for _, s := range w.shops {
		for n := range 8 {
			reference := fmt.Sprintf("طلب <%s> %d", s.Sink, n)
			id := w.create(s, reference, 201)
			w.create(s, reference, 200)
			w.read(s, id, reference, 200)
			w.attempts(id, n)
			w.read(s, id, reference, 200)
		}
		w.short(s)
		// Whether anything came of a create without an answer nobody can say; here
		// something did.
		lost := w.create(s, "lost-"+s.Sink, 0)
		w.read(s, lost, "lost-"+s.Sink, 200)
		w.recorder.Request(history.Request{
			Client: client, Kind: history.Create, Application: s.UUID, Reference: "never-" + s.Sink, Status: 503,
			Sent: body("never-" + s.Sink), Began: w.recorder.Now(), Ended: w.recorder.Now(),
		})
	}
	w.read(w.shops[1], w.create(w.shops[0], "foreign", 201), "foreign", 403)
	w.create(w.shops[0], "waits", 201)
	for n := range 30 {
		w.recorder.Sample(history.Sample{
			Server: "A", Process: 7, At: time.Duration(n) * time.Second, RSS: 80<<20 + int64(n%5)<<20,
			FDs: 40 + int64(n%3), Goroutines: 60,
		})
	}
}

// attempts pays, declines, or pays twice.
func (w *world) attempts(id string, n int) {
	w.t.Helper()
	switch n % 4 {
	case 0:
		w.pay(w.ledger, id, "a")
	case 1:
		w.decline(w.ledger, id, "a")
		w.pay(w.ledger, id, "b")
	case 2:
		w.decline(w.ledger, id, "a")
		w.pay(w.ledger, id, "b")
		w.taken(w.ledger, id, "a") // after all: a duplicate
	}
}

// short is an intent that expires after an attempt, and is paid late.
func (w *world) short(s *shop) {
	w.t.Helper()
	// On a busy machine the time may be over before the attempt begins.
	for left := 300 * time.Millisecond; ; left *= 2 {
		reference := fmt.Sprint("short-", s.Sink, "-", left)
		id := w.createShort(s, reference, left)
		err := w.try(w.ledger, id, start(id, "a"))
		if err != nil && left < time.Minute {
			continue
		}
		if err != nil {
			w.t.Fatal(err)
		}
		w.execute(w.ledger, id, domain.FailAttempt{Attempt: attempt(id, "a"), Reason: "declined"})
		pgtest.WaitFor(w.t, "the intent to expire", func() bool {
			return strings.Contains(string(w.read(s, id, reference, 200)), `"canceled"`)
		})
		w.taken(w.ledger, id, "a")
		w.read(s, id, reference, 200)
		return
	}
}

// createShort creates an intent that expires soon.
func (w *world) createShort(s *shop, reference string, left time.Duration) (id string) {
	w.t.Helper()
	expires := time.Now().Add(left).UTC().Truncate(time.Microsecond)
	q := history.Request{
		Client: client, Kind: history.Create, Application: s.UUID, Reference: reference,
		Began: w.recorder.Now(), Status: 201,
		Sent: fmt.Appendf(nil, `{"merchant_reference":%q,"amount":5000,"currency":"LYD","description":"قهوة","expires_at":%q}`,
			reference, expires.Format(time.RFC3339Nano)),
	}
	i, created, err := w.early.Create(w.t.Context(), domain.Create{
		Application: domain.ApplicationID(s.UUID), MerchantReference: domain.MerchantReference(reference),
		Amount: domain.Money{Minor: 5000, Currency: domain.LYD}, Description: "قهوة", ExpiresAt: &expires,
	}, s.space, ledger.Origin{Actor: "application:" + s.UUID.String()})
	if err != nil || !created {
		w.t.Fatalf("create: %t, %v", created, err)
	}
	shown, err := httpapi.AppendIntent(nil, i, "https://pay.example")
	if err != nil {
		w.t.Fatal(err)
	}
	q.Ended, q.Intent, q.Answer = w.recorder.Now(), i.ID.String(), fmt.Appendf(nil, `{"data":%s}`, shown)
	w.recorder.Request(q)
	return i.ID.String()
}

func (w *world) execute(l *ledger.Ledger, id string, c domain.Command) {
	w.t.Helper()
	if err := w.try(l, id, c); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) try(l *ledger.Ledger, id string, c domain.Command) error {
	if _, err := l.Execute(w.t.Context(), domain.IntentID(uuid.MustParse(id)), c,
		ledger.Origin{Actor: "payer"}); err != nil {
		return fmt.Errorf("execute %T: %w", c, err)
	}
	return nil
}

func attempt(id, which string) domain.AttemptID {
	return domain.AttemptID(strings.ReplaceAll(id, "-", "")[:20] + which)
}

func start(id, which string) domain.StartAttempt {
	return domain.StartAttempt{Attempt: attempt(id, which), Acquirer: "sandbox", Method: "wallet",
		Payer: "091•••5678"}
}

func (w *world) begin(l *ledger.Ledger, id, which string) {
	w.t.Helper()
	w.execute(l, id, start(id, which))
}

func (w *world) pay(l *ledger.Ledger, id, which string) {
	w.t.Helper()
	w.begin(l, id, which)
	w.taken(l, id, which)
}

func (w *world) taken(l *ledger.Ledger, id, which string) {
	w.t.Helper()
	w.bank = append(w.bank, history.Taken{Intent: id, Amount: 5000, Currency: "LYD", TakenAt: time.Now()})
	w.execute(l, id, domain.RecordPayment{
		Attempt: attempt(id, which), Amount: domain.Money{Minor: 5000, Currency: domain.LYD},
		ProviderReference: "SB" + which,
	})
}

func (w *world) decline(l *ledger.Ledger, id, which string) {
	w.t.Helper()
	w.begin(l, id, which)
	w.execute(l, id, domain.FailAttempt{Attempt: attempt(id, which), Reason: "declined"})
}
