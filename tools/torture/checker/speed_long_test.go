//go:build long

package checker_test

import (
	"flag"
	"testing"
)

// checkedEvents is the number of events of the invented run. A real run of half an hour has
// 600,000, which takes half a minute on two cores.
var checkedEvents = flag.Int("checked-events", 3_000, "events of a made-up run that is checked")

func TestLongARunIsChecked(t *testing.T) {
	t.Parallel()
	checkInvented(t, *checkedEvents)
}
