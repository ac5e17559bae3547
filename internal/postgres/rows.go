package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// PlanEachTime is a first argument that has a statement planned with its arguments
// each time. A plan for any arguments may read a table from end to end: it is made
// while the table is small, and does not know how little the arguments ask for.
const PlanEachTime = pgx.QueryExecModeCacheDescribe

// KeyRows are rows of one or more arrays, for a statement that looks up or changes a row for
// each by its key: FROM KeyRows("$1::uuid[]") AS w(uuid). A limit that is no constant is
// taken for a tenth of the rows, and an array of which nothing is known for ten elements.
// So a plan that is made for any arguments expects one row, and takes the key: also on an
// empty table, where reading it whole seems to cost as little, and the plan stays when the
// table has grown.
func KeyRows(arrays ...string) string {
	//nolint:unqueryvet // the columns are those arrays
	return "(SELECT * FROM unnest(" + strings.Join(arrays, ", ") + ") LIMIT cardinality(" + arrays[0] + "))"
}

// Querier is a pool, a connection or a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// List runs a query and reads all its rows. An error begins with what was doing.
func List[T any](ctx context.Context, q Querier, doing string, scan pgx.RowToFunc[T], sql string,
	args ...any,
) ([]T, error) {
	rows, _ := q.Query(ctx, sql, args...) // its error comes again from the rows
	all, err := pgx.CollectRows(rows, scan)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return all, nil
}

// Find runs a query for one row. The error is none where there is no row; none may
// be nil.
func Find[T any](ctx context.Context, q Querier, doing string, none error, scan pgx.RowToFunc[T], sql string,
	args ...any,
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

// ErrNotOne says that a statement that must change one row changed none, or several.
var ErrNotOne = errors.New("a statement that must change one row did not")

// One is the error of an Exec that must change one row: One(tx.Exec(ctx, sql)). What is silently
// not written is lost.
func One(done pgconn.CommandTag, err error) error {
	if err == nil && done.RowsAffected() != 1 {
		err = fmt.Errorf("%w: %s", ErrNotOne, done)
	}
	return err
}
