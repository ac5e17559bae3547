package postgres

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// Read is Scan for rows that are read with every request, into a row and the pointers after it.
// pgx would make a plan for each value and a string for each text. Here the texts of a row are
// parts of one string; a []byte belongs to the connection, and is valid until the next row. All
// columns are Typed.
func (c Columns[R]) Read(row pgx.CollectableRow, r *R, more ...any) error {
	raw, fields := row.RawValues(), row.FieldDescriptions()
	if len(raw) != len(c)+len(more) {
		return fmt.Errorf("postgres: a row has %d values, %d are read", len(raw), len(c)+len(more))
	}
	size := 0
	for n, column := range c {
		if isText(column.oid) {
			size += len(raw[n])
		}
		readable := fields[n].Format == pgx.BinaryFormatCode || isText(column.oid)
		if fields[n].DataTypeOID != column.oid || !readable {
			return row.Scan(c.Fields(r, more...)...) // such as by the simple protocol
		}
	}
	v := values{}
	v.texts.Grow(size)
	for n, column := range c {
		if err := v.read(column.field(r), raw[n]); err != nil {
			return fmt.Errorf("postgres: column %s: %w", column.name, err)
		}
	}
	for n := range more {
		if err := v.read(more[n], raw[len(c)+n]); err != nil { // such as of another type
			return row.Scan(slices.Concat(make([]any, len(c)), more)...)
		}
	}
	return nil
}

// isText reports whether both formats of a type are the text itself.
func isText(oid uint32) bool { return oid == pgtype.TextOID || oid == pgtype.JSONOID }

// values reads the values of a row in PostgreSQL's binary format, as array.add writes them.
type values struct{ texts strings.Builder }

func (v *values) read(pointer any, raw []byte) error {
	switch p := pointer.(type) {
	case **string:
		if raw != nil {
			text := v.text(raw)
			*p = &text
		}
		return nil
	case *[]byte:
		*p = raw
		return nil
	}
	if raw == nil {
		return fmt.Errorf("NULL for a %T", pointer)
	}
	return v.readValue(pointer, raw)
}

// readValue reads a value that is not null.
func (v *values) readValue(pointer any, raw []byte) error {
	switch p := pointer.(type) {
	case *string:
		*p = v.text(raw)
		return nil
	case *[16]byte:
		return checkLength(copy(p[:], raw), 16, raw)
	case *uuid.UUID:
		return checkLength(copy(p[:], raw), 16, raw)
	case *int32:
		if len(raw) == 4 {
			*p = int32(binary.BigEndian.Uint32(raw))
			return nil
		}
	case *int64:
		if len(raw) == 8 {
			*p = int64(binary.BigEndian.Uint64(raw))
			return nil
		}
	case *time.Time:
		if len(raw) == 8 {
			*p = time.UnixMicro(int64(binary.BigEndian.Uint64(raw)) + epoch.UnixMicro())
			return nil
		}
	}
	return fmt.Errorf("%d bytes for a %T", len(raw), pointer)
}

func checkLength(copied, want int, raw []byte) error {
	if copied != want || len(raw) != want {
		return fmt.Errorf("%d bytes for a uuid", len(raw))
	}
	return nil
}

func (v *values) text(raw []byte) string {
	begins := v.texts.Len()
	v.texts.Write(raw)
	return v.texts.String()[begins:]
}
