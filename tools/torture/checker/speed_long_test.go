//go:build long

package checker_test

import (
	"flag"
	"testing"
)

// checkedEvents is how long the log of a made-up run is. A run of half an hour has
// 600,000 and is checked in half a minute on two cores.
var checkedEvents = flag.Int("checked-events", 3_000, "events of a made-up run that is checked")

func TestLongARunIsChecked(t *testing.T) {
	t.Parallel()
	checkMadeUp(t, *checkedEvents)
}
