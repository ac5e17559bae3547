package expiry_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/expiry"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/projections"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(childURL); url != "" {
		runChild(url)
		return
	}
	pgtest.Main(m)
}

// window is how long most intents of these tests live.
const window = 6 * time.Minute

// world is a database and a server on it, whose clock is not ahead.
type world struct {
	*server
	t         *testing.T
	db        *pgtest.DB
	pool      *pgxpool.Pool
	app       domain.ApplicationID
	namespace domain.Namespace
	serial    atomic.Int64

	feeding  sync.Mutex
	position int64
}

// server is one of the servers on a database.
type server struct {
	*ledger.Ledger
	pool    *pgxpool.Pool
	worker  *expiry.Worker
	metrics *prometheus.Registry
	log     *syncedLog
}

type syncedLog struct {
	mu   sync.Mutex
	text []byte
}

func (l *syncedLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, b...)
	return len(b), nil
}

func (l *syncedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db := pgtest.Database(t)
	w := &world{
		t: t, db: db, pool: db.Pool(t), app: domain.ApplicationID(uuid.New()),
		namespace: domain.Namespace(uuid.New()),
	}
	w.server = w.serve(db.ServiceURL(), 0)
	return w
}

// serve opens a server whose clock is ahead by offset. Its worker does not run.
func (w *world) serve(url string, offset time.Duration) *server {
	w.t.Helper()
	return w.serveWith(url, eventstore.Options{Clock: &eventstore.Clock{Offset: offset}})
}

func (w *world) serveWith(url string, o eventstore.Options) *server {
	w.t.Helper()
	pool := pgtest.Open(w.t, url, postgres.Options{SetServiceRole: true, MaxConns: 8})
	s, closeStore := newServer(pool, o)
	w.t.Cleanup(closeStore)
	return s
}

func newServer(pool *pgxpool.Pool, o eventstore.Options) (*server, func()) {
	o.Inline = projections.Inline()
	store := eventstore.New(pool, pool, o)
	intents := projections.NewIntents(pool)
	s := &server{
		Ledger: ledger.New(store, intents), pool: pool, metrics: prometheus.NewRegistry(),
		log: &syncedLog{},
	}
	s.worker = expiry.New(expiry.Config{
		Pool: pool, Ledger: s.Ledger, Log: zerolog.New(s.log), Registerer: s.metrics,
	})
	return s, func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		intents.Close()
		_ = store.Close(ctx) // fails where the connection is broken
	}
}

// run runs the server's worker until the returned function is called, or the
// test ends. The function fails the test where the worker does not stop.
func (w *world) run(s *server) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.worker.Run(ctx)
	}()
	stop = func() {
		cancel()
		select {
		case <-done:
		case <-time.After(time.Minute):
			w.t.Error("the worker does not stop")
		}
	}
	w.t.Cleanup(stop)
	return stop
}

// create creates an intent that lives for the given time, and its timer.
func (w *world) create(life time.Duration) projections.Intent {
	w.t.Helper()
	i := w.createUnseen(life)
	w.feed()
	return i
}

// createUnseen creates an intent whose event the group has not read.
func (w *world) createUnseen(life time.Duration) projections.Intent {
	w.t.Helper()
	expires := w.Now().Add(life)
	i, _, err := w.Create(w.t.Context(), domain.Create{ExpiresAt: &expires, Terms: domain.Terms{
		Application:       w.app,
		MerchantReference: domain.MerchantReference(fmt.Sprintf("order-%d", w.serial.Add(1))),
		Amount:            domain.Money{Minor: 5000, Currency: domain.LYD}, Description: "قهوة",
	}}, w.namespace, ledger.Origin{Actor: "application:test"})
	if err != nil {
		w.t.Fatalf("create: %v", err)
	}
	return i
}

// createMany creates n intents that expire at the same time, and their timers.
func (w *world) createMany(n int, life time.Duration) time.Time {
	w.t.Helper()
	expires := w.Now().Add(life).Truncate(time.Microsecond)
	var wg sync.WaitGroup
	for k := range 64 {
		wg.Go(func() {
			for i := k; i < n; i += 64 {
				_, _, err := w.Create(w.t.Context(), domain.Create{ExpiresAt: &expires, Terms: domain.Terms{
					Application: w.app, MerchantReference: domain.MerchantReference(fmt.Sprintf("many-%d", i)),
					Amount: domain.Money{Minor: 5000, Currency: domain.LYD}, Description: "شاي",
				}}, w.namespace, ledger.Origin{Actor: "application:test"})
				if err != nil {
					w.t.Errorf("create: %v", err)
					return
				}
			}
		})
	}
	wg.Wait()
	w.feed()
	return expires
}

func (w *world) start(id domain.IntentID) domain.AttemptID {
	w.t.Helper()
	attempt := domain.AttemptID(uuid.NewString())
	w.execute(id, domain.StartAttempt{Attempt: attempt, Acquirer: "sandbox", Method: "wallet"})
	return attempt
}

func (w *world) execute(id domain.IntentID, c domain.Command) domain.Intent {
	w.t.Helper()
	return w.executeAt(w.server, id, c)
}

func (w *world) executeAt(s *server, id domain.IntentID, c domain.Command) domain.Intent {
	w.t.Helper()
	state, err := s.Execute(w.t.Context(), id, c, ledger.Origin{Actor: "payer"})
	if err != nil {
		w.t.Fatalf("%T: %v", c, err)
	}
	return state
}

// feed hands the events since the last time to the group, as the feed does.
func (w *world) feed() {
	w.t.Helper()
	w.feeding.Lock()
	defer w.feeding.Unlock()
	for {
		events := w.events(w.position, 1000)
		if len(events) == 0 {
			return
		}
		w.deliver(events)
		w.position = events[len(events)-1].Position
	}
}

// deliver hands a batch to the group in a transaction.
func (w *world) deliver(events []eventstore.Recorded) {
	w.t.Helper()
	err := pgx.BeginFunc(w.t.Context(), w.pool, func(tx pgx.Tx) error {
		return expiry.Group().Handle(w.t.Context(), tx, events)
	})
	if err != nil {
		w.t.Fatalf("keep timers: %v", err)
	}
}

func (w *world) events(after int64, limit int) []eventstore.Recorded {
	w.t.Helper()
	rows, err := w.pool.Query(w.t.Context(), `
SELECT position, stream_id, version, type, schema_version, payload, metadata, recorded_at
FROM events
WHERE position > $1
ORDER BY position
LIMIT $2`, after, limit)
	if err != nil {
		w.t.Fatal(err)
	}
	events, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (eventstore.Recorded, error) {
		var e eventstore.Recorded
		err := row.Scan(&e.Position, &e.Stream, &e.Version, &e.Type, &e.SchemaVersion, &e.Payload, &e.Metadata,
			&e.RecordedAt)
		return e, err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return events
}

// history is the names of an intent's events.
func (w *world) history(id domain.IntentID) []string {
	w.t.Helper()
	names, err := query[string](w, `SELECT type FROM events WHERE stream_id = $1 ORDER BY version`, id)
	if err != nil {
		w.t.Fatal(err)
	}
	return names
}

// row is a row of expiry_timers.
type row struct {
	Intent domain.IntentID
	DueAt  time.Time
	Looks  int
	Busy   bool
}

func (w *world) timers() []row {
	w.t.Helper()
	rows, err := w.pool.Query(w.t.Context(), `
SELECT intent_uuid, due_at, looks, busy_until IS NOT NULL
FROM expiry_timers
ORDER BY intent_uuid`)
	if err != nil {
		w.t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// outcomes is how many timers had the outcome on the server, by its metrics.
func (s *server) outcomes(t *testing.T, outcome string) int {
	t.Helper()
	families, err := s.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range named(t, families, "daftar_expiry_timers_total").GetMetric() {
		if m.GetLabel()[0].GetValue() == outcome {
			return int(m.GetCounter().GetValue())
		}
	}
	t.Fatalf("no timers are counted as %s", outcome)
	return 0
}

func named[F interface{ GetName() string }](t *testing.T, families []F, name string) F {
	t.Helper()
	n := slices.IndexFunc(families, func(f F) bool { return f.GetName() == name })
	if n < 0 {
		t.Fatalf("there is no metric %s", name)
	}
	return families[n]
}

func query[T any](w *world, sql string, args ...any) ([]T, error) {
	rows, err := w.pool.Query(w.t.Context(), sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[T])
}

// count is the single number that a query returns.
func (w *world) count(sql string, args ...any) int {
	w.t.Helper()
	n, err := query[int](w, sql, args...)
	if err != nil || len(n) != 1 {
		w.t.Fatalf("%s: %v, %v", sql, n, err)
	}
	return n[0]
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	if _, err := w.pool.Exec(w.t.Context(), sql, args...); err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
}

func (w *world) canceled() int {
	w.t.Helper()
	return w.count(`SELECT count(*) FROM intents WHERE status = 'canceled'`)
}
