package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Columns are columns of a table, in the order in which statements name them,
// each beside the field of R that has its value. One list serves SELECT, INSERT
// and Scan, so that these cannot differ.
type Columns[R any] []Column[R]

// Column is a column of a table.
type Column[R any] struct {
	name  string
	field func(*R) any
}

// Of is the column of that name; field returns a pointer to its field.
func Of[R any](name string, field func(*R) any) Column[R] { return Column[R]{name, field} }

// List names the columns; a prefix such as "d." names their table.
func (c Columns[R]) List(prefix string) string {
	names := make([]string, len(c))
	for n, column := range c {
		names[n] = prefix + column.name
	}
	return strings.Join(names, ", ")
}

// Insert is the statement that inserts a row: Fields are its arguments, and after
// them the values of more columns.
func (c Columns[R]) Insert(table string, more ...string) string {
	names, places := c.List(""), make([]string, len(c)+len(more))
	for n := range places {
		places[n] = "$" + strconv.Itoa(n+1)
	}
	for _, name := range more {
		names += ", " + name
	}
	return "INSERT INTO " + table + " (" + names + ") VALUES (" + strings.Join(places, ", ") + ")"
}

// Fields are pointers to the row's fields, as Scan takes them and a statement
// takes them as arguments, and then more of the same.
func (c Columns[R]) Fields(r *R, more ...any) []any {
	all := make([]any, 0, len(c)+len(more))
	for _, column := range c {
		all = append(all, column.field(r))
	}
	return append(all, more...)
}

// Scan reads a row that has these columns and no others.
func (c Columns[R]) Scan(row pgx.CollectableRow) (R, error) {
	var r R
	err := row.Scan(c.Fields(&r)...)
	return r, err
}

// Querier is a pool, a connection or a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// List runs a query and reads all its rows. An error begins with what was doing.
func List[T any](ctx context.Context, q Querier, doing string, scan pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	rows, _ := q.Query(ctx, sql, args...) // its error comes again from the rows
	all, err := pgx.CollectRows(rows, scan)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return all, nil
}

// Find runs a query for one row. The error is none where there is no row; none may
// be nil.
func Find[T any](ctx context.Context, q Querier, doing string, none error, scan pgx.RowToFunc[T], sql string, args ...any) (found T, err error) {
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
