//go:build long

package eventstore_test

import (
	"testing"
	"time"

	"daftar/eventstore"
)

// These are tests of the fast suite at their full size.

func TestLongDatabaseKilledAndBack(t *testing.T) {
	t.Parallel()
	databaseKilledAndBack(t, 3)
}

// Not parallel: it measures.
func TestLongHistoryIsAnIndexLookup(t *testing.T) {
	db := historyIsAnIndexLookup(t, 40_000)
	reader := eventstore.NewReader(db.Pool(t))
	best := time.Hour
	for range 20 {
		began := time.Now()
		events, err := reader.ReadStream(t.Context(), firstStream)
		if err != nil || len(events) != 2 {
			t.Fatalf("%d events, %v", len(events), err)
		}
		best = min(best, time.Since(began))
	}
	if best > 10*time.Millisecond {
		t.Errorf("the history of one intent took %v at best, want 10 ms at most", best)
	}
}
