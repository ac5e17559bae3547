package pgtest

import (
	"testing"
	"time"
)

// waitLimit is longer than anything takes, also on a busy machine.
const waitLimit = time.Minute

const (
	shortPause = 2 * time.Millisecond
	longPause  = 200 * time.Millisecond
)

// WaitFor looks until something is so. The test fails where that takes longer
// than anything may.
func WaitFor(t testing.TB, what string, so func() bool) {
	t.Helper()
	limit := time.After(waitLimit)
	for {
		began := time.Now()
		if so() {
			return
		}
		// The pause leaves the processor to what is waited for: a look that runs a command takes
		// as much of it as a server that answers a hundred requests.
		pause := min(max(4*time.Since(began), shortPause), longPause)
		select {
		case <-time.After(pause):
		case <-limit:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
