package postgres

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// Arrays are rows for a statement that has one parameter for each column. They are encoded
// in PostgreSQL's binary format as the rows are added: pgx would box each value and look up
// its encoding, which would cost a batch more than everything else in it. They can be
// arguments on connections of ParseURL's configuration.
type Arrays struct{ columns []array }

// array is a column's values.
type array struct {
	sqlType string
	count   uint32
	nulls   uint32 // 1: there are some
	values  []byte // each after its length
	failure error
}

// minValueSize is what a value needs at least, with its length, in bytes.
const minValueSize = 12

// Arguments are the parameters.
func (a *Arrays) Arguments() []any {
	all := make([]any, len(a.columns))
	for n := range a.columns {
		all[n] = &a.columns[n]
	}
	return all
}

// UUIDs is a parameter of uuid[].
func UUIDs[ID ~[16]byte](ids []ID) any {
	a := &array{sqlType: "uuid", values: make([]byte, 0, len(ids)*(4+16))}
	for _, id := range ids {
		value := [16]byte(id)
		a.add(&value)
	}
	return a
}

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
	default:
		a.value(pointer)
	}
	length := uint32(len(a.values) - start - 4)
	if null {
		a.nulls, length = 1, math.MaxUint32
	}
	binary.BigEndian.PutUint32(a.values[start:], length)
}

// value adds a value that is not null.
func (a *array) value(pointer any) {
	switch p := pointer.(type) {
	case *[16]byte:
		a.values = append(a.values, p[:]...)
	case *uuid.UUID:
		a.values = append(a.values, p[:]...)
	case *string:
		a.values = append(a.values, *p...)
	case *bool:
		if *p {
			a.values = append(a.values, 1)
		} else {
			a.values = append(a.values, 0)
		}
	case *int:
		a.integer(int64(*p))
	case *int32:
		a.integer(int64(*p))
	case *int64:
		a.integer(*p)
	case *time.Time:
		a.time(*p)
	default:
		panic(fmt.Sprintf("postgres: a column of %s has values of %T", a.sqlType, pointer))
	}
}

var errOutOfRange = errors.New("out of range")

func (a *array) integer(n int64) {
	switch a.sqlType {
	case "int2":
		a.values = binary.BigEndian.AppendUint16(a.values, uint16(n))
		if n != int64(int16(n)) {
			a.failure = fmt.Errorf("%d: %w", n, errOutOfRange)
		}
	case "int4":
		a.values = binary.BigEndian.AppendUint32(a.values, uint32(n))
		if n != int64(int32(n)) {
			a.failure = fmt.Errorf("%d: %w", n, errOutOfRange)
		}
	default:
		a.values = binary.BigEndian.AppendUint64(a.values, uint64(n))
	}
}

// epoch is the time from which PostgreSQL counts microseconds and days.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func (a *array) time(t time.Time) {
	if a.sqlType == "date" {
		y, m, d := t.Date()
		days := time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Sub(epoch) / (24 * time.Hour)
		a.values = binary.BigEndian.AppendUint32(a.values, uint32(days))
		return
	}
	a.values = binary.BigEndian.AppendUint64(a.values, uint64(t.UnixMicro()-epoch.UnixMicro()))
}

// arrayOIDs are the array types that columns may have, and the types of their elements.
var arrayOIDs = map[uint32]struct {
	element uint32
	sqlType string
}{
	pgtype.UUIDArrayOID:        {pgtype.UUIDOID, "uuid"},
	pgtype.TextArrayOID:        {pgtype.TextOID, "text"},
	pgtype.JSONArrayOID:        {pgtype.JSONOID, "json"},
	pgtype.ByteaArrayOID:       {pgtype.ByteaOID, "bytea"},
	pgtype.BoolArrayOID:        {pgtype.BoolOID, "bool"},
	pgtype.Int2ArrayOID:        {pgtype.Int2OID, "int2"},
	pgtype.Int4ArrayOID:        {pgtype.Int4OID, "int4"},
	pgtype.Int8ArrayOID:        {pgtype.Int8OID, "int8"},
	pgtype.TimestamptzArrayOID: {pgtype.TimestamptzOID, "timestamptz"},
	pgtype.DateArrayOID:        {pgtype.DateOID, "date"},
}

// oidOf is the OID of an element's type; 0: columns of arrays cannot have it.
func oidOf(sqlType string) uint32 {
	for _, t := range arrayOIDs {
		if t.sqlType == sqlType {
			return t.element
		}
	}
	return 0
}

// registerArrays makes a connection accept Arrays.
func registerArrays(types *pgtype.Map) {
	for oid := range arrayOIDs {
		if t, known := types.TypeForOID(oid); known {
			types.RegisterType(&pgtype.Type{Name: t.Name, OID: oid, Codec: arrayCodec{t.Codec}})
		}
	}
}

// arrayCodec is pgx's codec, except for values that are encoded already.
type arrayCodec struct{ pgtype.Codec }

func (c arrayCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ours := value.(*array); ours && format == pgtype.BinaryFormatCode {
		return copyArray{oid}
	}
	return c.Codec.PlanEncode(m, oid, format, value)
}

type copyArray struct{ oid uint32 }

func (c copyArray) Encode(value any, buf []byte) ([]byte, error) {
	a, ours := value.(*array)
	t := arrayOIDs[c.oid]
	switch {
	case !ours || a.sqlType != t.sqlType:
		return nil, fmt.Errorf("postgres: %#v for a parameter of %s[]", value, t.sqlType)
	case a.failure != nil:
		return nil, fmt.Errorf("postgres: a value of %s[]: %w", t.sqlType, a.failure)
	case a.count == 0: // an array without a dimension
		return binary.BigEndian.AppendUint32(append(buf, 0, 0, 0, 0, 0, 0, 0, 0), t.element), nil
	}
	// Dimensions, any null, type, length, first index.
	for _, n := range [...]uint32{1, a.nulls, t.element, a.count, 1} {
		buf = binary.BigEndian.AppendUint32(buf, n)
	}
	return append(buf, a.values...), nil
}
