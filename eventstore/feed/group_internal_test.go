package feed

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"daftar/eventstore"
)

// recorded are events at the given positions with payloads of one size.
func recorded(size int, positions ...int64) []eventstore.Recorded {
	events := make([]eventstore.Recorded, len(positions))
	for n, p := range positions {
		events[n] = eventstore.Recorded{Position: p, Type: "t", Payload: bytes.Repeat([]byte("x"), size),
			Metadata: []byte("{}")}
	}
	return events
}

func TestMemoryHasNoGapAndAnEnd(t *testing.T) {
	t.Parallel()
	var m recent
	want := func(after int64, limit int, more bool, positions ...int64) {
		t.Helper()
		var got []int64
		events, gotMore := m.after(after, limit)
		for _, e := range events {
			got = append(got, e.Position)
		}
		if !slices.Equal(got, positions) || gotMore != more {
			t.Errorf("after %d, at most %d: %v, more %v; want %v, more %v",
				after, limit, got, gotMore, positions, more)
		}
	}
	want(0, 10, false)
	m.keep(recorded(1, 5, 6, 7))
	want(3, 10, false)
	want(4, 10, false, 5, 6, 7)
	want(4, 2, true, 5, 6)
	want(6, 1, false, 7)
	want(7, 10, false)
	m.keep(recorded(1, 8))
	want(5, 10, false, 6, 7, 8)
	// Another server wrote 9.
	m.keep(recorded(1, 10, 11))
	want(7, 10, false)
	want(8, 10, false)
	want(9, 10, false, 10, 11)
	// The oldest are dropped if the newest would not fit.
	m.keep(recorded(maxRecentBytes/2, 12))
	want(9, 10, false, 10, 11, 12)
	m.keep(recorded(maxRecentBytes/2-1000, 13))
	want(9, 10, false, 10, 11, 12, 13)
	m.keep(recorded(500, 14))
	want(9, 10, false)
	want(12, 1, true, 13)
	want(11, 10, false, 12, 13, 14)
	m.keep(recorded(maxRecentBytes, 15)) // larger than the memory
	want(14, 10, false)
	want(15, 10, false)
	m.keep(recorded(1, 16))
	want(15, 10, false, 16)
}

// The time between two polls, after a poll before which so many events had come.
func TestInterval(t *testing.T) {
	t.Parallel()
	const gap = 10 * time.Millisecond
	prompt, stale := Group{Name: "p"}, Group{Name: "s", Staleness: time.Second}
	for _, c := range []struct {
		g     Group
		found int
		want  time.Duration
	}{
		{prompt, 0, gap}, {prompt, 1, gap}, {prompt, 10, gap}, {prompt, 11, 4 * gap}, {prompt, 1000, 4 * gap},
		{stale, 0, gap}, {stale, 1, time.Second}, {stale, 11, time.Second}, {stale, 1000, time.Second},
	} {
		c.g.Share = 100
		g := &group{Group: c.g, config: Config{Gap: gap}, polledAt: time.Now()}
		if got := g.interval(c.found); got != c.want {
			t.Errorf("group %s, %d events: %v, want %v", c.g.Name, c.found, got, c.want)
		}
	}
}
