package rebuild

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/projections"
)

// tableNamer returns the name of a table of the read model in the database.
type tableNamer func(table string) string

// liveTable names the tables that are served.
func liveTable(table string) string { return table }

// withTables fills in the tables that a statement names in braces.
func withTables(sql string, at tableNamer) string {
	for {
		_, rest, found := strings.Cut(sql, "{")
		if !found {
			return sql
		}
		name, _, _ := strings.Cut(rest, "}")
		sql = strings.ReplaceAll(sql, "{"+name+"}", quoted(at(name)))
	}
}

func quoted(name string) string { return pgx.Identifier{name}.Sanitize() }

// tableBuilder turns streams into rows of a read model's tables.
type tableBuilder struct {
	model
	rows  [][]projections.Row          // of each table
	sums  []map[rowKey]projections.Row // of each table of sums
	moved [][16]byte                   // streams whose rows replace existing ones
}

func newTableBuilder(m model) *tableBuilder {
	b := &tableBuilder{model: m, sums: make([]map[rowKey]projections.Row, len(m.Tables))}
	for n := range b.sums {
		b.sums[n] = map[rowKey]projections.Row{}
	}
	b.clearRows()
	return b
}

// clearRows drops everything but the sums.
func (b *tableBuilder) clearRows() { b.rows, b.moved = make([][]projections.Row, len(b.Tables)), nil }

// add adds a whole stream.
func (b *tableBuilder) add(stream []eventstore.Recorded) error { return b.count(stream, 1) }

// replace adds a stream of which the tables have the events up to a position already.
func (b *tableBuilder) replace(stream []eventstore.Recorded, position int64) error {
	known := slices.IndexFunc(stream, func(e eventstore.Recorded) bool { return e.Position > position })
	if known > 0 {
		b.moved = append(b.moved, stream[0].Stream)
		if slices.ContainsFunc(b.Tables, func(t projections.Table) bool { return t.Sums }) {
			if err := b.count(stream[:known], -1); err != nil {
				return err
			}
		}
	}
	return b.count(stream, 1)
}

// count adds the rows of a stream, or subtracts them: n is 1 or -1.
func (b *tableBuilder) count(stream []eventstore.Recorded, n int64) error {
	if b.Only != nil && !b.Only(stream[0].Type) {
		return nil
	}
	made, err := b.Rows(stream)
	if err != nil {
		return err
	}
	for k, t := range b.Tables {
		if t.Sums {
			for _, row := range made[k] {
				b.addSum(k, row, n)
			}
		} else if n > 0 {
			b.rows[k] = append(b.rows[k], made[k]...)
		}
	}
	return nil
}

func (b *tableBuilder) addSum(table int, row projections.Row, n int64) {
	t := b.Tables[table]
	total, found := b.sums[table][keyOf(t, row)]
	if !found {
		total = slices.Clone(row)
		b.sums[table][keyOf(t, row)] = total
	}
	for c := t.Key; c < len(row); c++ {
		value, _ := row[c].(int64)
		before, _ := total[c].(int64)
		if !found {
			before = 0
		}
		total[c] = before + n*value
	}
}

// totals are the rows of a table of sums that are not all zeros. A day on which the only
// intent was canceled, and paid late on another day, is a row of zeros for the group and no
// row for a replay.
func totals(t projections.Table, rows []projections.Row) []projections.Row {
	return slices.DeleteFunc(rows, func(r projections.Row) bool {
		return !slices.ContainsFunc(r[t.Key:], func(v any) bool { return v != int64(0) })
	})
}

// takeSums returns the sums of a table and clears them.
func (b *tableBuilder) takeSums(table int) []projections.Row {
	rows := slices.Collect(maps.Values(b.sums[table]))
	clear(b.sums[table])
	return totals(b.Tables[table], rows)
}

// write writes the added streams to the tables and drops them.
func (b *tableBuilder) write(ctx context.Context, tx pgx.Tx, at tableNamer) error {
	defer b.clearRows()
	for n, t := range b.Tables {
		if t.Sums {
			if err := addSums(ctx, tx, t, at, b.takeSums(n)); err != nil {
				return err
			}
			continue
		}
		if len(b.moved) > 0 {
			sql := "DELETE FROM " + quoted(at(t.Name)) + " WHERE " + t.Columns[0] + " = ANY($1)"
			if _, err := tx.Exec(ctx, sql, b.moved); err != nil {
				return fmt.Errorf("remove rows of %s: %w", t.Name, err)
			}
		}
		values := pgx.CopyFromSlice(len(b.rows[n]), func(k int) ([]any, error) { return b.rows[n][k], nil })
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{at(t.Name)}, t.Columns, values); err != nil {
			return fmt.Errorf("copy rows of %s: %w", t.Name, err)
		}
	}
	return nil
}

// addSums adds rows to the sums in a table.
func addSums(
	ctx context.Context, tx pgx.Tx, t projections.Table, at tableNamer, rows []projections.Row,
) error {
	parameters, sets := make([]string, len(t.Columns)), []string{}
	for n, name := range t.Columns {
		parameters[n] = fmt.Sprintf("$%d", n+1)
		if n >= t.Key {
			sets = append(sets, name+" = t."+name+" + excluded."+name)
		}
	}
	sql := "INSERT INTO " + quoted(at(t.Name)) + " AS t (" + list(t.Columns) + ")" +
		" VALUES (" + list(parameters) + ")" +
		" ON CONFLICT (" + list(t.Columns[:t.Key]) + ") DO UPDATE SET " + list(sets)
	var all pgx.Batch
	for _, row := range rows {
		all.Queue(sql, row...)
	}
	if err := tx.SendBatch(ctx, &all).Close(); err != nil {
		return fmt.Errorf("add to %s: %w", t.Name, err)
	}
	return nil
}

func list(names []string) string { return strings.Join(names, ", ") }
