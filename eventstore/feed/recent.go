package feed

import (
	"slices"
	"sync"

	"daftar/eventstore"
)

// maxRecentBytes bounds the end of the log that a server keeps in memory. A
// group that is further behind reads from the database.
const maxRecentBytes = maxBatchBytes

// recent is the end of the log as this server wrote it. It has only committed events, and no
// gap: once another server has written in between, the earlier events are dropped.
type recent struct {
	mu     sync.Mutex
	events []eventstore.Recorded
	bytes  int
	total  int // events, ever
}

// eventStruct is about how many bytes an event takes in memory without payload and metadata.
const eventStruct = 128

func sizeOf(e eventstore.Recorded) int { return eventStruct + len(e.Payload) + len(e.Metadata) }

// keep adds events that have just been committed, and drops the oldest beyond the
// bound.
func (r *recent) keep(events []eventstore.Recorded) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range events {
		if n := len(r.events); n > 0 && r.events[n-1].Position+1 != e.Position {
			r.events, r.bytes = nil, 0
		}
		r.events = append(r.events, e)
		r.bytes += sizeOf(e)
	}
	r.total += len(events)
	drop := 0
	for ; r.bytes > maxRecentBytes; drop++ {
		r.bytes -= sizeOf(r.events[drop])
	}
	r.events = r.events[drop:]
}

// count is how many events this server has committed.
func (r *recent) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.total
}

// after returns the events that follow a position, up to limit of them; none if
// they are not kept. more reports whether further events follow in memory. The bytes are
// shared and must not be changed.
func (r *recent) after(position int64, limit int) (events []eventstore.Recorded, more bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.events) == 0 || position+1 < r.events[0].Position {
		return nil, false
	}
	from := min(position+1-r.events[0].Position, int64(len(r.events)))
	following := r.events[from:]
	return slices.Clone(following[:min(limit, len(following))]), len(following) > limit
}
