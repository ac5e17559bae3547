package postgres_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// sample has a field of every type that arrays can have.
type sample struct {
	ID       [16]byte
	Owner    uuid.UUID
	Name     string
	Note     *string
	Document string
	Raw      []byte
	Absent   []byte
	Done     bool
	Small    int
	Medium   int32
	Large    int64
	Sum      *int64
	At       time.Time
	Until    *time.Time
	Day      time.Time
}

var sampleColumns = postgres.Columns[sample]{
	postgres.Typed("id", "uuid", func(s *sample) *[16]byte { return &s.ID }),
	postgres.Typed("owner", "uuid", func(s *sample) *uuid.UUID { return &s.Owner }),
	postgres.Typed("name", "text", func(s *sample) *string { return &s.Name }),
	postgres.Typed("note", "text", func(s *sample) **string { return &s.Note }),
	postgres.Typed("document", "json", func(s *sample) *string { return &s.Document }),
	postgres.Typed("raw", "bytea", func(s *sample) *[]byte { return &s.Raw }),
	postgres.Typed("absent", "json", func(s *sample) *[]byte { return &s.Absent }),
	postgres.Typed("done", "bool", func(s *sample) *bool { return &s.Done }),
	postgres.Typed("small", "int2", func(s *sample) *int { return &s.Small }),
	postgres.Typed("medium", "int4", func(s *sample) *int32 { return &s.Medium }),
	postgres.Typed("large", "int8", func(s *sample) *int64 { return &s.Large }),
	postgres.Typed("sum", "int8", func(s *sample) **int64 { return &s.Sum }),
	postgres.Typed("at", "timestamptz", func(s *sample) *time.Time { return &s.At }),
	postgres.Typed("until", "timestamptz", func(s *sample) **time.Time { return &s.Until }),
	postgres.Typed("day", "date", func(s *sample) *time.Time { return &s.Day }),
}

func samples() []sample {
	long := time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC)
	return []sample{
		{
			ID: uuid.New(), Owner: uuid.New(), Name: "مقهى", Note: new("a \"quoted\", {braced} text"),
			Document: `{"b":1,"a":2}`, Raw: []byte{0, 255}, Done: true,
			Small: -32768, Medium: -1 << 31, Large: -1 << 63, Sum: new(int64(1<<63 - 1)),
			At: time.Date(1971, 2, 3, 4, 5, 6, 7000, time.UTC), Until: &long,
			Day: time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC),
		},
		{
			Document: "null", Raw: []byte{}, Small: 32767, Medium: 1<<31 - 1, Large: 1,
			At: long, Day: time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC),
		},
	}
}

// Values that are sent in arrays come back unchanged, also without a row.
func TestArraysOfEveryType(t *testing.T) {
	t.Parallel()
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	echoSQL := `SELECT ` + sampleColumns.List("r.") +
		` FROM ` + sampleColumns.Unnest(1) + ` AS r(` + sampleColumns.List("") + `)`
	for _, sent := range [][]sample{samples(), samples()[1:], {}} {
		got, err := postgres.List(t.Context(), pool, "echo", sampleColumns.Scan,
			echoSQL, sampleColumns.Arrays(sent)...)
		if diff := cmp.Diff(sent, got); diff != "" || err != nil {
			t.Errorf("%d rows (%v):\n%s", len(sent), err, diff)
		}
	}
}

// A value that does not fit, or an array of another type than the parameter's, is refused before
// anything is sent.
func TestArraysOfAnotherType(t *testing.T) {
	t.Parallel()
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	for want, ask := range map[string]struct {
		sqlType string
		column  string
		row     sample
	}{
		"out of range":               {"int2", "small", sample{Small: 32768}},
		"for a parameter of uuid[]":  {"uuid", "name", sample{}},
		"for a parameter of int8[]":  {"int8", "medium", sample{}},
		"for a parameter of bytea[]": {"bytea", "document", sample{}},
	} {
		_, err := postgres.List(t.Context(), pool, "echo", pgx.RowTo[any],
			`SELECT unnest($1::`+ask.sqlType+`[])`, sampleColumns.Only(ask.column).Arrays([]sample{ask.row})...)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s into %s: %v, want %q", ask.column, ask.sqlType, err, want)
		}
	}
}
