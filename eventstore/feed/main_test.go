package feed_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(helperEnv); url != "" {
		helper(url) // this process is the one that TestActiveServerIsKilled kills
		return
	}
	pgtest.Main(m)
}

// never is a poll interval that does not pass: events arrive because the group was woken, or at
// once.
const never = time.Hour

// world is a database with a log and a table of effects.
type world struct {
	db    *pgtest.DB
	store *eventstore.Store
	pool  *pgxpool.Pool
	super *pgxpool.Pool // of the superuser
}

// effectsTable has no key, so that a double effect is counted instead of failing.
const effectsTable = `
CREATE TABLE effects (consumer text NOT NULL, position bigint NOT NULL);
GRANT SELECT, INSERT ON effects TO daftar_service`

func newWorld(t *testing.T, onCommit func([]eventstore.Recorded)) *world {
	t.Helper()
	return newWorldOn(t, pgtest.Database(t), onCommit)
}

func newWorldOn(t *testing.T, db *pgtest.DB, onCommit func([]eventstore.Recorded)) *world {
	t.Helper()
	w := &world{db: db}
	w.pool = w.db.Pool(t)
	w.super = pgtest.Open(t, w.db.SuperuserURL(), postgres.Options{MaxConns: 1})
	w.execute(t, effectsTable)
	w.store = eventstore.New(w.pool, w.pool, eventstore.Options{OnCommit: onCommit})
	t.Cleanup(func() {
		if err := w.store.Close(context.Background()); err != nil {
			t.Errorf("close store: %v", err)
		}
	})
	return w
}

// execute runs a statement as the superuser.
func (w *world) execute(t *testing.T, statement string) {
	t.Helper()
	if _, err := w.super.Exec(t.Context(), statement); err != nil {
		t.Fatalf("execute: %v", err)
	}
}

// feedPool is a pool like the one that the server makes for a feed.
func feedPool(t *testing.T, url string) *pgxpool.Pool {
	t.Helper()
	return pgtest.Open(t, url, feedOptions)
}

var feedOptions = postgres.Options{
	SetServiceRole: true, MaxConns: 5,
	RuntimeParams: map[string]string{"synchronous_commit": "off", "jit": "off"},
}

// running is a feed that runs until stop or the end of the test.
type running struct {
	*feed.Feed
	stop func() error
}

func start(t *testing.T, c feed.Config) running {
	t.Helper()
	f, err := feed.New(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	stopped := false
	r := running{Feed: f, stop: func() error {
		cancel()
		stopped = true
		return <-done
	}}
	t.Cleanup(func() {
		if stopped {
			return
		}
		if err := r.stop(); err != nil {
			t.Errorf("run: %v", err)
		}
	})
	return r
}

// run starts a feed with one group on the world's database.
func (w *world) run(t *testing.T, c feed.Config, groups ...feed.Group) running {
	t.Helper()
	if c.Pool == nil {
		c.Pool = feedPool(t, w.db.ServiceURL())
	}
	c.Groups = groups
	return start(t, c)
}

// add appends n events to a new stream; types returns the type of the nth, counted from 1.
func (w *world) add(t *testing.T, n int, types ...string) {
	t.Helper()
	events := make([]eventstore.Event, n)
	for i := range events {
		events[i] = eventstore.Event{Type: "test.happened", SchemaVersion: 1,
			Payload: fmt.Appendf(nil, `{"n":%d}`, i)}
		if i < len(types) {
			events[i].Type = types[i]
		}
	}
	_, err := w.store.Append(t.Context(), eventstore.Append{
		Stream: uuid.New(), Events: events, Metadata: eventstore.Metadata{CorrelationID: "c-1"},
	})
	if err != nil {
		t.Fatalf("append: %v", err)
	}
}

// record is the body of most handlers: an effect for each event.
func record(ctx context.Context, tx pgx.Tx, consumer string, events []eventstore.Recorded) error {
	positions := make([]int64, len(events))
	for n, e := range events {
		positions[n] = e.Position
	}
	_, err := tx.Exec(ctx, `INSERT INTO effects SELECT $1, unnest($2::bigint[])`, consumer, positions)
	return err
}

// count queries as the superuser: the service does not see its other sessions.
func (w *world) count(t *testing.T, query string) int64 {
	t.Helper()
	var n int64
	if err := w.super.QueryRow(t.Context(), query).Scan(&n); err != nil {
		t.Fatalf("count: %v", err)
	}
	return n
}

func (w *world) effects(t *testing.T) int64 {
	t.Helper()
	return w.count(t, `SELECT count(*) FROM effects`)
}

// listeners counts the feeds that listen.
func (w *world) listeners(t *testing.T) int64 {
	t.Helper()
	return w.count(t, `SELECT count(*) FROM pg_stat_activity
		WHERE datname = current_database() AND state = 'idle' AND query LIKE 'LISTEN%'`)
}

// wantEffects waits for the group to reach an offset, and checks the effects: one for each event up
// to there, without those in the given list.
func (w *world) wantEffects(t *testing.T, group string, upTo int64, without ...int64) {
	t.Helper()
	pgtest.WaitFor(t, fmt.Sprintf("group %s to reach %d", group, upTo), func() bool {
		return w.position(t, group) >= upTo
	})
	checkEffects(t, w.pool, group, upTo, without...)
}

func checkEffects(t *testing.T, pool *pgxpool.Pool, group string, upTo int64, without ...int64) {
	t.Helper()
	var all, distinct, wrong int64
	err := pool.QueryRow(t.Context(), `
		SELECT count(*), count(DISTINCT position),
		       count(*) FILTER (WHERE position NOT BETWEEN 1 AND $2 OR position = ANY($3))
		FROM effects
		WHERE consumer = $1`, group, upTo, append([]int64{}, without...)).Scan(&all, &distinct, &wrong)
	if err != nil {
		t.Fatalf("count effects: %v", err)
	}
	if want := upTo - int64(len(without)); all != want || distinct != want || wrong != 0 {
		t.Errorf("group %s: %d effects of %d events, %d of them wrong; want one each of %d",
			group, all, distinct, wrong, want)
	}
}

func (w *world) lag(t *testing.T, group string) feed.Lag {
	t.Helper()
	lags, err := feed.Lags(t.Context(), w.pool)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lags {
		if l.Group == group {
			return l
		}
	}
	return feed.Lag{Group: group, Position: -1}
}

func (w *world) position(t *testing.T, group string) int64 {
	t.Helper()
	return w.lag(t, group).Position
}

func receive[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	limit := time.NewTimer(time.Minute)
	defer limit.Stop()
	select {
	case v := <-c:
		return v
	case <-limit.C:
		t.Fatalf("waited a minute in vain for %s", what)
		panic("unreachable")
	}
}
