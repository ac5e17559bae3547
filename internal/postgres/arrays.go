package postgres

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
)

// array is a column's values in PostgreSQL's binary format. pgx would box each value and look
// up its encoding: 62 of a create's allocations, and more time than the rest of a batch.
type array struct {
	sqlType string
	count   uint32
	nulls   uint32 // 1: there are some
	values  []byte // each after its length
	failure error  // of the last value that has one
}

// minValueSize is what a value needs with its length, in bytes, unless it is a small integer.
const minValueSize = 12

// GoString keeps values out of pgx's errors.
func (a *array) GoString() string { return fmt.Sprintf("%d of %s", a.count, a.sqlType) }

// add adds the value that pointer points to.
func (a *array) add(pointer any) {
	start := len(a.values)
	a.values = append(a.values, 0, 0, 0, 0)
	a.count++
	null := false
	switch p := pointer.(type) {
	case **string:
		if null = *p == nil; !null {
			a.values = append(a.values, **p...)
		}
	case **int64:
		if null = *p == nil; !null {
			a.integer(**p)
		}
	case **time.Time:
		if null = *p == nil; !null {
			a.time(**p)
		}
	case **[16]byte:
		if null = *p == nil; !null {
			a.values = append(a.values, (*p)[:]...)
		}
	case *[]byte:
		null = *p == nil
		a.values = append(a.values, *p...)
	case *time.Time:
		a.time(*p)
	case interface{ MarshalJSON() ([]byte, error) }: // a time would be one
		text, err := p.MarshalJSON()
		if err != nil {
			a.failure = err
		}
		null = string(text) == "null"
		a.values = append(a.values, text...)
	default:
		a.value(pointer)
	}
	length := uint32(len(a.values) - start - 4)
	if null {
		a.nulls, length, a.values = 1, math.MaxUint32, a.values[:start+4]
	}
	binary.BigEndian.PutUint32(a.values[start:], length)
}

// value adds a value that is not null.
func (a *array) value(pointer any) {
	switch p := pointer.(type) {
	case *[16]byte:
		a.values = append(a.values, p[:]...)
	case *string:
		a.values = append(a.values, *p...)
	case *bool:
		a.values = append(a.values, 0)
		if *p {
			a.values[len(a.values)-1] = 1
		}
	case *int:
		a.integer(int64(*p))
	case *int32:
		a.integer(int64(*p))
	case *int64:
		a.integer(*p)
	default:
		a.failure = fmt.Errorf("columns cannot have values of %T", pointer)
	}
}

var errOutOfRange = errors.New("out of range")

func (a *array) integer(n int64) {
	fits := true
	switch a.sqlType {
	case "int2":
		a.values, fits = binary.BigEndian.AppendUint16(a.values, uint16(n)), n == int64(int16(n))
	case "int4":
		a.values, fits = binary.BigEndian.AppendUint32(a.values, uint32(n)), n == int64(int32(n))
	default:
		a.values = binary.BigEndian.AppendUint64(a.values, uint64(n))
	}
	if !fits {
		a.failure = fmt.Errorf("%d: %w", n, errOutOfRange)
	}
}

func (a *array) time(t time.Time) {
	if a.sqlType == "date" {
		y, m, d := t.Date()
		days := time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Sub(epoch) / (24 * time.Hour)
		a.values = binary.BigEndian.AppendUint32(a.values, uint32(days))
		return
	}
	a.values = binary.BigEndian.AppendUint64(a.values, uint64(t.UnixMicro()-epoch.UnixMicro()))
}

// arrayTypes are pgx's names for arrays of the types that columns have.
var arrayTypes = []string{
	"_uuid", "_text", "_json", "_bytea", "_bool", "_int2", "_int4", "_int8", "_timestamptz", "_date",
}

// acceptArrays makes a connection accept arrays.
func acceptArrays(types *pgtype.Map) {
	for _, name := range arrayTypes {
		t, known := types.TypeForName(name)
		if !known {
			continue
		}
		if codec, is := t.Codec.(*pgtype.ArrayCodec); is {
			types.RegisterType(&pgtype.Type{Name: name, OID: t.OID, Codec: arrayCodec{codec}})
		}
	}
}

// arrayCodec is pgx's codec, except for values that are encoded already.
type arrayCodec struct{ *pgtype.ArrayCodec }

// PlanEncode implements pgtype.Codec.
func (c arrayCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, is := value.(*array); is && format == pgtype.BinaryFormatCode {
		return c
	}
	return c.ArrayCodec.PlanEncode(m, oid, format, value)
}

// Encode implements pgtype.EncodePlan.
func (c arrayCodec) Encode(value any, buf []byte) ([]byte, error) {
	a, is := value.(*array)
	switch {
	case !is || a.sqlType != c.ElementType.Name:
		return nil, fmt.Errorf("postgres: %#v for a parameter of %s[]", value, c.ElementType.Name)
	case a.failure != nil:
		return nil, fmt.Errorf("postgres: a value of %s[]: %w", a.sqlType, a.failure)
	case a.count == 0: // an array without a dimension
		return binary.BigEndian.AppendUint32(append(buf, 0, 0, 0, 0, 0, 0, 0, 0), c.ElementType.OID), nil
	}
	// Dimensions, any null, type, length, first index.
	for _, n := range [...]uint32{1, a.nulls, c.ElementType.OID, a.count, 1} {
		buf = binary.BigEndian.AppendUint32(buf, n)
	}
	return append(buf, a.values...), nil
}
