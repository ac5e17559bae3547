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

// wantAfter checks what the memory has after a position; more: later events are known.
func (r *recent) wantAfter(t *testing.T, after int64, limit int, more bool, positions ...int64) {
	t.Helper()
	var got []int64
	events, gotMore := r.after(after, limit)
	for _, e := range events {
		got = append(got, e.Position)
	}
	if !slices.Equal(got, positions) || gotMore != more {
		t.Errorf("after %d, at most %d: %v, more %v; want %v, more %v", after, limit, got, gotMore, positions, more)
	}
}

// wantServes checks for which offsets the memory has what follows.
func (r *recent) wantServes(t *testing.T, offset int64, limit int, from, to int64) {
	t.Helper()
	if gotFrom, gotTo := r.serves(offset, limit); gotFrom != from || gotTo != to {
		t.Errorf("from offset %d, batches of %d: offsets %d to %d; want %d to %d",
			offset, limit, gotFrom, gotTo, from, to)
	}
}

func TestMemoryHasAnEnd(t *testing.T) {
	t.Parallel()
	var m recent
	m.wantAfter(t, 0, 10, false)
	m.wantServes(t, 0, 10, 1, 0)
	m.keep(recorded(1, 5, 6, 7))
	m.wantAfter(t, 3, 10, true)
	m.wantAfter(t, 4, 10, false, 5, 6, 7)
	m.wantAfter(t, 4, 2, true, 5, 6)
	m.wantAfter(t, 6, 1, false, 7)
	m.wantAfter(t, 7, 10, false)
	m.keep(recorded(1, 8))
	m.wantAfter(t, 5, 10, false, 6, 7, 8)
	m.wantServes(t, 0, 10, 4, 7)
	m.wantServes(t, 6, 10, 6, 7)
	m.wantServes(t, 8, 10, 1, 0)
	// The oldest are dropped if the newest would not fit.
	m.keep(recorded(maxRecentBytes/2, 9))
	m.keep(recorded(maxRecentBytes/2-1000, 10))
	m.wantAfter(t, 7, 10, false, 8, 9, 10)
	m.keep(recorded(500, 11))
	m.wantAfter(t, 7, 10, true)
	m.wantAfter(t, 9, 1, true, 10)
	m.keep(recorded(maxRecentBytes, 12)) // larger than the memory: nothing else is kept
	m.wantAfter(t, 10, 10, true)
	m.wantAfter(t, 11, 10, false, 12)
	m.keep(recorded(1, 13))
	m.wantAfter(t, 12, 10, false, 13)
	if m.bytes != (chunk)(recorded(1, 13)).size() {
		t.Errorf("%d bytes are counted for one event", m.bytes)
	}
}

// What another server has committed is missing until a group reads it.
func TestMemoryIsFilledByWhatGroupsRead(t *testing.T) {
	t.Parallel()
	var m recent
	m.keep(recorded(1, 5, 6))
	m.keep(recorded(1, 9, 10))
	m.keep(recorded(1, 13))
	m.wantAfter(t, 4, 10, true, 5, 6)
	m.wantServes(t, 0, 10, 12, 12) // two events are not half a batch
	m.wantServes(t, 0, 2, 12, 12)  // and the latest of equal ranges is taken
	m.wantServes(t, 0, 1, 8, 9)
	m.fill(recorded(1, 6, 7, 8, 9))
	m.wantAfter(t, 4, 10, true, 5, 6, 7, 8, 9, 10)
	m.wantAfter(t, 6, 2, true, 7, 8)
	m.wantServes(t, 0, 4, 4, 7)
	m.wantServes(t, 6, 4, 6, 7)
	m.keep(recorded(1, 10)) // a group has read it before this server got the answer
	m.fill(recorded(1, 3, 4, 5))
	m.fill(recorded(1, 10, 11, 12, 13, 14))
	m.wantAfter(t, 2, 20, false, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)
	m.wantServes(t, 0, 4, 2, 13)
	if want := (chunk)(recorded(1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)).size(); m.bytes != want {
		t.Errorf("%d bytes are counted, want %d", m.bytes, want)
	}
	if got := m.count(); got != 6 {
		t.Errorf("this server has committed %d events, want 6", got)
	}
}

// After a promotion that lost events, others have their positions: nothing from before is kept.
func TestMemoryOfALostTailIsDropped(t *testing.T) {
	t.Parallel()
	var m recent
	m.keep(recorded(1, 5, 6, 7))
	other := recorded(1, 7, 8)
	other[0].Stream[0] = 1
	m.fill(other)
	m.wantAfter(t, 4, 10, true)
	m.wantAfter(t, 6, 10, false, 7, 8)
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
