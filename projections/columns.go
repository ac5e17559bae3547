package projections

import (
	"fmt"
	"strings"

	"github.com/google/uuid"

	"daftar/eventstore"
)

// column is a column of a table, whose rows are of type R: what it is called, its
// type in SQL, and how its value goes to the database and comes from there. A
// table's columns stand in one list, which writes every statement.
type column[R any] struct {
	name, sqlType string
	place         func(*R) any                 // where Scan puts the value
	value         func(*R) any                 // nil is null
	array         func([]R) any                // a parameter of unnest
	put           func(*eventstore.Values, *R) // into a batch of appends
}

// columns are a table's columns, in the order in which they are written and read.
type columns[R any] []column[R]

// of is a column that is kept in a field.
func of[R, V any](name, sqlType string, field func(*R) *V) column[R] {
	return column[R]{
		name: name, sqlType: sqlType,
		place: func(r *R) any { return field(r) },
		value: func(r *R) any { return *field(r) },
		array: func(rows []R) any {
			all := make([]V, len(rows))
			for n := range rows {
				all[n] = *field(&rows[n])
			}
			return all
		},
		put: func(v *eventstore.Values, r *R) { eventstore.Put(v, *field(r)) },
	}
}

// nullable is a column whose field is nil where the column is null.
func nullable[R, V any](name, sqlType string, field func(*R) **V) column[R] {
	c := of(name, sqlType, field)
	c.value = func(r *R) any {
		if p := *field(r); p != nil {
			return *p
		}
		return nil
	}
	return c
}

// list names the columns; a prefix tells of which table, where a statement has several.
func (c columns[R]) list(prefix string) string {
	return strings.Join(c.each(func(name string) string { return prefix + name }), ", ")
}

// each writes something for each column.
func (c columns[R]) each(write func(name string) string) []string {
	all := make([]string, len(c))
	for n, column := range c {
		all[n] = write(column.name)
	}
	return all
}

// names are the columns' names.
func (c columns[R]) names() []string { return c.each(func(name string) string { return name }) }

// only are the columns of those names, in the order of the names.
func (c columns[R]) only(names ...string) columns[R] {
	var some columns[R]
	for _, name := range names {
		for _, column := range c {
			if column.name == name {
				some = append(some, column)
			}
		}
	}
	return some
}

// unnest is a table n of the rows whose arrays are the statement's parameters.
func (c columns[R]) unnest() string {
	parameters := make([]string, len(c))
	for n, column := range c {
		parameters[n] = fmt.Sprintf("$%d::%s[]", n+1, column.sqlType)
	}
	return "unnest(" + strings.Join(parameters, ", ") + ") AS n(" + c.list("") + ")"
}

// insert is the statement that inserts the rows of arrays.
func (c columns[R]) insert(table string) string {
	return "INSERT INTO " + table + " (" + c.list("") + ") SELECT " + c.list("n.") + " FROM " + c.unnest()
}

// arrays are the parameters of unnest.
func (c columns[R]) arrays(rows []R) []any {
	all := make([]any, len(c))
	for n, column := range c {
		all[n] = column.array(rows)
	}
	return all
}

// places are where Scan puts a row, behind the places of other columns.
func (c columns[R]) places(r *R, others ...any) []any {
	all := append(make([]any, 0, len(others)+len(c)), others...)
	for _, column := range c {
		all = append(all, column.place(r))
	}
	return all
}

// sqlPlaces are places for database/sql, which has no array for a uuid.
func (c columns[R]) sqlPlaces(r *R) []any {
	all := c.places(r)
	for n, place := range all {
		if id, ok := place.(*[16]byte); ok {
			all[n] = (*uuid.UUID)(id)
		}
	}
	return all
}

// row is the row as a rebuild writes it.
func (c columns[R]) row(r *R) Row {
	values := make(Row, len(c))
	for n, column := range c {
		values[n] = column.value(r)
	}
	return values
}
