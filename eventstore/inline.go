package eventstore

import (
	"fmt"
	"strings"
)

// Inline is a read model that is written by the statement that writes the
// events, so that both are there or neither is.
type Inline struct {
	// Columns of the rows, in the order in which Row.PutInto puts them.
	Columns []Column
	// Statement is the SQL of one or more WITH queries. It may read from the query
	// shown, which has a row for each append that holds: its stream_id and the
	// Columns.
	Statement string
}

// Column is the name of a column and its type in SQL.
type Column struct{ Name, Type string }

// Row is what an inline read model shows of a stream.
type Row interface {
	// PutInto puts a value for each of the Inline's columns, in their order.
	PutInto(v *Values)
}

// Values are the rows of a batch as the statement takes them: an array for each
// column.
type Values struct {
	arrays []any // of *[]T, T being the type of the column's values
	next   int
	rows   int
}

// Put adds a value of the next column. A column has values of one type.
func Put[T any](v *Values, value T) {
	if v.next == len(v.arrays) {
		array := make([]T, 0, v.rows)
		v.arrays = append(v.arrays, &array)
	}
	array, ok := v.arrays[v.next].(*[]T)
	if !ok {
		panic(fmt.Sprintf("eventstore: column %d has values of %T and of %T", v.next, v.arrays[v.next], value))
	}
	*array = append(*array, value)
	v.next++
}

// valuesOf turns the rows of a batch into arrays.
func (i *Inline) valuesOf(requests []*request) []any {
	v := Values{arrays: make([]any, 0, len(i.Columns)), rows: len(requests)}
	for _, r := range requests {
		v.next = 0
		r.Row.PutInto(&v)
		if v.next != len(i.Columns) {
			panic(fmt.Sprintf("eventstore: %T put %d values into %d columns", r.Row, v.next, len(i.Columns)))
		}
	}
	return v.arrays
}

// withQueries are the WITH queries of the read model. Its parameters come after
// the first ones, which are the statement's own.
func (i *Inline) withQueries(first int) string {
	names, arrays := make([]string, len(i.Columns)), make([]string, len(i.Columns))
	for n, c := range i.Columns {
		names[n], arrays[n] = c.Name, fmt.Sprintf("$%d::%s[]", first+n+1, c.Type)
	}
	columns := strings.Join(names, ", ")
	return ", shown AS (SELECT t.stream_id, r." + strings.Join(names, ", r.") + " FROM unnest(" + strings.Join(arrays, ", ") +
		") WITH ORDINALITY AS r(" + columns + ", append) JOIN taken t USING (append)), " + i.Statement
}
