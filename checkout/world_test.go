package checkout_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
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

	providers []acquirer.Provider // with whom the application may have accounts
	elsewhere func() []taking     // what they took
	// adds says that the test itself has held what was taken against the ledger.
	adds bool

	shift   atomic.Int64 // of the bank's clock
	handler atomic.Pointer[http.Handler]

	// Of the server that runs at the moment.
	ledger *ledger.Ledger
	server
	halt func()
}

// newWorld starts everything. At its end the bank's ledger must hold what the
// events say, to the dirham.
func newWorld(t *testing.T, prepare ...func(*world)) *world {
	t.Helper()
	db := pgtest.Database(t)
	return newWorldOn(t, db, pgtest.Open(t, db.ServiceURL(),
		postgres.Options{SetServiceRole: true, MaxConns: 8}), prepare...)
}

// newWorldOn starts a server that works through the pool.
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
		HoldLimit: time.Millisecond, NotifyAfter: []time.Duration{0, 50 * time.Millisecond, 200 * time.Millisecond},
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

func (w *world) makeApplication() {
	w.t.Helper()
	owners := accounts.New(w.db.Pool(w.t), accounts.Options{SecretKey: secretKey(w.t)})
	org, err := owners.CreateOrganization(w.t.Context(), accounts.Operator("test"), "شركة الفرجاني")
	if err != nil {
		w.t.Fatal(err)
	}
	created, err := owners.CreateApplication(w.t.Context(), accounts.Operator("test"), org.ID, merchant, "")
	if err != nil {
		w.t.Fatal(err)
	}
	w.app = created.Application
}

// start runs a server whose clock is ahead by the offset. It stands for a server
// that was started so much later: the one before must have been halted.
func (w *world) start(offset time.Duration) {
	w.shift.Store(int64(offset)) // the first inquiry may follow at once
	store := eventstore.New(w.pool, w.pool, eventstore.Options{
		Inline: projections.Inline(), Clock: &eventstore.Clock{Offset: offset},
	})
	intents := projections.NewIntents(w.pool)
	w.ledger = ledger.New(store, intents)
	w.server = w.another(w.acquirer)
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
	}
}

// another is a second server on the same ledger and database, not running.
func (w *world) another(all ...acquirer.Acquirer) server { return serverOf(w.config(all...)) }

// config is of an engine whose acquirers are hardly ever left alone: most tests
// make them fail.
func (w *world) config(acquirers ...acquirer.Acquirer) payments.Config {
	return payments.Config{
		Ledger: w.ledger, Settings: settings.New(w.pool, nil, secretKey(w.t), nil), Pool: w.pool,
		SecretKey: secretKey(w.t), Providers: w.providers, Acquirers: acquirers, PublicURL: w.url,
		Log:           zerolog.New(w.log),
		OutOfOrderFor: time.Millisecond,
	}
}

// later goes on with a server that is started after that time; the bank's clock
// goes along.
func (w *world) later(d time.Duration) {
	w.halt()
	w.start(d)
}

// settleDown waits for the bank's notifications, then holds its ledger against
// the events, and the log against what must not be in it.
func (w *world) settleDown() {
	t := w.t
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := w.bank.WaitNotified(ctx); err != nil {
		t.Error(err)
	}
	var taken []taking
	w.eventually("what the bank took is in the ledger", func() bool {
		taken = w.taken()
		if w.elsewhere != nil {
			taken = sorted(append(taken, w.elsewhere()...))
		}
		return gocmp.Equal(taken, w.recorded(ctx))
	})
	if diff := gocmp.Diff(taken, w.recorded(ctx)); diff != "" {
		t.Errorf("the bank took, and the ledger says (-bank +ledger):\n%s", diff)
	}
	codes := []string{"111111", "222222", "912345678", "920000001", bankSecret}
	w.wantSecret("the log", w.log.String(), append(w.secrets(ctx), codes...))
	w.wantSecret("the database", w.written(ctx), codes)
}

// wantSecret holds a text against what must not be in it. Six digits in the middle
// of an id are there by chance.
func (w *world) wantSecret(place, text string, secrets []string) {
	w.t.Helper()
	for _, secret := range secrets {
		pattern := regexp.QuoteMeta(secret)
		if len(secret) <= 6 {
			pattern = `\b` + pattern + `\b`
		}
		if regexp.MustCompile(pattern).MatchString(text) {
			w.t.Errorf("%s tells %q", place, secret)
		}
	}
}

// written is all that the checkout and the ledger keep, but for the payers'
// links and times, whose digits mean nothing.
func (w *world) written(ctx context.Context) string {
	var text string
	err := w.pool.QueryRow(ctx, `SELECT
		(SELECT coalesce(string_agg(concat_ws(' ', payer, sent_to, trouble), ' '), '') FROM checkout_attempts) ||
		(SELECT coalesce(string_agg(coalesce(payload::json->>'payer', ''), ' '), '') FROM events)`).Scan(&text)
	if err != nil {
		w.t.Error(err)
	}
	return text
}

// secrets are the checkout tokens.
func (w *world) secrets(ctx context.Context) []string {
	rows, err := w.pool.Query(ctx,
		`SELECT payload::json->>'checkout_token' FROM events WHERE type = 'intent.created'`)
	if err != nil {
		w.t.Error(err)
		return nil
	}
	tokens, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		w.t.Error(err)
	}
	return tokens
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
	created, _, err := w.ledger.Create(w.t.Context(), domain.Create{
		Application: w.app.ID, MerchantReference: domain.MerchantReference(uuid.NewString()),
		Amount: domain.Money{Minor: amount, Currency: domain.LYD}, Description: "كتابان", ReturnURL: &back,
		ExpiresAt: &expires,
	}, w.space, ledger.Origin{Actor: "application:" + w.app.ID.String()})
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

// eventually asks until it is so.
func (w *world) eventually(what string, so func() bool) {
	w.t.Helper()
	pgtest.WaitFor(w.t, what, so)
}
