package domain

import (
	"fmt"
	"slices"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// StoredEvent is an event in the form that the ledger keeps for ever.
type StoredEvent struct {
	Type          string
	SchemaVersion int
	Payload       []byte // JSON text, exactly as stored
}

// The stored fields of each event and version are next to the event. A field never changes its
// name, type or meaning; a new version is another struct, which converts itself to the current
// event, with a row in forms and a golden file. The comments of the fields are the catalogue of
// events, docs/events.md, which go generate ./docs writes.

// Form is a form in which events of a set are or were stored.
type Form[E any] struct {
	Name    string
	Version int
	Read    func(StoredEvent) (E, error)
}

// Forms are all forms in which the events of a set are read.
type Forms[E any] []Form[E]

type form = Form[Event]

var forms = Forms[Event](slices.Concat(lifeForms, moneyForms))

// EncodeEvent returns the bytes to store. They are never encoded again from the decoded
// event: proofs are over the bytes that were written.
func EncodeEvent(e Event) (StoredEvent, error) { return Store(e.stored()) }

// Store is EncodeEvent of the fields of an event, of whichever set it is.
func Store(name string, version int, fields any) (StoredEvent, error) {
	payload, err := jsonv2.Marshal(fields, escapes)
	if err != nil {
		return StoredEvent{}, fmt.Errorf("encode %s: %w", name, err)
	}
	return StoredEvent{Type: name, SchemaVersion: version, Payload: payload}, nil
}

// escapes are the characters that the ledger's texts write as \u: those that JSON
// requires, and the two line separators, as the first encoder did.
var escapes = jsontext.EscapeForJS(true)

// DecodeEvent reads a stored event, of any version ever written. The error is
// ErrUnknownEvent where the name or version is not known to this program.
func DecodeEvent(s StoredEvent) (Event, error) { return forms.Decode(s) }

// Decode is DecodeEvent for the events of a set.
func (f Forms[E]) Decode(s StoredEvent) (e E, err error) {
	if n := f.index(s); n >= 0 {
		return f[n].Read(s)
	}
	return e, fmt.Errorf("decode %s version %d: %w", s.Type, s.SchemaVersion, ErrUnknownEvent)
}

// index is that of the event's form; negative: it is unknown.
func (f Forms[E]) index(s StoredEvent) int {
	return slices.IndexFunc(f, func(f Form[E]) bool { return f.Version == s.SchemaVersion && f.Name == s.Type })
}

// OccurredAt reads only the time at which the event was decided, which every stored event has
// under the same name. It costs a fraction of DecodeEvent.
func (s StoredEvent) OccurredAt() (time.Time, error) {
	var f struct {
		At time.Time `json:"at"`
	}
	if err := jsonv2.Unmarshal(s.Payload, &f); err != nil {
		return time.Time{}, fmt.Errorf("read time of %s: %w", s.Type, err)
	}
	return f.At, nil
}

// ExpiresAt reads only the time until which a payment may begin, which every version of a
// created event has under the same name. It costs a fraction of DecodeEvent.
func (s StoredEvent) ExpiresAt() (time.Time, error) {
	if s.Type != TypeCreated || forms.index(s) < 0 {
		return time.Time{}, fmt.Errorf("read time of %s version %d: %w", s.Type, s.SchemaVersion, ErrUnknownEvent)
	}
	var f struct {
		At time.Time `json:"expires_at"`
	}
	if err := jsonv2.Unmarshal(s.Payload, &f); err != nil {
		return time.Time{}, fmt.Errorf("read time of %s: %w", s.Type, err)
	}
	return f.At, nil
}

func read[F interface{ event() (Event, error) }](s StoredEvent) (Event, error) {
	f, err := Fields[F](s)
	if err == nil {
		var e Event
		if e, err = f.event(); err == nil {
			return e, nil
		}
	}
	return nil, fmt.Errorf("decode %s: %w", s.Type, err)
}

// Fields reads the stored fields of an event. It is strict: a field that this version does not
// have means that the bytes were not written by Store.
func Fields[F any](s StoredEvent) (f F, err error) {
	err = jsonv2.Unmarshal(s.Payload, &f, jsonv2.RejectUnknownMembers(true))
	return f, err
}
