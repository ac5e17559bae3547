package exactjson

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Decode reads a text into a value that is empty so far.
func Decode(text []byte, into any) error {
	if err := json.Unmarshal(text, into, json.RejectUnknownMembers(true)); err != nil {
		return err
	}
	written, err := json.Marshal(into)
	if err != nil {
		return err
	}
	a, b := jsontext.Value(bytes.Clone(text)), jsontext.Value(written)
	if err := errors.Join(a.Canonicalize(), b.Canonicalize()); err != nil {
		return err
	}
	if !bytes.Equal(a, b) {
		return errors.New("a field is missing, or a value is written in another form than " + at(a, b))
	}
	return nil
}

// at returns the part of b around the first difference between a and b.
func at(a, b []byte) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	const shown = 40
	return string(bytes.ToValidUTF8(b[max(n-shown, 0):min(n+shown, len(b))], nil))
}
