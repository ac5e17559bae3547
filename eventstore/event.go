package eventstore

import (
	"bytes"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"daftar/internal/plaintext"
)

// Event is an event to be appended: a stable name, the version of the payload's
// schema, and the payload as JSON text.
type Event struct {
	Type          string
	SchemaVersion int
	Payload       []byte
}

// Metadata says where an event comes from. Empty fields are left out.
type Metadata struct {
	// Who caused it: application:U, payer, acquirer:NAME, user:U, operator:NAME or system:NAME.
	Actor string `json:"actor,omitempty"`
	// The request in which it was caused, as in X-Request-Id and in the log.
	RequestID string `json:"request_id,omitempty"`
	// Common to all events with one cause, where that is more than a request.
	CorrelationID string `json:"correlation_id,omitempty"`
	// The direct cause, where that is not a request.
	CausationID string `json:"causation_id,omitempty"`
	// Why a person caused it, in their own words.
	Note string `json:"note,omitempty"`
	// The person who said it first, where the actor confirmed what another one had proposed.
	ProposedBy string `json:"proposed_by,omitempty"`
	// The line of the acquirer's statement that shows it, where a comparison found one.
	Statement string `json:"statement,omitempty"`
	// The trace of the request, as W3C Trace Context has it, where traces are recorded.
	TraceParent string `json:"traceparent,omitempty"`
}

// Append asks for events at the end of one stream.
type Append struct {
	Stream uuid.UUID
	// Expected is the version that the stream must have, 0 for a new one.
	Expected int
	// Events to append. The Store owns their payloads from then on.
	Events   []Event
	Metadata Metadata
	// Row is what the inline read model shows once the events are written; nil if
	// the Store has none, or the stream is NotShown.
	Row Row
	// NotShown says that the inline read model is not about streams of this kind. Such an append shares
	// no batch with others.
	NotShown bool
	// Fence, unless 0, is the credential epoch that must be current when the
	// events are written. The error is ErrFenced if it is not.
	Fence int64
}

// Appended is the place of an append in its stream and in the log.
type Appended struct {
	Version  int   // of the stream, after the last event
	Position int64 // of the last event
}

// Recorded is an event as the log has it.
type Recorded struct {
	Position      int64
	Stream        uuid.UUID
	Version       int
	Type          string
	SchemaVersion int
	Payload       []byte
	Metadata      []byte
	RecordedAt    time.Time
}

// ByStream groups events by their streams; those of each stay in their order.
func ByStream(events []Recorded) map[uuid.UUID][]Recorded {
	streams := map[uuid.UUID][]Recorded{}
	for _, e := range events {
		streams[e.Stream] = append(streams[e.Stream], e)
	}
	return streams
}

// Stored returns what a reader of the event needs: its number in the stream and what was appended.
func (r Recorded) Stored() (version int, name string, schemaVersion int, payload []byte) {
	return r.Version, r.Type, r.SchemaVersion, r.Payload
}

// Equal reports whether two are the same event, to the byte, at the same position.
func (r Recorded) Equal(other Recorded) bool {
	return r.Position == other.Position &&
		r.Stream == other.Stream &&
		r.Version == other.Version &&
		r.Type == other.Type &&
		r.SchemaVersion == other.SchemaVersion &&
		r.RecordedAt.Equal(other.RecordedAt) &&
		bytes.Equal(r.Payload, other.Payload) &&
		bytes.Equal(r.Metadata, other.Metadata)
}

// Origin says where the event comes from, as its metadata has it.
func (r Recorded) Origin() (Metadata, error) {
	var m Metadata
	if err := json.Unmarshal(r.Metadata, &m); err != nil {
		return m, fmt.Errorf("read metadata at position %d: %w", r.Position, err)
	}
	return m, nil
}

// encoded is an append that was checked, in the form that the statement takes.
type encoded struct {
	Append
	metadata []byte
	bytes    int
}

// encode checks everything that PostgreSQL would refuse, so that a bad append
// fails alone, before it shares a transaction with others.
func encode(a Append) (encoded, error) {
	if len(a.Events) == 0 || len(a.Events) > maxBatchEvents {
		return encoded{}, fmt.Errorf("%w: %d events in one append, want 1 to %d",
			ErrInvalid, len(a.Events), maxBatchEvents)
	}
	if a.Expected < 0 {
		return encoded{}, fmt.Errorf("%w: expected version %d", ErrInvalid, a.Expected)
	}
	metadata, err := json.Marshal(a.Metadata, jsontext.EscapeForHTML(true), jsontext.EscapeForJS(true))
	if err != nil {
		return encoded{}, fmt.Errorf("%w: metadata: %w", ErrInvalid, err)
	}
	e := encoded{Append: a, metadata: metadata}
	if !plaintext.StorableBytes(e.metadata) {
		return encoded{}, fmt.Errorf("%w: metadata is not storable text", ErrInvalid)
	}
	for _, event := range a.Events {
		if event.Type == "" || !plaintext.Storable(event.Type) || !plaintext.StorableBytes(event.Payload) {
			return encoded{}, fmt.Errorf("%w: event %q is not storable text", ErrInvalid, event.Type)
		}
		e.bytes += len(event.Payload) + len(e.metadata) + len(event.Type)
	}
	return e, nil
}
