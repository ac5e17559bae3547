//go:build long

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
)

const fillSQL = `
INSERT INTO events
SELECT n, gen_random_uuid(), 1, 'intent.created', 1, repeat('{"amount":5000}', 20),
       '{"actor":"application:x"}', now()
FROM generate_series(1, 200000) n`

// A batch out of a long backlog takes as long as one out of a short one.
// Not parallel: it measures.
func TestLongBacklogDrainsLinearly(t *testing.T) {
	w := newWorld(t, nil)
	w.execute(t, fillSQL)
	var mu sync.Mutex
	var at []time.Time
	w.run(t, feed.Config{}, feed.Group{Name: "g",
		Handle: func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
			mu.Lock()
			at = append(at, time.Now())
			mu.Unlock()
			return record(ctx, tx, "g", events)
		}})
	w.wantEffects(t, "g", 200_000)
	mu.Lock()
	defer mu.Unlock()
	if len(at) != 200 {
		t.Fatalf("%d batches, want 200", len(at))
	}
	// Quartiles, because other processes use the processors too.
	took := func(at []time.Time) time.Duration {
		var all []time.Duration
		for n := range at[1:] {
			all = append(all, at[n+1].Sub(at[n]))
		}
		slices.Sort(all)
		return all[len(all)/4]
	}
	early, late := took(at[:100]), took(at[100:])
	t.Logf("a batch of 1000 takes %v early and %v late", early, late)
	// If the time depended on the whole backlog, the quartiles would be five times apart.
	if late > early*5/2 || early > late*5/2 {
		t.Errorf("a batch takes %v in the first half of the backlog and %v in the second", early, late)
	}
}

// These are tests of the fast suite at their full size.

func TestLongEffectsHappenOnce(t *testing.T) {
	t.Parallel()
	effectsHappenOnce(t, 100)
}

func TestLongReleasedEventsAreHandledOnce(t *testing.T) {
	t.Parallel()
	releasedAreHandledOnce(t, 100)
}

func TestLongTwoServersWithMemory(t *testing.T) {
	t.Parallel()
	twoServersWithMemory(t, 1000)
}
