package exchange

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// Text is a value that comes as a string, a number or a boolean; null is empty. A number keeps its
// digits as they were written: no float may round it.
type Text string

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (t *Text) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	value, err := d.ReadValue()
	if err != nil {
		return err
	}
	switch value.Kind() {
	case '"':
		plain, err := jsontext.AppendUnquote(nil, value)
		*t = Text(plain)
		return err
	case '0', 't', 'f':
		*t = Text(value)
		return nil
	case 'n':
		*t = ""
		return nil
	}
	return errors.New("value is not a scalar")
}
