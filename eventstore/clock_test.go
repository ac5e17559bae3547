package eventstore_test

import (
	"testing"
	"time"

	"daftar/eventstore"
)

// What is created later on a server has the later time, also when a new reading
// shows that the clock was a little fast.
func TestClockIsNotSetBackByALittle(t *testing.T) {
	t.Parallel()
	var c eventstore.Clock
	now := time.Now()
	c.Correct(now.Add(20*time.Millisecond), now, now)
	before := c.Now()
	c.Correct(now, now, now)
	for range 1000 {
		after := c.Now()
		if !after.After(before) {
			t.Fatalf("after %v the clock shows %v", before, after)
		}
		before = after
	}
	c.Correct(now.Add(-time.Hour), now, now)
	if shown := c.Now(); shown.After(now.Add(-59 * time.Minute)) {
		t.Errorf("the database's clock was set back by an hour, ours shows %v at %v", shown, now)
	}
}

// A database that is always far away still corrects the clock; an answer that was
// slow by chance does not undo a better one.
func TestClockCorrection(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	type reading struct {
		ago, trip time.Duration
		ahead     time.Duration // of the database before this machine, as it was read
	}
	for name, row := range map[string]struct {
		first, second reading
		want          time.Duration // how far the clock is ahead of this machine
	}{
		"far away, drifted": {reading{time.Hour, 80 * ms, 0},
			reading{0, 80 * ms, 500 * ms}, 500 * ms},
		"far away, stepped": {reading{0, 80 * ms, 0}, reading{0, 90 * ms, time.Hour}, time.Hour},
		"further away than before, long ago": {reading{time.Hour, 80 * ms, 0},
			reading{0, 300 * ms, 500 * ms}, 500 * ms},
		"slow by chance":                      {reading{0, ms, 0}, reading{0, 80 * ms, 39 * ms}, 0},
		"slow by chance, but proof of a step": {reading{0, ms, 0}, reading{0, 80 * ms, 300 * ms}, 300 * ms},
		"more exact":                          {reading{0, 80 * ms, 0}, reading{0, 2 * ms, 30 * ms}, 30 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var c eventstore.Clock
			now := time.Now()
			for _, r := range []reading{row.first, row.second} {
				middle := now.Add(-r.ago)
				c.Correct(middle.Add(r.ahead), middle.Add(-r.trip/2), middle.Add(r.trip/2))
			}
			got, later := c.WallTime(), time.Now()
			earliest, latest := now.Add(row.want-ms), later.Add(row.want+ms)
			if got.Before(earliest) || got.After(latest) {
				t.Errorf("the clock is %v ahead, want %v", got.Sub(now), row.want)
			}
		})
	}
}
