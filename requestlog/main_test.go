package requestlog_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/domain"
	"daftar/internal/postgres/pgtest"
	"daftar/requestlog"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

var operator = accounts.Operator("test")

// world is a request log on a private database, with an organisation and its application.
type world struct {
	t        *testing.T
	db       *pgtest.DB
	pool     *pgxpool.Pool
	accounts *accounts.Accounts
	people   *people.People
	registry *prometheus.Registry
	log      *requestlog.Log
	requests *requestlog.Requests
	org      accounts.OrganizationID
	app      domain.ApplicationID
	began    time.Time
	count    int // of requests that next has made
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{
		t: t, db: pgtest.Database(t), registry: prometheus.NewRegistry(),
		began: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
	}
	w.pool = w.db.Pool(t)
	key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	w.accounts = accounts.New(w.pool, accounts.Options{SecretKey: key})
	w.people = people.New(w.pool, w.accounts, people.Options{SecretKey: key, CheapPasswords: true})
	w.log = requestlog.New(requestlog.Config{Pool: w.pool, Log: zerolog.Nop(), Registerer: w.registry})
	w.requests = requestlog.NewRequests(w.pool, w.accounts)
	w.org, w.app = w.newApplication()
	return w
}

func (w *world) newApplication() (accounts.OrganizationID, domain.ApplicationID) {
	w.t.Helper()
	org, err := w.accounts.CreateOrganization(w.t.Context(), operator, "Shop")
	if err != nil {
		w.t.Fatal(err)
	}
	app, err := w.accounts.CreateApplication(w.t.Context(), operator, org.ID, accounts.Draft{Name: "Web"})
	if err != nil {
		w.t.Fatal(err)
	}
	return org.ID, app.ID
}

// next is a request that arrives a millisecond after the one before.
func (w *world) next(status int) requestlog.Request {
	w.count++
	return requestlog.Request{
		Application: w.app, At: w.began.Add(time.Duration(w.count) * time.Millisecond),
		Took: 3 * time.Millisecond, ID: uuid.NewString(), Method: "GET",
		Route: "/payment-intents/{uuid}", Intent: domain.IntentID(uuid.New()), Status: status,
	}
}

func (w *world) note(count, status int) {
	for range count {
		w.log.Note(w.next(status))
	}
}

func (w *world) flush() {
	w.t.Helper()
	if err := w.log.Flush(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) latest() []requestlog.Request {
	w.t.Helper()
	all, err := w.requests.Latest(w.t.Context(), operator, w.org, w.app)
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// counted is how many requests had an outcome, by the metrics.
func (w *world) counted(outcome string) int {
	w.t.Helper()
	families, err := w.registry.Gather()
	if err != nil {
		w.t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if m.GetLabel()[0].GetValue() == outcome {
				return int(m.GetCounter().GetValue())
			}
		}
	}
	w.t.Fatalf("no metric of %s", outcome)
	return 0
}
