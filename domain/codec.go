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

// form is a form in which events are or were stored.
type form struct {
	name    string
	version int
	read    func(StoredEvent) (Event, error)
}

var forms = slices.Concat(lifeForms, moneyForms)

// EncodeEvent returns the bytes to store. They are never encoded again from the decoded
// event: proofs are over the bytes that were written.
func EncodeEvent(e Event) (StoredEvent, error) {
	name, version, fields := e.stored()
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
func DecodeEvent(s StoredEvent) (Event, error) {
	if n := s.form(); n >= 0 {
		return forms[n].read(s)
	}
	return nil, fmt.Errorf("decode %s version %d: %w", s.Type, s.SchemaVersion, ErrUnknownEvent)
}

// form is the index of the event's form in forms; negative: it is unknown.
func (s StoredEvent) form() int {
	return slices.IndexFunc(forms, func(f form) bool { return f.version == s.SchemaVersion && f.name == s.Type })
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
	if s.Type != TypeCreated || s.form() < 0 {
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

// read is strict: a field that this version does not have means that the bytes
// were not written by EncodeEvent.
func read[F interface{ event() (Event, error) }](s StoredEvent) (Event, error) {
	var f F
	err := jsonv2.Unmarshal(s.Payload, &f, jsonv2.RejectUnknownMembers(true))
	if err == nil {
		var e Event
		if e, err = f.event(); err == nil {
			return e, nil
		}
	}
	return nil, fmt.Errorf("decode %s: %w", s.Type, err)
}
