package postgres_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

type readRow struct {
	id            [16]byte
	small         int
	large         int64
	text          string
	absent, given *string
	json, none    document
	at            time.Time
}

// document is a column of JSON that reads itself.
type document map[string]string

func (d *document) Scan(text any) error {
	if *d = nil; text == nil {
		return nil
	}
	bytes, is := text.([]byte)
	if !is {
		return fmt.Errorf("JSON is a %T", text)
	}
	return json.Unmarshal(bytes, (*map[string]string)(d))
}

var readColumns = postgres.Columns[readRow]{
	postgres.Typed("id", "uuid", func(r *readRow) *[16]byte { return &r.id }),
	postgres.Typed("small", "int4", func(r *readRow) *int { return &r.small }),
	postgres.Typed("large", "int8", func(r *readRow) *int64 { return &r.large }),
	postgres.Typed("text", "text", func(r *readRow) *string { return &r.text }),
	postgres.Typed("absent", "text", func(r *readRow) **string { return &r.absent }),
	postgres.Typed("given", "text", func(r *readRow) **string { return &r.given }),
	postgres.Typed("json", "json", func(r *readRow) *document { return &r.json }),
	postgres.Typed("none", "json", func(r *readRow) *document { return &r.none }),
	postgres.Typed("at", "timestamptz", func(r *readRow) *time.Time { return &r.at }),
}

// Read reads the same as pgx's Scan, whatever the server sends and in both formats of the values; so
// are the errors.
func TestReadIsScan(t *testing.T) {
	t.Parallel()
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	const id, at = `'00112233-4455-6677-8899-aabbccddeeff'::uuid`, `timestamptz '1969-12-31 23:59:59.999999Z'`
	for name, query := range map[string]string{
		"known": `SELECT ` + id + `, -7::int4, 9007199254740993::int8, 'دفتر', NULL::text, '', '{"a": "b"}'::json,
			NULL::json, ` + at + `, 5::int8, true`,
		"far": `SELECT ` + id + `, 1, 2::int8, '', NULL::text, 'a', '{}'::json, NULL::json,
			timestamptz '0001-01-01 00:00:00Z', 5::int8, false`,
		"other types": `SELECT ` + id + `, -7::int8, 8::int2, 'a'::varchar, NULL::varchar, 'b'::varchar,
			'{"a": "b"}'::jsonb, NULL::jsonb, timestamp '2026-01-01 00:00:00', 5::int4, true`,
		"NULL in a field that has none": `SELECT ` + id + `, NULL::int4, 2::int8, '', NULL::text, 'a', '{}'::json,
			NULL::json, ` + at + `, 5::int8, true`,
		"broken document": `SELECT ` + id + `, 1, 2::int8, '', NULL::text, 'a', '[]'::json, NULL::json, ` + at +
			`, 5::int8, true`,
		"infinity": `SELECT ` + id + `, 1, 2::int8, '', NULL::text, 'a', '{}'::json, NULL::json,
			timestamptz 'infinity', 5::int8, true`,
		"too few": `SELECT ` + id,
	} {
		for _, mode := range []pgx.QueryExecMode{
			pgx.QueryExecModeCacheStatement, pgx.QueryExecModeSimpleProtocol,
		} {
			want, wantErr := readOne(t, pool, mode, query, scanRow)
			got, err := readOne(t, pool, mode, query, readColumns.Read)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %v:\n%s", name, mode, diff)
			}
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%s, %v: %v, want %v", name, mode, err, wantErr)
			}
		}
	}
}

func scanRow(row pgx.CollectableRow, r *readRow, more ...any) error {
	return row.Scan(readColumns.Fields(r, more...)...)
}

// readOne reads the one row of a query, and after it a number and a flag; what was read is a text.
func readOne(
	t *testing.T, q postgres.Querier, mode pgx.QueryExecMode, query string,
	scan func(pgx.CollectableRow, *readRow, ...any) error,
) (string, error) {
	t.Helper()
	var number int64
	var flag bool
	r, err := postgres.Find(t.Context(), q, "read", pgx.ErrNoRows,
		func(row pgx.CollectableRow) (r readRow, err error) {
			err = scan(row, &r, &number, &flag)
			return r, err
		}, query, mode)
	if err != nil {
		return "", err
	}
	given := "NULL"
	if r.given != nil {
		given = *r.given
	}
	return fmt.Sprint(r.id, r.small, r.large, r.text, r.absent, given, r.json, r.none, r.at, number, flag), nil
}
