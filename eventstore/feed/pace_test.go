package feed_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// roundTrips notes what a pool sends, one entry for each round trip: the beginning of each
// statement in it.
type roundTrips struct {
	mu   sync.Mutex
	sent []string
}

func firstWord(sql string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(sql), " ")
	return word
}

func (r *roundTrips) note(words ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent = append(r.sent, strings.Join(words, " + "))
}

// taken are the entries since the last call.
func (r *roundTrips) taken() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	sent := r.sent
	r.sent = nil
	return sent
}

// TraceQueryStart implements pgx.QueryTracer. Notifications of other servers are not part of a poll
// and are ignored.
func (r *roundTrips) TraceQueryStart(
	ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData,
) context.Context {
	if !strings.Contains(data.SQL, "pg_notify") {
		r.note(firstWord(data.SQL))
	}
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (*roundTrips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (r *roundTrips) TraceBatchStart(
	ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData,
) context.Context {
	var words []string
	for _, q := range data.Batch.QueuedQueries {
		words = append(words, firstWord(q.SQL))
	}
	r.note(words...)
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (*roundTrips) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (*roundTrips) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// tracedPool is a pool for a feed whose round trips are noted.
func tracedPool(t *testing.T, w *world, trips *roundTrips) *pgxpool.Pool {
	t.Helper()
	config, err := postgres.ParseURL(w.db.ServiceURL())
	if err != nil {
		t.Fatal(err)
	}
	config.MaxConns, config.ConnConfig.Tracer = 5, trips
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// A poll that finds events costs two round trips in addition to the handler's: the read is sent
// with the beginning of the transaction, and the offset with its end.
func TestWhatALookCosts(t *testing.T) {
	t.Parallel()
	var h hook
	w := newWorld(t, h.committed)
	var trips roundTrips
	config := feed.Config{Pool: tracedPool(t, w, &trips), Poll: never}
	h.to(w.run(t, config, feed.Group{Name: "g", Handle: recordAs("g")}))
	pgtest.WaitFor(t, "the feed to listen", func() bool { return w.listeners(t) == 1 })
	// The first polls are mixed with the preparations at the start.
	want := [][]string{
		{"feed_begin + SELECT", "INSERT", "UPDATE + feed_commit"},
		{"feed_begin + WITH", "INSERT", "UPDATE + feed_commit"}, // if the memory got the events too late
	}
	var got []string
	for n := int64(1); n <= 10; n++ {
		trips.taken()
		w.add(t, 1)
		w.wantEffects(t, "g", n)
		got = trips.taken()
		if slices.ContainsFunc(want, func(one []string) bool { return slices.Equal(one, got) }) {
			return
		}
	}
	t.Errorf("the last poll took the round trips %q, want %q", got, want[0])
}

// While the log grows, each group polls as often as it has to and no more: one handles every event
// separately, and one with a staleness has not polled again. An event after a time without appends
// is handled by both.
func TestGroupsLookAtTheirOwnPace(t *testing.T) {
	t.Parallel()
	var h hook
	w := newWorld(t, h.committed)
	f := start(t, feed.Config{Pool: feedPool(t, w.db.ServiceURL()), Poll: 10 * time.Millisecond,
		Groups: []feed.Group{
			{Name: "prompt", Handle: recordAs("prompt")},
			{Name: "stale", Handle: recordAs("stale"), Staleness: time.Hour},
		}})
	h.to(f)
	w.add(t, 1)
	w.wantEffects(t, "prompt", 1)
	w.wantEffects(t, "stale", 1)
	for n := int64(2); n <= 30; n++ {
		w.add(t, 1)
		w.wantEffects(t, "prompt", n)
	}
	if n := w.position(t, "stale"); n != 1 {
		t.Errorf("the group that may be an hour late is at %d", n)
	}
}

// A server whose events another one has handled stands by: commits on this server do not make it
// poll more often than if it found events.
func TestWhoStandsByLooksNoMoreOften(t *testing.T) {
	t.Parallel()
	var first, second hook
	w := newWorld(t, func(events []eventstore.Recorded) { first.committed(events); second.committed(events) })
	groups := []feed.Group{
		{Name: "prompt", Handle: recordAs("prompt")},
		{Name: "stale", Handle: recordAs("stale"), Staleness: time.Hour},
	}
	active := start(t, feed.Config{Pool: feedPool(t, w.db.ServiceURL()), Poll: never, Groups: groups})
	first.to(active)
	w.add(t, 1)
	w.wantEffects(t, "prompt", 1)
	w.wantEffects(t, "stale", 1)

	var trips roundTrips
	pool := tracedPool(t, w, &trips)
	standby := start(t, feed.Config{Pool: pool, Poll: never, Groups: groups})
	polls := 0
	awaitPolls := func(want int) {
		pgtest.WaitFor(t, "the standby server to have polled", func() bool {
			for _, sent := range trips.taken() {
				if sent == "feed_begin + WITH" {
					polls++
				}
			}
			return polls >= want && pool.Stat().AcquiredConns() == 0
		})
	}
	awaitPolls(2) // of both groups, at the start
	events, err := w.store.ReadRange(t.Context(), 0, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	standby.Committed(events)
	awaitPolls(4)
	if err := active.stop(); err != nil {
		t.Fatal(err)
	}
	second.to(standby)
	for n := int64(2); n <= 30; n++ {
		w.add(t, 1)
		w.wantEffects(t, "prompt", n)
	}
	if n := w.position(t, "stale"); n != 1 {
		t.Errorf("the group that may be an hour late is at %d", n)
	}
}
