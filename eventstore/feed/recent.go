package feed

import (
	"slices"
	"sort"
	"sync"

	"daftar/eventstore"
)

// maxRecentBytes bounds what a server keeps of the end of the log in memory. A
// group that is further behind reads from the database.
const maxRecentBytes = 2 * maxBatchBytes

// recent is what this server knows of the end of the log: the events that it committed, and those that
// one of its groups has read, so that the others need not read them, too. It has only committed events, and
// those that all groups have handled are dropped at the next tick.
type recent struct {
	mu     sync.Mutex
	chunks []chunk // in the order of their positions; some events between them may be missing
	bytes  int
	total  int // events that this server has committed, ever
}

// chunk is one or more events without a gap. It is not changed.
type chunk []eventstore.Recorded

func (c chunk) first() int64 { return c[0].Position }
func (c chunk) last() int64  { return c[len(c)-1].Position }

// after are the events that follow a position.
func (c chunk) after(position int64) chunk {
	return c[min(max(position+1-c.first(), 0), int64(len(c))):]
}

// upTo are the events up to a position.
func (c chunk) upTo(position int64) chunk {
	return c[:min(max(position+1-c.first(), 0), int64(len(c)))]
}

// size is about how many bytes the events take in memory.
func (c chunk) size() (bytes int) {
	for _, e := range c {
		bytes += eventStruct + len(e.Payload) + len(e.Metadata)
	}
	return bytes
}

// eventStruct is about how many bytes an event takes in memory without payload and metadata.
const eventStruct = 128

// keep adds events that this server has just committed.
func (r *recent) keep(events []eventstore.Recorded) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.total += len(events)
	from := 0
	for n := 1; n <= len(events); n++ {
		if n == len(events) || events[n].Position != events[n-1].Position+1 {
			r.add(events[from:n])
			from = n
		}
	}
}

// fill adds events that a group has read from the log, without a gap.
func (r *recent) fill(events []eventstore.Recorded) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(events)
}

// add replaces what is known of the same positions, and drops the oldest events beyond the bound.
func (r *recent) add(c chunk) {
	from := r.search(c.first())
	to := from + sort.Search(len(r.chunks)-from, func(n int) bool { return r.chunks[from+n].first() > c.last() })
	parts := []chunk{c}
	for _, known := range r.chunks[from:to] {
		same := known.after(c.first() - 1).upTo(c.last())
		if counterpart := c[same.first()-c.first()]; same[0].Stream != counterpart.Stream ||
			same[0].Version != counterpart.Version {
			// A promotion has lost events, and others have their positions now.
			r.chunks, r.bytes = []chunk{c}, c.size()
			return
		}
		r.bytes -= same.size()
		if left := known.upTo(c.first() - 1); len(left) > 0 {
			parts = append([]chunk{left}, parts...)
		}
		if right := known.after(c.last()); len(right) > 0 {
			parts = append(parts, right)
		}
	}
	r.chunks = slices.Replace(r.chunks, from, to, parts...)
	r.bytes += c.size()
	for r.bytes > maxRecentBytes && len(r.chunks) > 1 {
		r.drop(1)
	}
}

// forget drops what lies up to a position.
func (r *recent) forget(position int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop(r.search(position + 1))
}

// drop removes the oldest chunks.
func (r *recent) drop(n int) {
	for _, c := range r.chunks[:n] {
		r.bytes -= c.size()
	}
	r.chunks = slices.Delete(r.chunks, 0, n)
}

// search is the place of the first chunk that ends at a position or after it.
func (r *recent) search(position int64) int {
	return sort.Search(len(r.chunks), func(n int) bool { return r.chunks[n].last() >= position })
}

// count is how many events this server has committed.
func (r *recent) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.total
}

// serves returns the range of offsets, not below the given one, for which a batch can be taken from
// memory: the longest where there are several, and an empty one where there is none. Of a range that ends
// where events are missing, only offsets count that are followed by half a batch at least: others are
// better read from the log, in one batch with what is missing.
func (r *recent) serves(offset int64, limit int) (from, to int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	from, to = 1, 0
	for n := r.search(offset + 1); n < len(r.chunks); n++ {
		first := max(r.chunks[n].first()-1, offset)
		for n+1 < len(r.chunks) && r.chunks[n+1].first() == r.chunks[n].last()+1 {
			n++
		}
		last := r.chunks[n].last() - 1
		if n+1 < len(r.chunks) {
			last -= int64(limit / 2)
		}
		if last-first >= to-from {
			from, to = first, last
		}
	}
	return from, to
}

// after returns the events that follow a position, up to limit of them and up to the first that is
// missing; none if they are not kept. more reports whether later events are known. The bytes are
// shared and must not be changed.
func (r *recent) after(position int64, limit int) (events []eventstore.Recorded, more bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.chunks[r.search(position+1):] {
		if c.first() > position+1 || len(events) == limit {
			return events, true
		}
		following := c.after(position)
		events = append(events, following[:min(len(following), limit-len(events))]...)
		position = events[len(events)-1].Position
		more = position < c.last()
	}
	return events, more
}
