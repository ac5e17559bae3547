package domain

import (
	"bytes"
	"errors"
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Metadata are the key-value pairs that a merchant attached to an intent, in
// the order in which they were sent. Nil means that none were sent, which
// merchants can tell from an empty set.
type Metadata []MetadataPair //nolint:recvcheck // decoding needs a pointer, encoding does not

// MetadataPair is one entry of Metadata.
type MetadataPair struct{ Key, Value string }

func (m Metadata) withinLimits() bool {
	if len(m) > MaxMetadataPairs {
		return false
	}
	for _, p := range m {
		if !within(p.Key, MaxMetadataKey) || !within(p.Value, MaxMetadataValue) {
			return false
		}
	}
	return true
}

// MarshalJSON writes an object with the keys in their order, or null.
func (m Metadata) MarshalJSON() ([]byte, error) {
	return jsonv2.Marshal(m, escapes)
}

// MarshalJSONTo is MarshalJSON within a larger text.
func (m Metadata) MarshalJSONTo(text *jsontext.Encoder) error {
	if m == nil {
		return text.WriteToken(jsontext.Null)
	}
	if err := text.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, p := range m {
		if err := text.WriteToken(jsontext.String(p.Key)); err != nil {
			return fmt.Errorf("write metadata key: %w", err)
		}
		if err := text.WriteToken(jsontext.String(p.Value)); err != nil {
			return fmt.Errorf("write metadata value: %w", err)
		}
	}
	return text.WriteToken(jsontext.EndObject)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Metadata) UnmarshalJSON(text []byte) error {
	return m.UnmarshalJSONFrom(jsontext.NewDecoder(bytes.NewReader(text)))
}

// UnmarshalJSONFrom is UnmarshalJSON within a larger text.
func (m *Metadata) UnmarshalJSONFrom(text *jsontext.Decoder) error {
	*m = nil
	open, err := text.ReadToken()
	if err != nil {
		return fmt.Errorf("read metadata: %w", err)
	}
	switch open.Kind() {
	case 'n':
		return nil
	case '{':
	default:
		return errors.New("read metadata: not an object")
	}
	pairs := Metadata{}
	for text.PeekKind() != '}' {
		var p MetadataPair
		for _, part := range []*string{&p.Key, &p.Value} {
			token, err := text.ReadToken()
			if err != nil {
				return fmt.Errorf("read metadata: %w", err)
			}
			if token.Kind() != '"' {
				return errors.New("read metadata: a value is no string")
			}
			*part = token.String()
		}
		pairs = append(pairs, p)
	}
	if _, err := text.ReadToken(); err != nil {
		return fmt.Errorf("read metadata: %w", err)
	}
	*m = pairs
	return nil
}
