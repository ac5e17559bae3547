package feed_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres/pgtest"
)

// ofTests reports whether a group of these tests follows a type of events.
func ofTests(stored string) bool { return strings.HasPrefix(stored, "test.") }

// othersAt are types of events, of which the group follows none at the given places, from 1.
func othersAt(n int, at ...int64) []string {
	types := poisonAt(n)
	for _, k := range at {
		types[k-1] = "other.happened"
	}
	return types
}

// A group that follows some types is given those alone, and its offset passes over the others; a batch
// without any calls no handler.
func TestGroupFollowsSomeTypes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	others := []int64{1, 4, 5, 6, 7, 8, 12}
	w.add(t, 12, othersAt(12, others...)...)
	var calls, empty atomic.Int64
	w.run(t, feed.Config{Batch: 3, Poll: 20 * time.Millisecond}, feed.Group{Name: "g", Only: ofTests,
		Handle: func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
			calls.Add(1)
			if len(events) == 0 {
				empty.Add(1)
			}
			return record(ctx, tx, "g", events)
		}})
	w.run(t, feed.Config{}, feed.Group{Name: "all", Handle: recordAs("all")})
	w.wantEffects(t, "g", 12, others...)
	w.wantEffects(t, "all", 12) // the events themselves were left as they are
	if calls.Load() != 3 || empty.Load() != 0 {
		t.Errorf("%d calls, %d without events; want 3: of four batches one has none", calls.Load(), empty.Load())
	}
	w.add(t, 2, othersAt(2, 1, 2)...)
	w.wantEffects(t, "g", 14, append(others, 13, 14)...)
	if l := w.lag(t, "g"); l.Behind != 0 || l.Seconds != 0 || calls.Load() != 3 {
		t.Errorf("after others alone: %+v, %d calls", l, calls.Load())
	}
}

// An event that fails is parked although others are around it, and is found when it is released.
func TestPoisonAmongOthersIsParked(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	others := []int64{1, 2, 4, 6, 20}
	types := othersAt(20, others...)
	types[4], types[18] = "test.poison", "test.poison" // positions 5 and 19
	w.add(t, 20, types...)
	var bad atomic.Bool
	bad.Store(true)
	w.run(t, feed.Config{Poll: 20 * time.Millisecond},
		feed.Group{Name: "g", Handle: poison("g", &bad), OnFailure: feed.Park, Only: ofTests})
	w.wantEffects(t, "g", 20, append(others, 5, 19)...)
	parked, err := feed.ListParked(t.Context(), w.pool)
	if err != nil || len(parked) != 2 || parked[0].Position != 5 || parked[1].Position != 19 {
		t.Fatalf("parked %+v, %v", parked, err)
	}
	bad.Store(false)
	for _, p := range parked {
		if err := feed.Release(t.Context(), w.pool, "g", p.Position); err != nil {
			t.Fatal(err)
		}
	}
	pgtest.WaitFor(t, "the events to be handled", func() bool { return w.lag(t, "g").Parked == 0 })
	checkEffects(t, w.pool, "g", 20, others...)
}

// A group halts right before the event that fails, after the others that precede it.
func TestGroupHaltsAmongOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	others := []int64{2, 9, 11}
	types := othersAt(12, others...)
	types[9] = "test.poison" // position 10
	w.add(t, 12, types...)
	var bad atomic.Bool
	bad.Store(true)
	w.run(t, feed.Config{Poll: 20 * time.Millisecond, HaltRetry: 50 * time.Millisecond},
		feed.Group{Name: "g", Handle: poison("g", &bad), OnFailure: feed.Halt, Only: ofTests})
	pgtest.WaitFor(t, "the group to halt", func() bool { return w.lag(t, "g").Halted != "" })
	if l := w.lag(t, "g"); l.Position != 9 || l.Behind != 3 {
		t.Errorf("halted at %+v", l)
	}
	checkEffects(t, w.pool, "g", 9, others[:2]...)
	bad.Store(false)
	w.wantEffects(t, "g", 12, others...)
}
