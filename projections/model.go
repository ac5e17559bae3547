package projections

import "daftar/eventstore"

// Model describes a read model to package rebuild, which verifies it and builds it again.
type Model struct {
	Name string
	// Group is the group of the feed that writes the tables; empty: they are written
	// with the events.
	Group string
	// Version is the schema version that this program makes. A rebuild changes copies of
	// tables of an older version by Upgrade.
	Version int
	Upgrade string
	Tables  []Table
	// Only says by the type of its first event which streams the model is about; nil: about all.
	Only func(stored string) bool
	// Counts is SQL that gives two texts: what the tables hold, and what the log has
	// up to position $1. They differ where an event is missing or counted twice.
	Counts string
	// Rows replays a stream from its first event on and returns its rows in each of the
	// Tables, in their order.
	Rows func(stream []eventstore.Recorded) ([][]Row, error)
}

// Table is one of a read model's tables. Statements name it in braces, because a
// rebuild fills a table of another name.
type Table struct {
	Name    string
	Columns []string
	// Key is how many of the columns, from the first, identify a row. The first is
	// the stream, unless the rows are Sums.
	Key int
	// Sums says that the columns after the key are sums over streams, of type bigint.
	Sums bool
	// Title is the column that represents a row in a report; empty: none.
	Title string
}

// Row has a value for each column of a table, nil for null, in the type that pgx
// returns for the column; JSON is text.
type Row []any

// ofIntents is domain.OfIntent as a condition on events.
const ofIntents = `type LIKE 'intent.%'`

// Models are the read models there are.
func Models() []Model { return []Model{intentsModel, turnoverModel, paymentsModel, booksModel} }
