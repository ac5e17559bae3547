package domain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Metadata are the key-value pairs that a merchant attached to an intent, in
// the order in which they were sent. Nil means that none were sent, which
// merchants can tell from an empty set.
type Metadata []MetadataPair

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
	if m == nil {
		return []byte("null"), nil
	}
	var b bytes.Buffer
	text := json.NewEncoder(&b)
	text.SetEscapeHTML(false)
	b.WriteByte('{')
	for n, p := range m {
		if n > 0 {
			b.WriteByte(',')
		}
		if err := text.Encode(p.Key); err != nil {
			return nil, fmt.Errorf("write metadata key: %w", err)
		}
		b.WriteByte(':')
		if err := text.Encode(p.Value); err != nil {
			return nil, fmt.Errorf("write metadata value: %w", err)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Metadata) UnmarshalJSON(text []byte) error {
	*m = nil
	d := json.NewDecoder(bytes.NewReader(text))
	open, err := d.Token()
	if err != nil {
		return fmt.Errorf("read metadata: %w", err)
	}
	if open == nil {
		return nil
	}
	if open != json.Delim('{') {
		return errors.New("read metadata: not an object")
	}
	pairs := Metadata{}
	for d.More() {
		var p MetadataPair
		for _, part := range []*string{&p.Key, &p.Value} {
			token, err := d.Token()
			if err != nil {
				return fmt.Errorf("read metadata: %w", err)
			}
			s, ok := token.(string)
			if !ok {
				return errors.New("read metadata: a value is no string")
			}
			*part = s
		}
		pairs = append(pairs, p)
	}
	if _, err := d.Token(); err != nil {
		return fmt.Errorf("read metadata: %w", err)
	}
	*m = pairs
	return nil
}
