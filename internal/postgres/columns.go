package postgres

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Columns are columns of a table, in the order in which statements name them,
// each with the field of R that has its value. One list serves SELECT, INSERT
// and Scan, so that these cannot differ.
type Columns[R any] []Column[R]

// Column is a column of a table.
type Column[R any] struct {
	name, sqlType string
	field         func(*R) any
}

// Of is the column of that name; field returns a pointer to its field.
func Of[R any](name string, field func(*R) any) Column[R] { return Column[R]{name: name, field: field} }

// Typed is a column that also has its SQL type, so that many rows can be parameters of
// one statement.
func Typed[R, V any](name, sqlType string, field func(*R) *V) Column[R] {
	return Column[R]{name, sqlType, func(r *R) any { return field(r) }}
}

// Each writes something for each column, with its name as the format's argument.
func (c Columns[R]) Each(format string) string {
	all := c.Names()
	for n, name := range all {
		all[n] = fmt.Sprintf(format, name)
	}
	return strings.Join(all, ", ")
}

// Names are the columns' names.
func (c Columns[R]) Names() []string {
	all := make([]string, len(c))
	for n, column := range c {
		all[n] = column.name
	}
	return all
}

// List names the columns; a prefix such as "d." names their table.
func (c Columns[R]) List(prefix string) string { return c.Each(prefix + "%s") }

// Only are the columns of those names, in the order of the names.
func (c Columns[R]) Only(names ...string) Columns[R] {
	some := make(Columns[R], len(names))
	for n, name := range names {
		some[n] = c[slices.Index(c.Names(), name)]
	}
	return some
}

// Insert is the statement that inserts a row: Fields are its arguments, and after
// them the values of more columns.
func (c Columns[R]) Insert(table string, more ...string) string {
	names := append(c.Names(), more...)
	places := make([]string, len(names))
	for n := range places {
		places[n] = fmt.Sprintf("$%d", n+1)
	}
	return "INSERT INTO " + table + " (" + strings.Join(names, ", ") + ")" +
		" VALUES (" + strings.Join(places, ", ") + ")"
}

// InsertMany is the statement that inserts rows, whose Arrays are its arguments.
func (c Columns[R]) InsertMany(table string) string {
	return "INSERT INTO " + table + " (" + c.List("") + ")" +
		" SELECT " + c.List("n.") +
		" FROM " + c.Unnest(1) + " AS n(" + c.List("") + ")"
}

// Unnest is the function that makes rows of Arrays, which are the parameters of a
// statement from the first on. All columns are Typed.
func (c Columns[R]) Unnest(first int) string {
	parameters := make([]string, len(c))
	for n, column := range c {
		parameters[n] = fmt.Sprintf("$%d::%s[]", first+n, column.sqlType)
	}
	return "unnest(" + strings.Join(parameters, ", ") + ")"
}

// Parameters are a row whose Fields are the parameters of a statement from the first on.
// All columns are Typed.
func (c Columns[R]) Parameters(first int) string {
	parameters := make([]string, len(c))
	for n, column := range c {
		parameters[n] = fmt.Sprintf("$%d::%s AS %s", first+n, column.sqlType, column.name)
	}
	return strings.Join(parameters, ", ")
}

// Fields are pointers to the row's fields, for Scan or as arguments of a statement, and
// then more.
func (c Columns[R]) Fields(r *R, more ...any) []any {
	all := make([]any, 0, len(c)+len(more))
	for _, column := range c {
		all = append(all, column.field(r))
	}
	return append(all, more...)
}

// Values are what Fields point to, in the types that pgx returns: nil for null, the text of JSON.
func (c Columns[R]) Values(r *R) []any {
	all := c.Fields(r)
	for n, field := range all {
		value := reflect.ValueOf(field).Elem()
		if value.Kind() == reflect.Pointer {
			value = value.Elem()
		}
		switch {
		case !value.IsValid() || value.Kind() == reflect.Slice && value.IsNil():
			all[n] = nil
		case c[n].sqlType == "json":
			all[n] = textOf(value.Interface())
		case value.Kind() == reflect.Int:
			all[n] = int32(value.Int())
		default:
			all[n] = value.Interface()
		}
	}
	return all
}

// textOf is the text of a JSON column, whose values write themselves, for pgx as well.
func textOf(value any) string {
	document := value.(interface{ MarshalJSON() ([]byte, error) }) //nolint:errcheck // others are a mistake
	text, err := document.MarshalJSON()
	if err != nil {
		panic(fmt.Sprintf("postgres: write JSON: %v", err))
	}
	return string(text)
}

// Scan reads a row that has these columns and no others.
func (c Columns[R]) Scan(row pgx.CollectableRow) (R, error) {
	var r R
	err := row.Scan(c.Fields(&r)...)
	return r, err
}

// Arrays are the parameters of Unnest for these rows, on connections of ParseURL's configuration.
func (c Columns[R]) Arrays(rows []R) []any {
	fields := make([][]any, len(rows))
	for n := range rows {
		fields[n] = c.Fields(&rows[n])
	}
	return c.ArraysOf(fields)
}

// ArraysOf are the parameters of Unnest for rows, each as Fields returns it.
func (c Columns[R]) ArraysOf(rows [][]any) []any {
	all := make([]any, len(c))
	arrays := make([]array, len(c))
	for n, column := range c {
		a := &arrays[n]
		a.sqlType, a.values = column.sqlType, make([]byte, 0, len(rows)*minValueSize)
		for _, row := range rows {
			a.add(row[n])
		}
		all[n] = a
	}
	return all
}
