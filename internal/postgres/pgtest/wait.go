package pgtest

import (
	"testing"
	"time"
)

// waitLimit is longer than any condition takes, also on a busy machine.
const waitLimit = time.Minute

const (
	shortPause = 2 * time.Millisecond
	longPause  = 200 * time.Millisecond
)

// WaitFor polls until so returns true. The test fails after waitLimit.
func WaitFor(t testing.TB, what string, so func() bool) {
	t.Helper()
	limit := time.After(waitLimit)
	for {
		began := time.Now()
		if so() {
			return
		}
		// The pause leaves the processor to what is waited for: a check that runs a command takes
		// as much of it as a server that answers a hundred requests.
		pause := min(max(4*time.Since(began), shortPause), longPause)
		select {
		case <-time.After(pause):
		case <-limit:
			t.Fatalf("waited %s for %s", waitLimit, what)
		}
	}
}
