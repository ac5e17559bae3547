//go:build long

package judge_test

import (
	"flag"
	"testing"
)

// judgedEvents is how long the log of a made-up run is. A run of half an hour has
// 600,000 and is judged in half a minute on two cores.
var judgedEvents = flag.Int("judged-events", 3_000, "events of a made-up run that is judged")

func TestLongARunIsJudged(t *testing.T) {
	t.Parallel()
	judgeMadeUp(t, *judgedEvents)
}
