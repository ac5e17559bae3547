package feed

import (
	"encoding/binary"
	"slices"
	"sync"
	"time"

	"daftar/eventstore"
)

// What a server caches of the end of the log for its groups: blocks of at least
// blockBytes. A group that is further behind reads from the database.
const (
	blockBytes = 1 << 20
	maxBlocks  = 8
)

// recent is the end of the log as this server wrote it, in the form in which
// messages carry events. It holds nothing but what is committed, and has no gap:
// what another server wrote in between ends what was kept before.
type recent struct {
	mu     sync.Mutex
	blocks []*block
}

// block is a run of events. It is append-only: readers share its bytes while more
// are appended.
type block struct {
	first  int64
	frames []byte
	ends   []int // of each event's frame
}

func (b *block) next() int64 { return b.first + int64(len(b.ends)) }

// before is where the frame of an event begins.
func (b *block) before(position int64) int {
	if position == b.first {
		return 0
	}
	return b.ends[position-b.first-1]
}

// keep adds events that have just been committed.
func (r *recent) keep(events []eventstore.Recorded) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range events {
		b := r.blockFor(e.Position, frameSize(e))
		b.frames = appendFrame(b.frames, e)
		b.ends = append(b.ends, len(b.frames))
	}
}

// blockFor is the block that the event at a position goes to.
func (r *recent) blockFor(position int64, size int) *block {
	if n := len(r.blocks); n > 0 {
		last := r.blocks[n-1]
		if last.next() != position {
			r.blocks = nil
		} else if len(last.frames)+size <= cap(last.frames) {
			return last
		}
	}
	if len(r.blocks) == maxBlocks {
		r.blocks = slices.Delete(r.blocks, 0, 1)
	}
	b := &block{first: position, frames: make([]byte, 0, max(size, blockBytes))}
	r.blocks = append(r.blocks, b)
	return b
}

// after gives the frames of the events that follow a position, as many as lie in
// one block and within limit; none where they are not cached. more says that
// others follow them here. The bytes are shared and must not be changed.
func (r *recent) after(position int64, limit int) (frames []byte, last int64, more bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	wanted := position + 1
	for n, b := range r.blocks {
		if wanted < b.first || wanted >= b.next() {
			continue
		}
		last = min(b.next()-1, position+int64(limit))
		to := b.ends[last-b.first]
		return b.frames[b.before(wanted):to:to], last, last < b.next()-1 || n < len(r.blocks)-1
	}
	return nil, position, false
}

// The columns of the log as record_send names them, by the numbers of their types
// in PostgreSQL's catalogue.
const (
	typeInt4        = 23
	typeInt8        = 20
	typeText        = 25
	typeTimestamptz = 1184
	typeUUID        = 2950
)

const fixedFrame = 4 + frameFields*8 + 8 + 16 + 4 + 4 + 8

func frameSize(e eventstore.Recorded) int {
	return fixedFrame + len(e.Type) + len(e.Payload) + len(e.Metadata)
}

// appendFrame writes an event as selectSQL would read it.
func appendFrame(b []byte, e eventstore.Recorded) []byte {
	order := binary.BigEndian
	field := func(oid uint32, size int) { b = order.AppendUint32(order.AppendUint32(b, oid), uint32(size)) }
	b = order.AppendUint32(b, frameFields)
	field(typeInt8, 8)
	b = order.AppendUint64(b, uint64(e.Position))
	field(typeUUID, 16)
	b = append(b, e.Stream[:]...)
	field(typeInt4, 4)
	b = order.AppendUint32(b, uint32(int32(e.Version)))
	field(typeText, len(e.Type))
	b = append(b, e.Type...)
	field(typeInt4, 4)
	b = order.AppendUint32(b, uint32(int32(e.SchemaVersion)))
	field(typeText, len(e.Payload))
	b = append(b, e.Payload...)
	field(typeText, len(e.Metadata))
	b = append(b, e.Metadata...)
	field(typeTimestamptz, 8)
	return order.AppendUint64(b, uint64(e.RecordedAt.UnixMicro()-postgresEpoch*int64(time.Second/time.Microsecond)))
}
