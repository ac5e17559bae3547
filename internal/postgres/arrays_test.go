package postgres_test

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// sample has a field of every type that arrays can have.
type sample struct {
	ID       [16]byte
	Owner    *[16]byte
	Name     string
	Note     *string
	Document string
	Raw      []byte
	Absent   []byte
	Tag      tag
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
	postgres.Typed("owner", "uuid", func(s *sample) **[16]byte { return &s.Owner }),
	postgres.Typed("name", "text", func(s *sample) *string { return &s.Name }),
	postgres.Typed("note", "text", func(s *sample) **string { return &s.Note }),
	postgres.Typed("document", "json", func(s *sample) *string { return &s.Document }),
	postgres.Typed("raw", "bytea", func(s *sample) *[]byte { return &s.Raw }),
	postgres.Typed("absent", "json", func(s *sample) *[]byte { return &s.Absent }),
	postgres.Typed("tag", "json", func(s *sample) *tag { return &s.Tag }),
	postgres.Typed("done", "bool", func(s *sample) *bool { return &s.Done }),
	postgres.Typed("small", "int2", func(s *sample) *int { return &s.Small }),
	postgres.Typed("medium", "int4", func(s *sample) *int32 { return &s.Medium }),
	postgres.Typed("large", "int8", func(s *sample) *int64 { return &s.Large }),
	postgres.Typed("sum", "int8", func(s *sample) **int64 { return &s.Sum }),
	postgres.Typed("at", "timestamptz", func(s *sample) *time.Time { return &s.At }),
	postgres.Typed("until", "timestamptz", func(s *sample) **time.Time { return &s.Until }),
	postgres.Typed("day", "date", func(s *sample) *time.Time { return &s.Day }),
}

// tag is written as JSON, and null if it is empty.
type tag string //nolint:recvcheck // reading needs a pointer, writing does not

func (t tag) MarshalJSON() ([]byte, error) {
	switch t {
	case "":
		return []byte("null"), nil
	case "unwritable":
		return nil, errors.New("unwritable")
	}
	return strconv.AppendQuote(nil, string(t)), nil
}

func (t *tag) Scan(text any) error {
	*t = ""
	if text, is := text.([]byte); is {
		*t = tag(bytes.Trim(text, `"`))
	}
	return nil
}

func samples() []sample {
	long := time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC)
	return []sample{
		{
			ID: uuid.New(), Owner: new([16]byte{15: 7}), Name: "مقهى", Note: new("a \"quoted\", {braced} text"),
			Document: `{"b":1,"a":2}`, Raw: []byte{0, 255}, Tag: "x", Done: true,
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

// A value that cannot be written is refused before anything is sent, also if others follow it.
func TestArraysThatDoNotFit(t *testing.T) {
	t.Parallel()
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	for column, ask := range map[string]struct {
		want string
		row  sample
	}{
		"small": {"32768: out of range", sample{Small: 32768}},
		"tag":   {"unwritable", sample{Tag: "unwritable"}},
	} {
		rows := []sample{ask.row, {}}
		one := sampleColumns.Only(column)
		_, err := postgres.List(t.Context(), pool, "echo", pgx.RowTo[any],
			`SELECT n FROM `+one.Unnest(1)+` n`, one.Arrays(rows)...)
		var server *pgconn.PgError
		if err == nil || errors.As(err, &server) || !strings.Contains(err.Error(), ask.want) {
			t.Errorf("%s: %v, want %q", column, err, ask.want)
		}
	}
}

// An array of one type is not sent as one of another.
func TestArraysOfAnotherType(t *testing.T) {
	t.Parallel()
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	_, err := postgres.List(t.Context(), pool, "echo", pgx.RowTo[any],
		`SELECT unnest($1::int4[])`, sampleColumns.Only("large").Arrays(samples())...)
	if err == nil || !strings.Contains(err.Error(), "2 of int8 for a parameter of int4[]") {
		t.Errorf("int8[] for int4[]: %v", err)
	}
}

// The error for an array of values that columns cannot have does not have them: they may be a payer's.
func TestArraysAreNotInErrors(t *testing.T) {
	t.Parallel()
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	type payer struct{ name string }
	columns := postgres.Columns[payer]{postgres.Typed("payer", "int8", func(p *payer) *payer { return p })}
	_, err := postgres.List(t.Context(), pool, "echo", pgx.RowTo[any],
		`SELECT n FROM `+columns.Unnest(1)+` n`, columns.Arrays([]payer{{"Salma"}})...)
	if err == nil || !strings.Contains(err.Error(), "1 of int8") {
		t.Fatalf("an array of a type that columns cannot have: %v", err)
	}
	if strings.Contains(err.Error(), "Salma") {
		t.Errorf("the error has the value: %v", err)
	}
}
