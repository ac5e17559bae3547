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

// scene is a copy of the run that a test may change.
type scene struct {
	t     *testing.T
	w     *world
	name  string
	super *pgxpool.Pool // nil as long as the database is the shared, unchanged one
	owner *pgxpool.Pool
	run   *history.Run
	o     checker.Options
}

// copyOf copies the record of a run. The database is shared until it is changed.
func copyOf(t *testing.T, w *world, unchanged *pgxpool.Pool, run *history.Run, name string) *scene {
	t.Helper()
	copied := *run
	copied.Applications = slices.Clone(run.Applications)
	copied.Requests = slices.Clone(run.Requests)
	copied.Deliveries = slices.Clone(run.Deliveries)
	copied.Faults = slices.Clone(run.Faults)
	copied.Samples = slices.Clone(run.Samples)
	copied.Bank = slices.Clone(run.Bank)
	copied.Logs = slices.Clone(run.Logs)
	return &scene{
		t: t, w: w, name: name, owner: unchanged, run: &copied,
		o: checker.Options{Secrets: []string{secretKey, password}},
	}
}

// admin is for cloning databases, so it is not connected to the cloned one.
func admin(t *testing.T, w *world) *pgxpool.Pool {
	t.Helper()
	return pgtest.Open(t, to(t, w.db.SuperuserURL(), "postgres"), postgres.Options{MaxConns: 1})
}

func clone(t *testing.T, w *world, name string) (owner *pgxpool.Pool) {
	t.Helper()
	statement := "CREATE DATABASE " + name + " TEMPLATE " + w.db.Name() + " OWNER " + pgtest.Owner
	if _, err := w.admin.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
	return pgtest.Open(t, to(t, w.db.URL(), name), postgres.Options{MaxConns: 6})
}

// ownDatabase clones the database for the scene, once.
func (s *scene) ownDatabase() {
	s.t.Helper()
	if s.super == nil {
		s.owner = clone(s.t, s.w, s.name)
		s.super = pgtest.Open(s.t, to(s.t, s.w.db.SuperuserURL(), s.name), postgres.Options{MaxConns: 1})
	}
}

// to is the URL of another database on the same server.
func to(t *testing.T, databaseURL, name string) string {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal("the database's URL is none")
	}
	u.Path = "/" + name
	return u.String()
}

// tamper changes the database in ways that only a superuser can.
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
	s.ownDatabase()
	if _, err := s.super.Exec(s.t.Context(), statement, args...); err != nil {
		s.t.Fatalf("%s: %v", statement, err)
	}
}

// holdLog locks the table of events until a second transaction waits for it, which means
// that the first has timed out.
func (s *scene) holdLog() {
	s.t.Helper()
	s.holdLogUntil(2, `SELECT`)
}

// deadlockLog locks the table of events, and then requests a lock that the transaction holds
// which waits for the table: a deadlock. Its own deadlock_timeout is long, so that PostgreSQL
// aborts the other transaction.
func (s *scene) deadlockLog() {
	s.t.Helper()
	s.holdLogUntil(1, `SET LOCAL deadlock_timeout = '5min'; GRANT SELECT ON events TO CURRENT_USER`)
}

const logWaitersSQL = `
SELECT virtualtransaction
FROM pg_locks
WHERE relation = 'events'::regclass
  AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

// holdLogUntil locks the table of events until the given number of transactions have waited
// for it, then executes one more statement before it releases the lock.
func (s *scene) holdLogUntil(waiters int, last string) {
	s.t.Helper()
	s.ownDatabase()
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
			switch err := tx.QueryRow(s.t.Context(), logWaitersSQL).Scan(&waiter); {
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

// request finds a request in the record, to be changed.
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

// checked returns the verdicts on the scene.
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

// growTree lets the transparency group handle the newest event.
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
