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
			t.Fatalf("after %v the clock tells %v", before, after)
		}
		before = after
	}
	c.Correct(now.Add(-time.Hour), now, now)
	if told := c.Now(); told.After(now.Add(-59 * time.Minute)) {
		t.Errorf("the database's clock was set back by an hour, ours tells %v at %v", told, now)
	}
}
