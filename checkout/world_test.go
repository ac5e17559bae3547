package checkout_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/checkout"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/logtest"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/payments"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/sandbox"
	"daftar/payments/acquirer/sandbox/bank"
	"daftar/projections"
)

const (
	bankSecret = "a secret between the two"
	merchant   = "مكتبة الفرجاني"
	patience   = time.Minute // longer than anything takes, also on a busy machine
)

var operator = accounts.Operator("test")

// world is a server with its database, and the bank of the sandbox.
type world struct {
	t        *testing.T
	db       *pgtest.DB
	pool     *pgxpool.Pool
	log      *logtest.Log
	url      string // of the service
	bankURL  string
	bank     *bank.Bank
	acquirer *faultyAcquirer
	app      accounts.Application
	space    domain.Namespace

	providers []acquirer.Provider // at which the application may have accounts
	elsewhere func() []taking     // the money that they took
	// adds: the test itself compares the books with the ledger.
	adds bool

	shift   atomic.Int64 // of the bank's clock
	handler atomic.Pointer[http.Handler]

	// The server that runs at present.
	ledger *ledger.Ledger
	server
	halt func()
}

// newWorld starts everything. At the end of the test the bank's books must agree with the
// events, to the dirham.
func newWorld(t *testing.T, prepare ...func(*world)) *world {
	t.Helper()
	db := pgtest.Database(t)
	pool := pgtest.Open(t, db.ServiceURL(), postgres.Options{SetServiceRole: true, MaxConns: 8})
	return newWorldOn(t, db, pool, prepare...)
}

// newWorldOn starts a world whose server uses the pool.
func newWorldOn(t *testing.T, db *pgtest.DB, pool *pgxpool.Pool, prepare ...func(*world)) *world {
	t.Helper()
	w := &world{t: t, db: db, pool: pool, log: &logtest.Log{}, space: domain.Namespace(uuid.New())}
	w.startBank()
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		(*w.handler.Load()).ServeHTTP(rw, r)
	}))
	w.url = front.URL
	adapter, err := sandbox.New(sandbox.Config{URL: w.bankURL, Secret: bankSecret, Now: w.bankTime})
	if err != nil {
		t.Fatal(err)
	}
	w.acquirer = &faultyAcquirer{Acquirer: adapter}
	for _, p := range prepare {
		p(w)
	}
	w.start(0)
	w.makeApplication()
	t.Cleanup(func() {
		if !w.adds {
			w.settleDown()
		}
		w.halt()
		front.Close()
		adapter.Close()
	})
	return w
}

func (w *world) bankTime() time.Time { return time.Now().Add(time.Duration(w.shift.Load())) }

func (w *world) startBank() {
	w.t.Helper()
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(rw, r)
	}))
	b, err := bank.New(bank.Config{
		Secret: bankSecret, PublicURL: server.URL, Logger: zerolog.Nop(), Clock: w.bankTime,
		HoldLimit:   time.Millisecond,
		NotifyAfter: []time.Duration{0, 50 * time.Millisecond, 200 * time.Millisecond},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	handler, w.bank, w.bankURL = b.Handler(), b, server.URL
	w.t.Cleanup(func() {
		if err := b.Close(); err != nil {
			w.t.Errorf("close bank: %v", err)
		}
		server.Close()
	})
}

func secretKey(t *testing.T) accounts.SecretKey {
	t.Helper()
	key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (w *world) makeApplication(mode ...domain.Mode) {
	w.t.Helper()
	draft := accounts.Draft{Name: merchant}
	for _, m := range mode {
		draft.Mode = m
	}
	owners := accounts.New(w.db.Pool(w.t), accounts.Options{SecretKey: secretKey(w.t)})
	org, err := owners.CreateOrganization(w.t.Context(), operator, "شركة الفرجاني")
	if err != nil {
		w.t.Fatal(err)
	}
	created, err := owners.CreateApplication(w.t.Context(), operator, org.ID, draft)
	if err != nil {
		w.t.Fatal(err)
	}
	w.app = created.Application
}

// start runs a server whose clock is ahead by the offset, like a server that is started that much
// later. The one before must have been halted.
func (w *world) start(offset time.Duration) {
	w.shift.Store(int64(offset)) // the first inquiry may follow at once
	store := eventstore.New(w.pool, w.pool, eventstore.Options{
		Inline: projections.Inline(), Clock: &eventstore.Clock{Offset: offset},
	})
	intents := projections.NewIntents(w.pool)
	w.ledger = ledger.New(store, intents)
	w.server = w.newServer(w.acquirer)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { w.Run(ctx) })
	w.serve(w.Handler())
	w.halt = func() {
		w.serve(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
			rw.WriteHeader(http.StatusBadGateway)
		}))
		cancel()
		running.Wait()
		if err := store.Close(context.Background()); err != nil {
			w.t.Errorf("close store: %v", err)
		}
		intents.Close()
	}
}

func (w *world) serve(h http.Handler) {
	h = web.Proxies(nil).Wrap(zerolog.Nop(), web.SecurityHeaders(w.url)(h)) // as the server does
	w.handler.Store(&h)
}

// server is the engine of payments with its pages.
type server struct {
	*payments.Engine
	*checkout.Checkout
}

// serverOf is a server with the engine of the configuration, not running.
func serverOf(c payments.Config) server {
	engine := payments.New(c)
	return server{engine, checkout.New(pagesOf(c, engine))}
}

// pagesOf is the configuration of the pages of an engine.
func pagesOf(c payments.Config, engine *payments.Engine) checkout.Config {
	return checkout.Config{
		Engine: engine, Ledger: c.Ledger, Accounts: accounts.New(c.Pool, accounts.Options{}),
		Settings: c.Settings, Pool: c.Pool, PublicURL: c.PublicURL, Log: c.Log,
		SecretKey: c.SecretKey,
	}
}

// newServer is a second server on the same ledger and database, not running.
func (w *world) newServer(all ...acquirer.Acquirer) server { return serverOf(w.config(all...)) }

// config is for an engine whose circuits close again at once, because most tests make
// acquirers fail.
func (w *world) config(acquirers ...acquirer.Acquirer) payments.Config {
	return payments.Config{
		Ledger:        w.ledger,
		Settings:      settings.New(w.pool, nil, secretKey(w.t), nil),
		Pool:          w.pool,
		SecretKey:     secretKey(w.t),
		Providers:     w.providers,
		Acquirers:     acquirers,
		PublicURL:     w.url,
		Log:           zerolog.New(w.log),
		OutOfOrderFor: time.Millisecond,
	}
}

// later replaces the server by one that is started that much later; the bank's clock
// moves too.
func (w *world) later(d time.Duration) {
	w.halt()
	w.start(d)
}

// create makes an intent that expires after a day.
func (w *world) create() domain.Intent {
	w.t.Helper()
	return w.createFor(45_750)
}

func (w *world) createFor(amount int64) domain.Intent {
	w.t.Helper()
	return w.createUntil(amount, w.ledger.Now().Add(domain.DefaultExpiry))
}

func (w *world) createUntil(amount int64, expires time.Time) domain.Intent {
	w.t.Helper()
	back := "https://shop.example/orders/1042"
	created, _, err := w.ledger.Create(w.t.Context(), domain.Create{ExpiresAt: &expires, Terms: domain.Terms{
		Application:       w.app.ID,
		MerchantReference: domain.MerchantReference(uuid.NewString()),
		Amount:            domain.Money{Minor: amount, Currency: domain.LYD},
		Description:       "كتابان",
		ReturnURL:         &back,
	}}, w.space, ledger.Origin{Actor: "application:" + w.app.ID.String()})
	if err != nil {
		w.t.Fatal(err)
	}
	return w.load(created.ID)
}

func (w *world) load(id domain.IntentID) domain.Intent {
	w.t.Helper()
	i, err := w.ledger.Load(context.Background(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return i
}

// history is the types of an intent's events.
func (w *world) history(id domain.IntentID) []string {
	w.t.Helper()
	rows, err := w.pool.Query(context.Background(),
		`SELECT substr(type, 8) FROM events WHERE stream_id = $1 ORDER BY version`, [16]byte(id))
	if err != nil {
		w.t.Fatal(err)
	}
	types, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		w.t.Fatal(err)
	}
	return types
}

func (w *world) wantHistory(id domain.IntentID, want ...string) {
	w.t.Helper()
	if diff := gocmp.Diff(want, w.history(id)); diff != "" {
		w.t.Errorf("events (-want +got):\n%s", diff)
	}
}

// eventually waits until so returns true.
func (w *world) eventually(what string, so func() bool) {
	w.t.Helper()
	pgtest.WaitFor(w.t, what, so)
}
