package checker_test

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/tools/torture/checker"
	"daftar/tools/torture/history"
	"daftar/transparency"
)

// scene is a copy of the run in which a test may do what must not be done.
type scene struct {
	t     *testing.T
	w     *world
	name  string
	super *pgxpool.Pool // nil as long as the database is the one that nobody changes
	owner *pgxpool.Pool
	run   *history.Run
	o     checker.Options
}

// copyOf copies the record of a run. The database is shared until it is changed.
func copyOf(t *testing.T, w *world, unchanged *pgxpool.Pool, run *history.Run, name string) *scene {
	t.Helper()
	copied := *run
	copied.Applications, copied.Requests = slices.Clone(run.Applications), slices.Clone(run.Requests)
	copied.Deliveries, copied.Faults = slices.Clone(run.Deliveries), slices.Clone(run.Faults)
	copied.Samples, copied.Bank, copied.Logs = slices.Clone(run.Samples), slices.Clone(run.Bank),
		slices.Clone(run.Logs)
	return &scene{t: t, w: w, name: name, owner: unchanged, run: &copied,
		o: checker.Options{Secrets: []string{secretKey, password}}}
}

// admin clones databases, and is connected to none that is cloned.
func admin(t *testing.T, w *world) *pgxpool.Pool {
	t.Helper()
	return pgtest.Open(t, to(t, w.db.SuperuserURL(), "postgres"), postgres.Options{MaxConns: 1})
}

func clone(t *testing.T, w *world, name string) (owner *pgxpool.Pool) {
	t.Helper()
	if _, err := w.admin.Exec(t.Context(),
		"CREATE DATABASE "+name+" TEMPLATE "+w.db.Name()+" OWNER "+pgtest.Owner); err != nil {
		t.Fatal(err)
	}
	return pgtest.Open(t, to(t, w.db.URL(), name), postgres.Options{MaxConns: 6})
}

// apart gives the scene a database of its own.
func (s *scene) apart() {
	s.t.Helper()
	if s.super == nil {
		s.owner = clone(s.t, s.w, s.name)
		s.super = pgtest.Open(s.t, to(s.t, s.w.db.SuperuserURL(), s.name), postgres.Options{MaxConns: 1})
	}
}

// to is the same server's other database.
func to(t *testing.T, databaseURL, name string) string {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal("the database's URL is none")
	}
	u.Path = "/" + name
	return u.String()
}

// tamper changes the database as nobody but a superuser can.
func (s *scene) tamper(statement string, args ...any) {
	s.t.Helper()
	for _, table := range []string{"events", "transparency_checkpoints"} {
		s.exec("ALTER TABLE " + table + " DISABLE TRIGGER USER")
	}
	s.exec(statement, args...)
	for _, trigger := range []string{
		"events ENABLE ALWAYS TRIGGER events_are_append_only",
		"events ENABLE ALWAYS TRIGGER events_are_never_truncated",
		"transparency_checkpoints ENABLE ALWAYS TRIGGER transparency_checkpoints_are_append_only",
		"transparency_checkpoints ENABLE ALWAYS TRIGGER transparency_checkpoints_are_never_truncated",
	} {
		s.exec("ALTER TABLE " + trigger)
	}
}

func (s *scene) exec(statement string, args ...any) {
	s.t.Helper()
	s.apart()
	if _, err := s.super.Exec(s.t.Context(), statement, args...); err != nil {
		s.t.Fatalf("%s: %v", statement, err)
	}
}

// holdLog holds the table of events until a second transaction waits for it: the
// first has waited in vain.
func (s *scene) holdLog() {
	s.t.Helper()
	s.holdLogUntil(2, `SELECT`)
}

// deadlockLog holds the table of events and then asks for the right that the transaction
// which waits for it has changed: one of the two must give up, and that one is the other.
func (s *scene) deadlockLog() {
	s.t.Helper()
	s.holdLogUntil(1, `SET LOCAL deadlock_timeout = '5min'; GRANT SELECT ON events TO CURRENT_USER`)
}

// holdLogUntil holds the table of events until so many transactions have waited for it,
// and says one thing more before it lets go.
func (s *scene) holdLogUntil(waiters int, last string) {
	s.t.Helper()
	s.apart()
	tx, err := s.super.Begin(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := tx.Exec(s.t.Context(), `LOCK TABLE events IN SHARE UPDATE EXCLUSIVE MODE`); err != nil {
		s.t.Fatal(err)
	}
	var holding sync.WaitGroup
	s.t.Cleanup(holding.Wait)
	holding.Go(func() {
		defer func() { _ = tx.Rollback(context.Background()) }()
		tick := time.NewTicker(5 * time.Millisecond) // a pause leaves the processor to the checker
		defer tick.Stop()
		for waited := map[string]bool{}; len(waited) < waiters; <-tick.C {
			var waiter string
			switch err := tx.QueryRow(s.t.Context(), `SELECT virtualtransaction FROM pg_locks WHERE relation = 'events'::regclass AND NOT granted
				AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`).Scan(&waiter); {
			case err == nil:
				waited[waiter] = true
			case !errors.Is(err, pgx.ErrNoRows):
				s.t.Errorf("transactions that wait for the log: %d of %d: %v", len(waited), waiters, err)
				return
			}
		}
		if _, err := tx.Exec(s.t.Context(), last); err != nil {
			s.t.Errorf("%s: %v", last, err)
		}
	})
}

// request finds one in the record, to be altered.
func (s *scene) request(fits func(history.Request) bool) *history.Request {
	s.t.Helper()
	n := slices.IndexFunc(s.run.Requests, fits)
	if n < 0 {
		s.t.Fatal("there is no such request in the run")
	}
	return &s.run.Requests[n]
}

// answered finds a request by kind, status and a part of the answer.
func (s *scene) answered(kind history.Kind, status int, part string) *history.Request {
	s.t.Helper()
	return s.request(func(q history.Request) bool {
		return q.Kind == kind && q.Status == status && strings.Contains(string(q.Answer), part)
	})
}

func (s *scene) arrival(sink string) *history.Delivery {
	s.t.Helper()
	n := slices.IndexFunc(s.run.Deliveries, func(d history.Delivery) bool { return d.Sink == sink })
	if n < 0 {
		s.t.Fatal("there is no such webhook in the run")
	}
	return &s.run.Deliveries[n]
}

// checked is the verdicts of the scene.
func (s *scene) checked() map[string]checker.Verdict {
	s.t.Helper()
	verdicts, err := checker.Check(s.t.Context(), s.owner, s.run, s.o)
	if err != nil {
		s.t.Fatal(err)
	}
	by := map[string]checker.Verdict{}
	for _, v := range verdicts {
		by[v.ID] = v
	}
	return by
}

func replaced(b []byte, from, to string) []byte {
	return []byte(strings.ReplaceAll(string(b), from, to))
}

// idIn is the uuid of the intent in an answer.
func idIn(q *history.Request) string {
	_, rest, _ := strings.Cut(string(q.Answer), `"uuid":"`)
	return rest[:36]
}

// growTree has the transparency group take up the newest event, as it would.
func (s *scene) growTree(position int64) {
	s.t.Helper()
	events, err := eventstore.NewReader(s.super).ReadRange(s.t.Context(), position-1, position, 1)
	if err != nil {
		s.t.Fatal(err)
	}
	err = pgx.BeginFunc(s.t.Context(), s.super, func(tx pgx.Tx) error {
		return transparency.Group().Handle(s.t.Context(), tx, events)
	})
	if err != nil {
		s.t.Fatal(err)
	}
}
