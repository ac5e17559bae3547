package domain

import "fmt"

// Record is an event as a log keeps it.
type Record interface {
	// Stored returns the event's number in its stream, from 1, and the fields of StoredEvent.
	Stored() (version int, name string, schemaVersion int, payload []byte)
}

// Decode reads the event that a record holds. The error is ErrUnknownEvent where this program
// does not know its name or version.
func Decode[R Record](r R) (Event, error) {
	version, name, schema, payload := r.Stored()
	e, err := DecodeEvent(StoredEvent{Type: name, SchemaVersion: schema, Payload: payload})
	if err != nil {
		return nil, fmt.Errorf("version %d: %w", version, err)
	}
	return e, nil
}

// Replay folds a stream's events, in the order of their versions, into the state they add up to.
// The error is ErrUnknownEvent, or says that a version is missing.
func Replay[R Record](id IntentID, stream []R) (Intent, error) {
	i := Blank(id)
	for _, r := range stream {
		if version, _, _, _ := r.Stored(); version != i.Version+1 {
			return Intent{}, fmt.Errorf("replay intent %s: version %d follows %d", id, version, i.Version)
		}
		e, err := Decode(r)
		if err != nil {
			return Intent{}, fmt.Errorf("replay intent %s: %w", id, err)
		}
		i = Evolve(i, e)
	}
	return i, nil
}
