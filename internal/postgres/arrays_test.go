package postgres_test

import (
	"errors"
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

// A value that does not fit is refused before anything is sent.
func TestArraysThatDoNotFit(t *testing.T) {
	t.Parallel()
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	for sqlType, ask := range map[string]struct {
		column, want string
		row          sample
	}{
		"int2": {"small", "is greater than maximum value", sample{Small: 32768}},
		"int4": {"large", "is less than minimum value", sample{Large: -1<<31 - 1}},
	} {
		_, err := postgres.List(t.Context(), pool, "echo", pgx.RowTo[any],
			`SELECT unnest($1::`+sqlType+`[])`, sampleColumns.Only(ask.column).Arrays([]sample{ask.row})...)
		var server *pgconn.PgError
		if err == nil || errors.As(err, &server) || !strings.Contains(err.Error(), ask.want) {
			t.Errorf("%s into %s: %v, want %q", ask.column, sqlType, err, ask.want)
		}
	}
}

// The error for an array that pgx cannot encode does not have its values, which may be a payer's.
func TestArraysAreNotInErrors(t *testing.T) {
	t.Parallel()
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	type payer struct{ name string }
	columns := postgres.Columns[payer]{postgres.Typed("payer", "int8", func(p *payer) *payer { return p })}
	_, err := postgres.List(t.Context(), pool, "echo", pgx.RowTo[any],
		`SELECT n FROM `+columns.Unnest(1)+` n`, columns.Arrays([]payer{{"Salma"}})...)
	if err == nil || !strings.Contains(err.Error(), "1 of postgres_test.payer") {
		t.Fatalf("an array of a type that pgx does not know: %v", err)
	}
	if strings.Contains(err.Error(), "Salma") {
		t.Errorf("the error has the value: %v", err)
	}
}
