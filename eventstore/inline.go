package eventstore

// Inline is a read model that the statement writes which writes the events, so that both
// are stored or neither is.
type Inline struct {
	// Columns of the rows, in the order of Row.Fields.
	Columns interface {
		List(prefix string) string
		Unnest(first int) string
		Parameters(first int) string
		ArraysOf(rows [][]any) []any
	}
	// Statement is the SQL of one or more WITH queries. It may read from the query
	// shown, which has a row for each accepted append: its stream_id and the Columns.
	Statement string
	// First is the same for streams that were empty. It fails where there is a row already.
	First string
}

// Row is the row of an inline read model for a stream.
type Row interface {
	// Fields are pointers to a value for each of the Inline's columns, in their order.
	Fields() []any
	// Arguments are the same values, of a row that is written alone.
	Arguments() []any
}

// valuesOf turns the rows of a batch into arrays.
func (i *Inline) valuesOf(requests []*request) []any {
	rows := make([][]any, len(requests))
	for n, r := range requests {
		rows[n] = r.Row.Fields()
	}
	return i.Columns.ArraysOf(rows)
}

// withQueries are the WITH queries of the read model. Its parameters follow the first
// ones, which belong to the rest of the statement.
func (i *Inline) withQueries(first int) string {
	return `, shown AS (
    SELECT t.stream_id, ` + i.Columns.List("r.") + `
    FROM ` + i.Columns.Unnest(first+1) + ` WITH ORDINALITY AS r(` + i.Columns.List("") + `, append)
    JOIN taken t USING (append)
), ` + i.Statement
}

// withOneQuery is withQueries for one append that insertDirectly writes.
func (i *Inline) withOneQuery(statement string) string {
	return `, shown AS (
    SELECT $1::uuid AS stream_id, ` + i.Columns.Parameters(ownParametersOfDirect+1) + `
    FROM written
), ` + statement
}
