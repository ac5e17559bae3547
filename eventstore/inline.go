package eventstore

import "daftar/internal/postgres"

// Inline is a read model that is written by the statement that writes the
// events, so that both are there or neither is.
type Inline struct {
	// Columns of the rows, in the order in which Row.PutInto puts them.
	Columns interface {
		List(prefix string) string
		Unnest(first int) string
	}
	// Statement is the SQL of one or more WITH queries. It may read from the query
	// shown, which has a row for each append that holds: its stream_id and the
	// Columns.
	Statement string
}

// Row is what an inline read model shows of a stream.
type Row interface {
	// PutInto puts a value for each of the Inline's columns, in their order.
	PutInto(a *postgres.Arrays)
}

// valuesOf turns the rows of a batch into arrays.
func (i *Inline) valuesOf(requests []*request) []any {
	a := postgres.Arrays{Rows: len(requests)}
	for _, r := range requests {
		r.Row.PutInto(&a)
	}
	return a.Columns
}

// withQueries are the WITH queries of the read model. Its parameters come after
// the first ones, which are the statement's own.
func (i *Inline) withQueries(first int) string {
	return ", shown AS (SELECT t.stream_id, " + i.Columns.List("r.") + " FROM " + i.Columns.Unnest(first+1) +
		" WITH ORDINALITY AS r(" + i.Columns.List("") + ", append) JOIN taken t USING (append)), " + i.Statement
}
