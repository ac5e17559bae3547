package transparency_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/internal/sealing"
	"daftar/transparency"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const sealingSecret = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"

// world is a database with a log, its tree and a notary whose clock the test advances.
type world struct {
	t     *testing.T
	db    *pgtest.DB
	pool  *pgxpool.Pool
	key   transparency.Key
	now   time.Time
	super *pgxpool.Pool
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db := pgtest.Database(t)
	w := &world{t: t, db: db, pool: db.Pool(t), now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	w.super = pgtest.Open(t, db.SuperuserURL(), postgres.Options{MaxConns: 4})
	w.key = w.loadKey()
	return w
}

func (w *world) loadKey() transparency.Key {
	w.t.Helper()
	secret, err := sealing.Parse(sealingSecret)
	if err != nil {
		w.t.Fatal(err)
	}
	key, err := transparency.LoadKey(w.t.Context(), w.pool, secret, "pay.example.ly", w.now)
	if err != nil {
		w.t.Fatal(err)
	}
	return key
}

// notary makes a notary for the world; change is applied to its configuration.
func (w *world) notary(change ...func(*transparency.Config)) *transparency.Notary {
	w.t.Helper()
	c := transparency.Config{
		Pool:       w.pool,
		Key:        w.key,
		Now:        func() time.Time { return w.now },
		Log:        zerolog.Nop(),
		Registerer: prometheus.NewRegistry(),
	}
	for _, f := range change {
		f(&c)
	}
	n, err := transparency.New(w.t.Context(), c)
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// stream appends n events to a new stream, each time from another server: one that has seen the end
// of the log would write nothing if the log was cut off.
func (w *world) stream(n int) uuid.UUID {
	w.t.Helper()
	id := uuid.New()
	events := make([]eventstore.Event, n)
	for k := range events {
		events[k] = eventstore.Event{Type: "intent.created", SchemaVersion: 1,
			Payload: fmt.Appendf(nil, `{"n":%d,"text":"دينار"}`, k)}
	}
	store := eventstore.New(w.pool, w.pool, eventstore.Options{})
	_, err := store.Append(w.t.Context(), eventstore.Append{
		Stream: id, Events: events, Metadata: eventstore.Metadata{Actor: "application:" + id.String()},
	})
	if err != nil {
		w.t.Fatalf("append: %v", err)
	}
	if err := store.Close(w.t.Context()); err != nil {
		w.t.Fatalf("close store: %v", err)
	}
	return id
}

// fill appends n events, in streams of at most ten.
func (w *world) fill(n int) {
	w.t.Helper()
	for ; n > 0; n -= 10 {
		w.stream(min(n, 10))
	}
}

const eventsSQL = `
SELECT position, stream_id, version, type, schema_version, payload, metadata, recorded_at
FROM events
WHERE position > $1
  AND position <= $2
ORDER BY position`

func (w *world) events(after, upTo int64) []eventstore.Recorded {
	w.t.Helper()
	rows, err := w.pool.Query(w.t.Context(), eventsSQL, after, upTo)
	if err != nil {
		w.t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (eventstore.Recorded, error) {
		var e eventstore.Recorded
		err := row.Scan(&e.Position, &e.Stream, &e.Version, &e.Type, &e.SchemaVersion, &e.Payload, &e.Metadata,
			&e.RecordedAt)
		return e, err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// handle passes a batch to the group, as the feed does.
func (w *world) handle(events []eventstore.Recorded) error {
	w.t.Helper()
	return pgx.BeginFunc(w.t.Context(), w.pool, func(tx pgx.Tx) error {
		return transparency.Group().Handle(w.t.Context(), tx, events)
	})
}

// grow adds the new events to the tree, in batches of the given size.
func (w *world) grow(batch int64) {
	w.t.Helper()
	head, size := w.head(), w.size()
	for ; size < head; size += batch {
		if err := w.handle(w.events(size, min(size+batch, head))); err != nil {
			w.t.Fatalf("grow from %d: %v", size, err)
		}
	}
}

// sign makes the notary sign a checkpoint over the present tree.
func (w *world) sign() transparency.Checkpoint {
	w.t.Helper()
	w.now = w.now.Add(time.Minute)
	if err := w.notary().Look(w.t.Context()); err != nil {
		w.t.Fatalf("sign: %v", err)
	}
	return w.latest()
}

func (w *world) latest() transparency.Checkpoint {
	w.t.Helper()
	c, err := transparency.Latest(w.t.Context(), w.pool)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func (w *world) verify(o ...func(*transparency.VerifyOptions)) transparency.Report {
	w.t.Helper()
	var options transparency.VerifyOptions
	for _, f := range o {
		f(&options)
	}
	r, err := transparency.Verify(w.t.Context(), w.super, options)
	if err != nil {
		w.t.Fatalf("verify: %v", err)
	}
	return r
}

func (w *world) head() int64 { return value[int64](w, `SELECT coalesce(max(position), 0) FROM events`) }
func (w *world) size() int64 { return value[int64](w, `SELECT size FROM transparency_tree`) }

func value[T any](w *world, query string, args ...any) T {
	w.t.Helper()
	rows, err := w.super.Query(w.t.Context(), query, args...)
	if err != nil {
		w.t.Fatalf("%s: %v", query, err)
	}
	v, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	if err != nil {
		w.t.Fatalf("%s: %v", query, err)
	}
	return v
}

// tamper makes forbidden changes, as the superuser with the triggers off.
func (w *world) tamper(statements ...string) {
	w.t.Helper()
	err := pgx.BeginFunc(w.t.Context(), w.super, func(tx pgx.Tx) error {
		for _, statement := range append([]string{
			`ALTER TABLE events DISABLE TRIGGER ALL`, `ALTER TABLE transparency_checkpoints DISABLE TRIGGER ALL`,
			`ALTER TABLE transparency_keys DISABLE TRIGGER ALL`,
		}, statements...) {
			if _, err := tx.Exec(w.t.Context(), statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatalf("tamper: %v", err)
	}
}
