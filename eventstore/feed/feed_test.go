package feed_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres/pgtest"
)

func TestEventsArriveAsTheyWereStored(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	payloads := []string{
		`{ "spaces":  "kept", "دفتر": "\u0644" }`, `"\\ \" {},NULL"`, "\"tab\there\"\n", `""`, "",
		"{" + strings.Repeat("x", 100_000) + "}",
	}
	for n, payload := range payloads {
		_, err := w.store.Append(t.Context(), eventstore.Append{
			Stream: uuid.New(), Metadata: eventstore.Metadata{Actor: "قارئ", RequestID: fmt.Sprint(n)},
			Events: []eventstore.Event{
				{Type: "test.first", SchemaVersion: 1, Payload: []byte(payload)},
				{Type: "test.second", SchemaVersion: 70_000, Payload: []byte(payload)},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	want, err := w.store.ReadRange(t.Context(), 0, 100, 100)
	if err != nil {
		t.Fatal(err)
	}

	var mu sync.Mutex
	got := map[int64]eventstore.Recorded{}
	var order []int64
	w.run(t, feed.Config{Batch: 5}, feed.Group{Name: "bytes",
		Handle: func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
			mu.Lock()
			defer mu.Unlock()
			for _, e := range events {
				e.Payload, e.Metadata = bytes.Clone(e.Payload), bytes.Clone(e.Metadata)
				got[e.Position] = e
				order = append(order, e.Position)
			}
			return record(ctx, tx, "bytes", events)
		}})
	w.wantEffects(t, "bytes", int64(len(want)))
	mu.Lock()
	defer mu.Unlock()
	for _, e := range want {
		if diff := cmp.Diff(e, got[e.Position], cmp.Comparer(bytes.Equal)); diff != "" {
			t.Errorf("event %d (-stored +arrived):\n%s", e.Position, diff)
		}
	}
	for n, position := range order {
		if position != int64(n+1) {
			t.Fatalf("events came in the order %v", order)
		}
	}
}

// Events that together exceed the size of a batch come in batches that fit.
func TestBatchesAreBoundedInBytes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.execute(t, `
		INSERT INTO events SELECT n, gen_random_uuid(), 1, 'test.large', 1, repeat('x', 1 << 20), '{}', now()
		FROM generate_series(1, 9) n`)
	var mu sync.Mutex
	var sizes []int
	w.run(t, feed.Config{}, feed.Group{Name: "large",
		Handle: func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
			mu.Lock()
			defer mu.Unlock()
			sizes = append(sizes, len(events))
			return record(ctx, tx, "large", events)
		}})
	w.wantEffects(t, "large", 9)
	mu.Lock()
	defer mu.Unlock()
	if want := []int{8, 1}; !cmp.Equal(sizes, want) {
		t.Errorf("batches of %v events of 1 MiB, want %v", sizes, want)
	}
}

// The committer wakes the groups of its server; a notification wakes those of another.
func TestCommitWakesGroups(t *testing.T) {
	t.Parallel()
	wake := make(chan func(), 1)
	var f running
	w := newWorld(t, func([]eventstore.Recorded) {
		select {
		case call := <-wake:
			call()
			wake <- call
		default:
		}
	})
	f = w.run(t, feed.Config{Poll: never}, feed.Group{Name: "near", Handle: recordAs("near")})
	w.run(t, feed.Config{Poll: never}, feed.Group{Name: "far", Handle: recordAs("far")})
	wake <- f.Wake
	pgtest.WaitFor(t, "both groups to have started", func() bool {
		return w.position(t, "near") == 0 && w.position(t, "far") == 0 && w.listeners(t) == 2
	})
	for n := int64(1); n <= 5; n++ {
		w.add(t, 1)
		w.wantEffects(t, "near", n)
		w.wantEffects(t, "far", n)
	}
}

func recordAs(consumer string) feed.Handler {
	return func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
		return record(ctx, tx, consumer, events)
	}
}

// Without any wake-up an event waits for the poll and no longer.
func TestPollFindsWhatNobodyTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.run(t, feed.Config{}, feed.Group{Name: "polling", Handle: recordAs("polling")})
	w.add(t, 1)
	w.wantEffects(t, "polling", 1)
	w.add(t, 1)
	w.wantEffects(t, "polling", 2)
}

// A lost listening connection is replaced, and the feed looks for commits of which it was not
// notified. Several times, because the first time the poll at the start of the feed may find the
// event.
func TestListeningConnectionIsReplaced(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.run(t, feed.Config{Poll: never}, feed.Group{Name: "deaf", Handle: recordAs("deaf")})
	for n := int64(1); n <= 4; n++ {
		pgtest.WaitFor(t, "the feed to listen", func() bool { return w.listeners(t) == 1 })
		w.add(t, 1)
		w.execute(t, `
			SELECT pg_terminate_backend(pid)
			FROM pg_stat_activity
			WHERE datname = current_database()
			  AND query LIKE 'LISTEN%'`)
		w.wantEffects(t, "deaf", n)
	}
}

// A writer that is idle in its transaction, in another database of the same server, blocks nothing.
func TestForeignTransactionDelaysNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	other := pgtest.EmptyDatabase(t).OwnerPool(t)
	tx, err := other.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }()
	if _, err := tx.Exec(t.Context(), `CREATE TABLE held (n int)`); err != nil {
		t.Fatal(err)
	}
	w.run(t, feed.Config{}, feed.Group{Name: "prompt", Handle: recordAs("prompt")})
	for n := int64(1); n <= 3; n++ {
		w.add(t, 1)
		w.wantEffects(t, "prompt", n)
	}
}

// A group that is ahead of the log would skip the events that are appended next.
func TestOffsetAheadOfLogIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.add(t, 3)
	w.execute(t, `INSERT INTO consumer_offsets VALUES ('ahead', 4, now()), ('another', 9, now())`)
	f, err := feed.New(feed.Config{Pool: feedPool(t, w.db.ServiceURL()),
		Groups: []feed.Group{{Name: "ahead", Handle: recordAs("ahead")}}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err = f.Run(ctx)
	if !errors.Is(err, feed.ErrAhead) ||
		!strings.Contains(err.Error(), "group ahead is at position 4, the log ends at 3") {
		t.Errorf("run: %v, want %v with group and positions", err, feed.ErrAhead)
	}
	if n := w.effects(t); n != 0 {
		t.Errorf("%d effects", n)
	}
}

func TestConfigIsChecked(t *testing.T) {
	t.Parallel()
	pool := feedPool(t, pgtest.Database(t).ServiceURL()) // five connections: three groups
	group := func(name string) feed.Group { return feed.Group{Name: name, Handle: recordAs(name)} }
	for name, c := range map[string]feed.Config{
		"no pool":         {Groups: []feed.Group{group("a")}},
		"no group":        {Pool: pool},
		"no name":         {Pool: pool, Groups: []feed.Group{group("")}},
		"same name":       {Pool: pool, Groups: []feed.Group{group("a"), group("a")}},
		"no handler":      {Pool: pool, Groups: []feed.Group{{Name: "a"}}},
		"unknown policy":  {Pool: pool, Groups: []feed.Group{{Name: "a", Handle: recordAs("a"), OnFailure: 7}}},
		"too many groups": {Pool: pool, Groups: []feed.Group{group("a"), group("b"), group("c"), group("d")}},
		"negative poll":   {Pool: pool, Groups: []feed.Group{group("a")}, Poll: -1},
	} {
		if _, err := feed.New(c); !errors.Is(err, feed.ErrConfig) {
			t.Errorf("%s: %v, want %v", name, err, feed.ErrConfig)
		}
	}
	_, err := feed.New(feed.Config{Pool: pool, Groups: []feed.Group{group("a"), group("b"), group("c")}})
	if err != nil {
		t.Errorf("a good one: %v", err)
	}
}
