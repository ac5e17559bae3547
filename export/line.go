package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"daftar/eventstore"
)

// Line is an event as the exports write it. It has the columns of the table. Payload and
// metadata are text in a string, so that no reader of JSON can change the bytes that proofs are
// over.
type Line struct {
	Position      int64     `json:"position"`
	Stream        uuid.UUID `json:"stream_id"`
	Version       int       `json:"version"`
	Type          string    `json:"type"`
	SchemaVersion int       `json:"schema_version"`
	Payload       string    `json:"payload"`
	Metadata      string    `json:"metadata"`
	RecordedAt    time.Time `json:"recorded_at"`
}

// NewLine is an event as a line.
func NewLine(e eventstore.Recorded) Line {
	return Line{
		Position: e.Position, Stream: e.Stream, Version: e.Version,
		Type: e.Type, SchemaVersion: e.SchemaVersion, Payload: string(e.Payload),
		Metadata: string(e.Metadata), RecordedAt: e.RecordedAt,
	}
}

// Text is the line as JSON, without an end of line.
func (l Line) Text() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(l)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Parse reads the text of a line.
func Parse(text []byte) (eventstore.Recorded, error) {
	var l Line
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
