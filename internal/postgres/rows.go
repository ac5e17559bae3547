package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// PlanEachTime is a first argument that makes PostgreSQL plan a statement each time, with
// its arguments. A plan for any arguments may scan a whole table: it was made while the
// table was small, and without knowing how few rows the arguments select.
const PlanEachTime = pgx.QueryExecModeCacheDescribe

// KeyRows are rows of one or more arrays, for a statement that finds or changes a row for
// each of them by its key: FROM KeyRows("$1::uuid[]") AS w(uuid). PostgreSQL estimates ten
// elements for an unknown array, and a tenth of the rows for a limit that is no constant. So
// a plan for any arguments expects one row, and uses the index of the key. Without that
// estimate, a plan that is made while the table is empty would scan it, and still do so when
// the table has grown.
func KeyRows(arrays ...string) string {
	//nolint:unqueryvet // the columns are those arrays
	return "(SELECT * FROM unnest(" + strings.Join(arrays, ", ") + ") LIMIT cardinality(" + arrays[0] + "))"
}

// Querier is a pool, a connection or a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// List runs a query and reads all its rows. An error begins with doing, a verb and its object.
func List[T any](
	ctx context.Context, q Querier, doing string, scan pgx.RowToFunc[T], sql string, args ...any,
) ([]T, error) {
	rows, _ := q.Query(ctx, sql, args...) // its error comes again from the rows
	all, err := pgx.CollectRows(rows, scan)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return all, nil
}

// Find runs a query for one row. The error is none if there is no row; none may be nil.
func Find[T any](
	ctx context.Context, q Querier, doing string, none error, scan pgx.RowToFunc[T], sql string, args ...any,
) (found T, err error) {
	rows, _ := q.Query(ctx, sql, args...) // its error comes again from the rows
	found, err = pgx.CollectExactlyOneRow(rows, scan)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return found, none
	case err != nil:
		return found, fmt.Errorf("%s: %w", doing, err)
	}
	return found, nil
}

// ErrNotOne is returned where a statement that must change one row changed none, or several.
var ErrNotOne = errors.New("a statement that must change one row did not")

// One is the error of an Exec that must change one row: One(tx.Exec(ctx, sql)). It is ErrNotOne if
// the statement changed another number of rows.
func One(done pgconn.CommandTag, err error) error {
	if err == nil && done.RowsAffected() != 1 {
		err = fmt.Errorf("%w: %s", ErrNotOne, done)
	}
	return err
}
