package feed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"daftar/eventstore"
)

// A message carries its events as PostgreSQL's record_send writes them, one
// after the other: the number of fields, then each field's type, length and
// bytes, in network order. The server joins them in one function call per event,
// no byte is escaped on the way, and here they are only split.

// frameFields are those of an event, in the order of selectSQL.
const frameFields = 8

// fieldSizes are those of the fields that have one size; 0: any.
var fieldSizes = [frameFields]int{0: 8, 1: 16, 2: 4, 4: 4, 7: 8}

const microsecondsPerSecond = 1_000_000

// postgresEpoch is 2000-01-01, from which timestamptz counts, in Unix seconds.
const postgresEpoch = 946_684_800

var errFrame = errors.New("feed: the message is not a sequence of events")

// event is one event with the bytes it was decoded from.
type event struct {
	eventstore.Recorded
	frame []byte
}

// decodeEvents decodes a message's payload. The events share its memory.
func decodeEvents(payload []byte) ([]event, error) {
	events := make([]event, 0, len(payload)/usualFrame+1)
	kind := ""
	for len(payload) > 0 {
		e, rest, err := decodeEvent(payload, kind)
		if err != nil {
			return nil, err
		}
		events, kind = append(events, e), e.Type
		payload = rest
	}
	return events, nil
}

// usualFrame is about the size of an event, for making room.
const usualFrame = 512

// decodeEvent cuts the first event off. Most have the type of the one before, whose
// string they share.
func decodeEvent(payload []byte, kind string) (event, []byte, error) {
	var fields [frameFields][]byte
	if len(payload) < 4 || binary.BigEndian.Uint32(payload) != frameFields {
		return event{}, nil, fmt.Errorf("%w: not %d fields", errFrame, frameFields)
	}
	rest := payload[4:]
	for n := range fields {
		if len(rest) < 8 {
			return event{}, nil, fmt.Errorf("%w: field %d is truncated", errFrame, n+1)
		}
		size := int64(int32(binary.BigEndian.Uint32(rest[4:])))
		rest = rest[8:]
		if size < 0 || size > int64(len(rest)) { // no column of the log is null
			return event{}, nil, fmt.Errorf("%w: field %d is null or truncated", errFrame, n+1)
		}
		fields[n], rest = rest[:size:size], rest[size:]
	}
	for n, size := range fieldSizes {
		if size > 0 && len(fields[n]) != size {
			return event{}, nil, fmt.Errorf("%w: field %d has %d bytes, want %d", errFrame, n+1, len(fields[n]), size)
		}
	}
	e := event{frame: payload[:len(payload)-len(rest)], Recorded: eventstore.Recorded{
		Position:      int64(binary.BigEndian.Uint64(fields[0])),
		Stream:        [16]byte(fields[1]),
		Version:       int(int32(binary.BigEndian.Uint32(fields[2]))),
		Type:          kind,
		SchemaVersion: int(int32(binary.BigEndian.Uint32(fields[4]))),
		Payload:       fields[5],
		Metadata:      fields[6],
	}}
	if string(fields[3]) != kind {
		e.Type = string(fields[3])
	}
	micros := int64(binary.BigEndian.Uint64(fields[7]))
	e.RecordedAt = time.Unix(postgresEpoch+micros/microsecondsPerSecond, micros%microsecondsPerSecond*1000).UTC()
	return e, rest, nil
}

// joinFrames makes a payload of events that lie next to each other in one.
func joinFrames(events []event) []byte {
	size := 0
	for _, e := range events {
		size += len(e.frame)
	}
	first := events[0].frame
	return first[:size:cap(first)][:size]
}
