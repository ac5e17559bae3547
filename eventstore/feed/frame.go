package feed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"daftar/eventstore"
)

// A batch from the log carries its events as PostgreSQL's record_send writes them, one
// after the other: the number of fields, then each field's type, length and
// bytes, in network order. The server encodes an event in one function call,
// no byte is escaped, and the decoder only splits them.

// frameFields is how many fields an event has, in the order of selectSQL.
const frameFields = 8

// fieldSizes are the sizes of the fields in bytes; 0: any size.
var fieldSizes = [frameFields]int{0: 8, 1: 16, 2: 4, 4: 4, 7: 8}

// postgresEpoch is 2000-01-01, from which timestamptz counts, in Unix microseconds.
const postgresEpoch = 946_684_800_000_000

var errFrame = errors.New("feed: the batch is not a sequence of events")

// usualFrame is about the size of an event in bytes, to allocate space.
const usualFrame = 512

// decodeEvents decodes what selectSQL read. The events share its memory.
func decodeEvents(frames []byte) ([]eventstore.Recorded, error) {
	events := make([]eventstore.Recorded, 0, len(frames)/usualFrame+1)
	kind := ""
	for len(frames) > 0 {
		e, rest, err := decodeEvent(frames, kind)
		if err != nil {
			return nil, err
		}
		events, kind, frames = append(events, e), e.Type, rest
	}
	return events, nil
}

// decodeEvent decodes the first event and returns the rest. Most events have the type of the
// one before, kind, and share its string.
func decodeEvent(frames []byte, kind string) (e eventstore.Recorded, rest []byte, err error) {
	var fields [frameFields][]byte
	if len(frames) < 4 || binary.BigEndian.Uint32(frames) != frameFields {
		return e, nil, fmt.Errorf("%w: not %d fields", errFrame, frameFields)
	}
	rest = frames[4:]
	for n, want := range fieldSizes {
		if len(rest) < 8 {
			return e, nil, fmt.Errorf("%w: field %d is truncated", errFrame, n+1)
		}
		size := int64(int32(binary.BigEndian.Uint32(rest[4:])))
		rest = rest[8:]
		// The size of null is -1; no column of the log is null.
		if size < 0 || size > int64(len(rest)) || want > 0 && size != int64(want) {
			return e, nil, fmt.Errorf("%w: field %d has %d bytes of %d", errFrame, n+1, size, len(rest))
		}
		fields[n], rest = rest[:size:size], rest[size:]
	}
	if string(fields[3]) != kind {
		kind = string(fields[3])
	}
	return eventstore.Recorded{
		Position:      int64(binary.BigEndian.Uint64(fields[0])),
		Stream:        [16]byte(fields[1]),
		Version:       int(int32(binary.BigEndian.Uint32(fields[2]))),
		Type:          kind,
		SchemaVersion: int(int32(binary.BigEndian.Uint32(fields[4]))),
		Payload:       fields[5],
		Metadata:      fields[6],
		RecordedAt:    time.UnixMicro(postgresEpoch + int64(binary.BigEndian.Uint64(fields[7]))).UTC(),
	}, rest, nil
}
