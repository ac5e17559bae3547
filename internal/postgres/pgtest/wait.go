package pgtest

import (
	"testing"
	"time"
)

// waitLimit is longer than anything takes, also on a busy machine.
const waitLimit = time.Minute

// WaitFor looks until something is so. The test fails where that takes longer
// than anything may.
func WaitFor(t testing.TB, what string, so func() bool) {
	t.Helper()
	// A pause between two looks leaves the processor to what is waited for.
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(waitLimit)
	for !so() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
