package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"

	"daftar/eventstore"
)

// line has the columns of the table. Payload and metadata are text in a string, so
// that no reader of JSON can change the bytes that proofs are over.
type line struct {
	Position      int64     `json:"position"`
	Stream        uuid.UUID `json:"stream_id"`
	Version       int       `json:"version"`
	Type          string    `json:"type"`
	SchemaVersion int       `json:"schema_version"`
	Payload       string    `json:"payload"`
	Metadata      string    `json:"metadata"`
	RecordedAt    time.Time `json:"recorded_at"`
}

// Lines writes events as lines of JSON.
type Lines struct{ to *json.Encoder }

// NewLines writes to w.
func NewLines(w io.Writer) Lines {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return Lines{to: e}
}

// Write writes one event. The error is the writer's.
func (l Lines) Write(e eventstore.Recorded) error {
	return l.to.Encode(line{
		Position: e.Position, Stream: e.Stream, Version: e.Version,
		Type: e.Type, SchemaVersion: e.SchemaVersion, Payload: string(e.Payload),
		Metadata: string(e.Metadata), RecordedAt: e.RecordedAt,
	})
}

// Line is what Lines writes of an event, without the line's end.
func Line(e eventstore.Recorded) ([]byte, error) {
	var b bytes.Buffer
	if err := NewLines(&b).Write(e); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Parse reads what Line wrote.
func Parse(text []byte) (eventstore.Recorded, error) {
	var l line
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return eventstore.Recorded{}, fmt.Errorf("read event: %w", err)
	}
	return eventstore.Recorded{
		Position: l.Position, Stream: l.Stream, Version: l.Version,
		Type: l.Type, SchemaVersion: l.SchemaVersion, Payload: []byte(l.Payload),
		Metadata: []byte(l.Metadata), RecordedAt: l.RecordedAt.UTC(),
	}, nil
}
