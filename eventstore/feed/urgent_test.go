package feed_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres/pgtest"
)

const urgentType = "test.urgent"

func isUrgent(e eventstore.Recorded) bool { return e.Type == urgentType }

// A commit without an urgent event sends nothing to the database. An urgent one is handled at once, and
// with it what came before: one poll for both, two round trips and the handler's.
func TestLoneCommitWakesNobody(t *testing.T) {
	t.Parallel()
	var h hook
	w := newWorld(t, h.committed)
	var trips roundTrips
	config := feed.Config{Pool: tracedPool(t, w, &trips), Poll: never}
	h.to(w.run(t, config, feed.Group{Name: "g", Handle: recordAs("g"), Urgent: isUrgent}))
	pgtest.WaitFor(t, "the feed to listen", func() bool { return w.listeners(t) == 1 })
	w.add(t, 1, urgentType)
	w.wantEffects(t, "g", 1)
	pgtest.WaitFor(t, "the group to rest", func() bool { return config.Pool.Stat().AcquiredConns() == 0 })
	trips.taken()
	for n := int64(2); n <= 20; n += 2 {
		w.add(t, 1)
		w.add(t, 1, urgentType)
		w.wantEffects(t, "g", n+1)
		polls := 0
		for _, sent := range trips.taken() {
			if sent == "feed_begin + SELECT" || sent == "feed_begin + WITH" {
				polls++
			}
		}
		if polls != 1 {
			t.Errorf("%d polls for the events %d and %d, of which one is urgent", polls, n, n+1)
		}
	}
}

// An event that is not urgent is handled with the next tick.
func TestTickFindsWhatIsNotUrgent(t *testing.T) {
	t.Parallel()
	var h hook
	w := newWorld(t, h.committed)
	h.to(w.run(t, feed.Config{}, feed.Group{Name: "g", Handle: recordAs("g"), Urgent: feed.Nothing}))
	for n := int64(1); n <= 3; n++ {
		began := time.Now()
		w.add(t, 1)
		w.wantEffects(t, "g", n)
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("event %d was handled after %v", n, took)
		}
	}
}

// While the log grows, a group that is behind works in slices; without appends it takes full batches.
func TestSlicesWhileTheLogGrows(t *testing.T) {
	t.Parallel()
	const full, grows = 1000, 3 // grows: as long as these calls run
	w := newWorld(t, nil)
	for range 8 {
		w.add(t, full/2)
	}
	var mu sync.Mutex
	var sizes []int
	var f *feed.Feed
	ready := make(chan struct{})
	r := w.run(t, feed.Config{Poll: never}, feed.Group{Name: "g",
		Handle: func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
			<-ready
			mu.Lock()
			defer mu.Unlock()
			sizes = append(sizes, len(events))
			if len(sizes) <= grows {
				f.Committed(make([]eventstore.Recorded, 1)) // of which the group finds nothing in memory
			}
			// It takes the database more than ten milliseconds.
			if _, err := tx.Exec(ctx, `SELECT count(*) FROM generate_series(1, 100000)`); err != nil {
				return err
			}
			return record(ctx, tx, "g", events)
		}})
	f = r.Feed
	close(ready)
	w.wantEffects(t, "g", 4*full)
	mu.Lock()
	defer mu.Unlock()
	slice := func(n int) bool { return n < full/2 }
	if len(sizes) < grows+2 || sizes[0] != full || !slices.ContainsFunc(sizes[1:grows+1], slice) ||
		slices.ContainsFunc(sizes[2:grows+1], func(n int) bool { return !slice(n) }) || sizes[grows+1] != full {
		t.Errorf("batches of %v events, want one of %d, %d smaller ones, and %d again", sizes, full, grows, full)
	}
}
