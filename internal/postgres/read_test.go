package postgres_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

type readRow struct {
	id     [16]byte
	small  int32
	large  int64
	text   string
	absent *string
	given  *string
	json   []byte
	none   []byte
	at     time.Time
}

var readColumns = postgres.Columns[readRow]{
	postgres.Typed("id", "uuid", func(r *readRow) *[16]byte { return &r.id }),
	postgres.Typed("small", "int4", func(r *readRow) *int32 { return &r.small }),
	postgres.Typed("large", "int8", func(r *readRow) *int64 { return &r.large }),
	postgres.Typed("text", "text", func(r *readRow) *string { return &r.text }),
	postgres.Typed("absent", "text", func(r *readRow) **string { return &r.absent }),
	postgres.Typed("given", "text", func(r *readRow) **string { return &r.given }),
	postgres.Typed("json", "json", func(r *readRow) *[]byte { return &r.json }),
	postgres.Typed("none", "json", func(r *readRow) *[]byte { return &r.none }),
	postgres.Typed("at", "timestamptz", func(r *readRow) *time.Time { return &r.at }),
}

// Read reads the same as pgx's Scan, in both formats of the values.
func TestReadIsScan(t *testing.T) {
	t.Parallel()
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	const query = `
		SELECT '00112233-4455-6677-8899-aabbccddeeff'::uuid AS id,
		       -7::int4 AS small, 9007199254740993::int8 AS large,
		       'دفتر' AS text, NULL::text AS absent, ''::text AS given,
		       '{"a": "b"}'::json AS json, NULL::json AS none,
		       timestamptz '1969-12-31 23:59:59.999999Z' AS at,
		       5::int8 AS epoch, true AS flag`
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeSimpleProtocol} {
		var epoch int64
		var flag bool
		read := func(scan func(pgx.CollectableRow, *readRow) error) readRow {
			epoch, flag = 0, false
			found, err := postgres.Find(t.Context(), pool, "read", pgx.ErrNoRows,
				func(row pgx.CollectableRow) (r readRow, err error) {
					err = scan(row, &r)
					r.json, r.at = append([]byte(nil), r.json...), r.at.UTC()
					return r, err
				}, query, mode)
			if err != nil || epoch != 5 || !flag {
				t.Fatalf("%v: %v, epoch %d, flag %t", mode, err, epoch, flag)
			}
			return found
		}
		got := read(func(row pgx.CollectableRow, r *readRow) error {
			return readColumns.Read(row, r, &epoch, &flag)
		})
		want := read(func(row pgx.CollectableRow, r *readRow) error {
			return row.Scan(readColumns.Fields(r, &epoch, &flag)...)
		})
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(readRow{})); diff != "" {
			t.Errorf("%v:\n%s", mode, diff)
		}
	}
}

// A value of another type than the field's is an error.
func TestReadRefusesOtherTypes(t *testing.T) {
	t.Parallel()
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	for name, query := range map[string]string{
		"a NULL": `SELECT NULL::int4`, "a text": `SELECT 'abcd'`, "too many": `SELECT 1, 2`,
	} {
		columns := postgres.Columns[readRow]{readColumns[1]}
		_, err := postgres.Find(t.Context(), pool, "read", nil,
			func(row pgx.CollectableRow) (r readRow, err error) {
				err = columns.Read(row, &r)
				return r, err
			}, query)
		if err == nil {
			t.Errorf("%s was read as an int4", name)
		}
	}
}
