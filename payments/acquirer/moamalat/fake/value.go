package fake

import (
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// value is a string, or a number with its digits as they were written.
type value string

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (v *value) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	read, err := d.ReadValue()
	if err != nil {
		return err
	}
	switch read.Kind() {
	case '"':
		var s string
		err := json.Unmarshal(read, &s)
		*v = value(s)
		return err
	case '0':
		*v = value(read)
		return nil
	case 'n':
		*v = ""
		return nil
	}
	return errors.New("value is neither a string nor a number")
}
