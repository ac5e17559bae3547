package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/books"
	"daftar/books/bookstest"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/projections"
	"daftar/projections/rebuild"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// world is a database with one application; servers are opened on it. The whole
// ledger is checked when the test ends.
type world struct {
	db        *pgtest.DB
	pool      *pgxpool.Pool
	app       domain.ApplicationID
	namespace domain.Namespace
	serial    atomic.Int64
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db := pgtest.Database(t)
	w := &world{
		db: db, pool: db.Pool(t), app: domain.ApplicationID(uuid.New()),
		namespace: domain.Namespace(uuid.New()),
	}
	t.Cleanup(func() { CheckLedger(t, w.pool) })
	return w
}

// server is one of the servers of a world.
type server struct {
	*ledger.Ledger
	world  *world
	store  *eventstore.Store
	writes *pgxpool.Pool
}

// writing reports whether a connection is in use for an append. It is valid only while the
// server's reads are idle or use another pool.
func (s *server) writing() bool { return s.writes.Stat().AcquiredConns() > 0 }

// open starts a server whose clock is ahead by the given time.
func (w *world) open(t *testing.T, ahead time.Duration) *server {
	t.Helper()
	return w.serve(t, w.db.Pool(t), w.db.Pool(t), ahead)
}

func (w *world) serve(t *testing.T, writes, reads *pgxpool.Pool, ahead time.Duration) *server {
	t.Helper()
	store := eventstore.New(writes, reads,
		eventstore.Options{Inline: projections.Inline(), Clock: &eventstore.Clock{Offset: ahead}})
	intents := projections.NewIntents(reads)
	t.Cleanup(func() {
		intents.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := store.Close(ctx); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return &server{ledger.New(store, intents), w, store, writes}
}

// plain is a command that creates an ordinary intent, a new one each time.
func (w *world) plain() domain.Create {
	return domain.Create{Terms: domain.Terms{
		Application: w.app, MerchantReference: domain.MerchantReference(fmt.Sprintf("order-%d", w.serial.Add(1))),
		Amount: domain.Money{Minor: 5000, Currency: domain.LYD}, Description: "قهوة",
	}}
}

var merchant = ledger.Origin{Actor: "application:test"}

func (s *server) create(t *testing.T, c domain.Create) projections.Intent {
	t.Helper()
	i, created, err := s.Create(t.Context(), c, s.world.namespace, merchant)
	if err != nil || !created {
		t.Fatalf("create %s: created %v, %v", c.MerchantReference, created, err)
	}
	return i
}

// execute carries out a command that must succeed, and checks the row against the events.
func (s *server) execute(t *testing.T, id domain.IntentID, c domain.Command) domain.Intent {
	t.Helper()
	state, err := s.Execute(t.Context(), id, c, ledger.Origin{Actor: "payer"})
	if err != nil {
		t.Fatalf("execute %T: %v", c, err)
	}
	s.checkRow(t, state)
	return state
}

// checkRow checks the row, and the fold of the events, against a state.
func (s *server) checkRow(t *testing.T, state domain.Intent) {
	t.Helper()
	folded, err := s.Load(t.Context(), state.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(state, folded); diff != "" {
		t.Errorf("state (-answered +events):\n%s", diff)
	}
	row, err := s.Current(t.Context(), state.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(projections.IntentOf(folded), row); diff != "" {
		t.Errorf("row (-events +row):\n%s", diff)
	}
}

func (w *world) types(t *testing.T, id domain.IntentID) []string {
	t.Helper()
	rows, err := w.pool.Query(t.Context(), `SELECT type FROM events WHERE stream_id = $1 ORDER BY version`, id)
	if err != nil {
		t.Fatal(err)
	}
	types, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return types
}

func (w *world) count(t *testing.T) int {
	t.Helper()
	var n int
	if err := w.pool.QueryRow(t.Context(), `SELECT count(*) FROM events`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// changeCredentials advances the epoch and returns it.
func (w *world) changeCredentials(t *testing.T) (epoch int64) {
	t.Helper()
	err := w.pool.QueryRow(t.Context(),
		`UPDATE credential_epoch SET epoch = epoch + 1 RETURNING epoch`).Scan(&epoch)
	if err != nil {
		t.Fatal(err)
	}
	return epoch
}

// rush runs do n times at once on two servers. All calls decide on the same state: none is
// written before all have been decided.
func (w *world) rush(t *testing.T, servers [2]*server, n int, do func(k int, s *server)) {
	t.Helper()
	tx, err := w.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	release := func() { _ = tx.Rollback(context.Background()) }
	defer release()
	if err := eventstore.LockAppends(t.Context(), tx); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for k := range n {
		wg.Go(func() { do(k, servers[k%2]) })
		if k < len(servers) {
			pgtest.WaitFor(t, "a server to wait for its turn", func() bool { return w.waiting(t) == k+1 })
		}
	}
	pgtest.WaitFor(t, "all to be decided", func() bool {
		return servers[0].store.Stats().Waiting+servers[1].store.Stats().Waiting == n-len(servers)
	})
	release()
	wg.Wait()
}

// waiting is how many servers wait for their turn to append.
func (w *world) waiting(t *testing.T) (n int) {
	t.Helper()
	err := w.pool.QueryRow(t.Context(), `
SELECT count(*)
FROM pg_locks l
     JOIN pg_database d ON d.oid = l.database
WHERE l.locktype = 'advisory'
  AND NOT l.granted
  AND d.datname = current_database()`).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// transitions are those of the specification, by event and the state before it.
var transitions = map[string]map[domain.Status]domain.Status{
	"intent.created":           {"": "requires_payment_method"},
	"intent.attempt_started":   {"requires_payment_method": "processing"},
	"intent.attempt_failed":    {"processing": "requires_payment_method"},
	"intent.succeeded":         {"processing": "succeeded", "requires_payment_method": "succeeded"},
	"intent.expired":           {"requires_payment_method": "canceled"},
	"intent.late_succeeded":    {"canceled": "succeeded"},
	"intent.duplicate_payment": {"succeeded": "succeeded"},
}

// CheckLedger checks the rules of the whole ledger: positions 1..N without a gap, versions
// 1..n in each stream, every step one of the specification's, at most one attempt open,
// times that never go back, and a read model that matches the events.
func CheckLedger(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	rows, err := pool.Query(ctx, `
SELECT position, stream_id, version, type, schema_version, payload, metadata, recorded_at
FROM events
ORDER BY position`)
	if err != nil {
		t.Errorf("read log: %v", err)
		return
	}
	log, err := pgx.CollectRows(rows, pgx.RowToStructByPos[eventstore.Recorded])
	if err != nil {
		t.Errorf("read log: %v", err)
		return
	}
	states := make(map[uuid.UUID]domain.Intent)
	accounts := make(map[uuid.UUID][]eventstore.Recorded)
	for n, r := range log {
		if !domain.OfIntent(r.Type) {
			accounts[r.Stream] = append(accounts[r.Stream], r)
			continue
		}
		before, known := states[r.Stream]
		if !known {
			before = domain.Blank(domain.IntentID(r.Stream))
		}
		if r.Position != int64(n+1) || r.Version != before.Version+1 {
			t.Errorf("position %d where %d belongs, version %d of %s after %d", r.Position, n+1, r.Version, r.Stream,
				before.Version)
		}
		after, err := step(before, r)
		if err != nil {
			t.Errorf("position %d: %v", r.Position, err)
		}
		states[r.Stream] = after
	}
	for id, stream := range accounts {
		first, err := books.Decode(stream[0])
		if err != nil {
			t.Fatal(err)
		}
		k := bookstest.KeyIn(first)
		if a, err := books.Replay(k, stream); err != nil || a.Version != len(stream) || k.StreamID() != id {
			t.Errorf("account %s of %+v: version %d, %v", id, k, a.Version, err)
		}
	}
	report, err := rebuild.Verify(ctx, pool, projections.Models()[0], func(_, _ int64) {})
	if err != nil || !report.OK || report.Events != int64(len(log)) {
		t.Errorf("verify after %d events: %+v, %v", len(log), report, err)
	}
}

func step(before domain.Intent, r eventstore.Recorded) (domain.Intent, error) {
	e, err := domain.Decode(r)
	if err != nil {
		return before, err
	}
	after := domain.Evolve(before, e)
	open := 0
	for _, a := range after.Attempts {
		if a.State == domain.AttemptStateOpen {
			open++
		}
	}
	to, allowed := transitions[r.Type][before.Status]
	switch {
	case !allowed || to != after.Status:
		return after, fmt.Errorf("%s takes %q to %q", r.Type, before.Status, after.Status)
	case open > 1 || (open == 1) != (after.Status == domain.StatusProcessing) &&
		after.Status != domain.StatusSucceeded:
		return after, fmt.Errorf("%d open attempts in %s", open, after.Status)
	case e.OccurredAt().Before(before.UpdatedAt):
		return after, errors.New("the time goes back")
	}
	return after, nil
}
