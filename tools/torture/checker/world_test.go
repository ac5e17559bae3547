package checker_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
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
	password  = "a password that must stay secret"
	client    = 1
)

var operator = accounts.Operator("torture")

// world is a service with two merchants, each with its own endpoint. One endpoint accepts
// every webhook, the other none.
type world struct {
	t        *testing.T
	db       *pgtest.DB
	pool     *pgxpool.Pool
	recorder *history.Recorder
	accounts *accounts.Accounts
	ledger   *ledger.Ledger
	early    *ledger.Ledger // its clock is behind, so that its intents may expire soon
	api      *httptest.Server
	shops    []*shop
	bank     []history.Taken
	log      *os.File      // of the server
	admin    *pgxpool.Pool // of the server, once the run is over
	ends     []func()      // called in reverse order
}

type shop struct {
	history.Application
	space domain.Namespace
}

// lived makes a small real run, waits until it is quiet, and closes everything.
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
	store := eventstore.New(w.pool, w.pool, eventstore.Options{
		Inline: projections.Inline(), Clock: clock, OnCommit: func([]eventstore.Recorded) { wake() },
	})
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
		expiry.Group(), webhooks.Group(), projections.DashboardGroup(), projections.BooksGroup(),
		transparency.Group(),
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
	follow := func(ctx context.Context) {
		if err := following.Run(ctx); err != nil {
			t.Errorf("follow the log: %v", err)
		}
	}
	expirer := expiry.New(expiry.Config{Pool: w.pool, Ledger: w.ledger, Log: log})
	for _, run := range []func(context.Context){follow, expirer.Run, dispatcher.Run, w.notary(log).Run} {
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
	config := transparency.Config{Pool: w.pool, Key: key, Now: time.Now, Log: log}
	n, err := transparency.New(w.t.Context(), config)
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// open makes a merchant with an endpoint that always gives the same answer.
func (w *world) open(behaviour string, status int) *shop {
	w.t.Helper()
	s := &shop{}
	sink := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		w.recorder.Delivery(history.Delivery{
			Sink: behaviour, Application: s.UUID, Arrived: w.recorder.Now(),
			ID:        r.Header.Get("Webhook-Id"),
			Timestamp: r.Header.Get("Webhook-Timestamp"),
			Signature: r.Header.Get("Webhook-Signature"),
			Body:      body, Answered: status,
		})
		rw.WriteHeader(status)
	}))
	w.ends = append(w.ends, sink.Close)
	org, err := w.accounts.CreateOrganization(w.t.Context(), operator, "شركة "+behaviour)
	if err != nil {
		w.t.Fatal(err)
	}
	app, err := w.accounts.CreateApplication(w.t.Context(), operator, org.ID,
		accounts.Draft{Name: "متجر", WebhookURL: sink.URL})
	if err != nil {
		w.t.Fatal(err)
	}
	_, token, err := w.accounts.CreateToken(w.t.Context(), operator, org.ID, accounts.TokenDraft{Name: "server"})
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
	const namespaceSQL = `SELECT namespace FROM applications WHERE uuid = $1`
	var space [16]byte
	if err := owner.QueryRow(w.t.Context(), namespaceSQL, [16]byte(app.ID)).Scan(&space); err != nil {
		w.t.Fatal(err)
	}
	s.space = space
	w.recorder.Application(s.Application)
	return s
}
