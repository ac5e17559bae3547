package postgres

import (
	"encoding/binary"
	"math"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// Read is Scan for rows that are read with every request, into a row and the pointers after it. pgx
// plans for each query again how to read its columns, and makes a string of each text: for a look-up
// of one row that is a twentieth of what the request costs. Here the texts of a row are parts of one
// string. Values that it does not know, such as NULL in a field that has none, it leaves to pgx.
func (c Columns[R]) Read(row pgx.CollectableRow, r *R, more ...any) error {
	pointers, raw, fields := c.Fields(r, more...), row.RawValues(), row.FieldDescriptions()
	if len(raw) != len(pointers) {
		return row.Scan(pointers...) // its error says so
	}
	var texts strings.Builder
	size := 0
	for n, value := range raw {
		if fields[n].DataTypeOID == pgtype.TextOID {
			size += len(value)
		}
	}
	texts.Grow(size)
	for n, pointer := range pointers {
		if !read(pointer, raw[n], fields[n], &texts) {
			return row.Scan(pointers...)
		}
	}
	return nil
}

// read reads a value as PostgreSQL sends it, and reports whether it could.
func read(pointer any, raw []byte, is pgconn.FieldDescription, texts *strings.Builder) bool {
	text := func() string {
		begins := texts.Len()
		texts.Write(raw)
		return texts.String()[begins:]
	}
	switch p := pointer.(type) {
	case **string:
		if is.DataTypeOID != pgtype.TextOID {
			return false
		}
		if *p = nil; raw != nil {
			*p = new(text())
		}
		return true
	case *string:
		if is.DataTypeOID != pgtype.TextOID || raw == nil {
			return false
		}
		*p = text()
		return true
	case interface{ Scan(value any) error }:
		switch {
		case is.DataTypeOID != pgtype.JSONOID:
			return false
		case raw == nil:
			return p.Scan(nil) == nil
		}
		return p.Scan(raw) == nil // pgx returns the error
	}
	if is.Format != pgx.BinaryFormatCode || raw == nil {
		return false // such as by the simple protocol
	}
	switch p := pointer.(type) {
	case *[16]byte:
		return is.DataTypeOID == pgtype.UUIDOID && copy(p[:], raw) == len(p)
	case *int:
		if is.DataTypeOID == pgtype.Int4OID {
			*p = int(int32(binary.BigEndian.Uint32(raw)))
			return true
		}
	case *int64:
		if is.DataTypeOID == pgtype.Int8OID {
			*p = int64(binary.BigEndian.Uint64(raw))
			return true
		}
	case *time.Time:
		if is.DataTypeOID == pgtype.TimestamptzOID {
			since := int64(binary.BigEndian.Uint64(raw))
			*p = time.UnixMicro(epoch.UnixMicro() + since).UTC()
			return since != math.MaxInt64 && since != math.MinInt64 // infinity
		}
	}
	return false
}

// epoch is the time from which PostgreSQL counts microseconds and days.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
