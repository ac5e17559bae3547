package rebuild

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
	"daftar/projections"
)

// dbColumn is a column of the database, and the expression by which it is compared: json has
// no equality, so its text is compared.
type dbColumn struct{ name, value string }

const columnsSQL = `
SELECT a.attname,
       quote_ident(a.attname) || CASE a.atttypid WHEN 'json'::regtype THEN '::text' ELSE '' END
FROM pg_attribute a
JOIN pg_attribute o ON o.attname = a.attname AND o.atttypid = a.atttypid
WHERE a.attrelid = $1::text::regclass
  AND o.attrelid = $2::text::regclass
  AND a.attnum > 0
  AND NOT a.attisdropped
ORDER BY a.attnum`

// columnsOf are the columns that a table has in common with one that it is compared
// with. Columns that only one of them has are left out, and those of another type: a
// new version of the schema has changed them.
func columnsOf(ctx context.Context, tx pgx.Tx, table, with string) ([]dbColumn, error) {
	return postgres.List(ctx, tx, "list columns of "+table,
		func(row pgx.CollectableRow) (c dbColumn, err error) {
			err = row.Scan(&c.name, &c.value)
			return c, err
		}, columnsSQL, table, with)
}

// read reads the rows of a table whose first column fits a condition; of sums those
// that are not all zeros. The rows have the columns that can be compared with those of
// another table.
func (m model) read(
	ctx context.Context, tx pgx.Tx, table int, at, with tableNamer, condition string, args ...any,
) ([]projections.Row, error) {
	t := m.Tables[table]
	columns, err := columnsOf(ctx, tx, at(t.Name), with(t.Name))
	if err != nil {
		return nil, err
	}
	var values []string
	var places []int // of the values in a row
	for _, c := range columns {
		if n := slices.Index(t.Columns, c.name); n >= 0 {
			values, places = append(values, c.value), append(places, n)
		}
	}
	sql := "SELECT " + list(values) + " FROM " + quoted(at(t.Name))
	if condition != "" {
		sql += " WHERE " + t.Columns[0] + " " + condition
	}
	all, err := postgres.List(ctx, tx, "read "+t.Name, func(r pgx.CollectableRow) (projections.Row, error) {
		found, err := r.Values()
		row := slices.Repeat(projections.Row{absentColumn{}}, len(t.Columns))
		for n, v := range found {
			row[places[n]] = v
		}
		return row, err
	}, sql+" ORDER BY "+list(t.Columns[:t.Key]), args...)
	if t.Sums {
		return totals(t, all), err
	}
	return all, err
}

// verify compares the live tables with the new ones in one snapshot, in which
// both are brought to the same position: concurrent writes are not reported as drift. Its
// changes of the new tables are rolled back.
func (r *rebuild) verify(ctx context.Context) (Report, error) {
	report := Report{Name: r.Name, Drift: []Drift{}}
	tx, err := r.conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
	if err != nil {
		return report, fmt.Errorf("verify: %w", err)
	}
	defer tx.Rollback(context.WithoutCancel(ctx))
	if _, err := tx.Exec(ctx, `SET LOCAL work_mem = '64MB'`); err != nil {
		return report, fmt.Errorf("verify: %w", err)
	}
	position, err := r.target(ctx, tx)
	if err != nil {
		return report, err
	}
	if err := r.advance(ctx, tx, r.run.Position, position); err != nil {
		return report, err
	}
	if err := r.checkCounts(ctx, tx, position); err != nil {
		return report, err
	}
	if err := r.compare(ctx, tx, position, &report); err != nil {
		return report, err
	}
	report.OK, report.Events = len(report.Drift) == 0, position
	return report, nil
}

// checkCounts compares the counts of the new tables with those of the log at that position.
func (r *rebuild) checkCounts(ctx context.Context, tx pgx.Tx, position int64) error {
	var made, log string
	if err := tx.QueryRow(ctx, withTables(r.Counts, r.at), position).Scan(&made, &log); err != nil {
		return fmt.Errorf("count rows: %w", err)
	}
	if made != log {
		return fmt.Errorf("%w: they count %s; the log has %s", errShadow, made, log)
	}
	return nil
}

// compare finds the rows that differ by a query and replays their streams
// here, so that the report describes a field as a verification does.
func (r *rebuild) compare(ctx context.Context, tx pgx.Tx, position int64, report *Report) error {
	var ids []uuid.UUID
	for n, t := range r.Tables {
		if t.Sums {
			made, err := r.read(ctx, tx, n, r.at, r.at, "")
			if err != nil {
				return err
			}
			stored, err := r.read(ctx, tx, n, liveTable, r.at, "")
			if err != nil {
				return err
			}
			report.note(r.differences(n, stored, made))
			continue
		}
		found, err := r.differing(ctx, tx, t)
		if err != nil {
			return err
		}
		ids = append(ids, found...)
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	ids = slices.Compact(ids) // a stream may differ in more than one table
	if len(ids) == 0 {
		return nil
	}
	b := newTableBuilder(r.model)
	if _, err := eachStream(ctx, tx, b.add, streamsSQL, bytesOf(ids), position); err != nil {
		return err
	}
	var wrong Report
	if err := b.compare(ctx, tx, r.at, r.at, &wrong, "= ANY($1)", bytesOf(ids)); err != nil {
		return err
	}
	if len(wrong.Drift) > 0 {
		return fmt.Errorf("%w: %v", errShadow, wrong.Drift[0])
	}
	if err := b.compare(ctx, tx, liveTable, r.at, report, "= ANY($1)", bytesOf(ids)); err != nil {
		return err
	}
	if len(report.Drift) == 0 { // a column differs that the program does not know
		for _, id := range ids {
			report.note([]Drift{{UUID: id.String(), Stored: "(another form)", Replayed: "(the same values)"}})
		}
	}
	return nil
}

// differing are the streams of which the live table and the new one have
// different rows, at most as many as a report lists.
func (r *rebuild) differing(ctx context.Context, tx pgx.Tx, t projections.Table) ([]uuid.UUID, error) {
	columns, err := columnsOf(ctx, tx, t.Name, r.at(t.Name))
	if err != nil {
		return nil, err
	}
	var stored, replayed, same []string
	for _, c := range columns {
		stored, replayed = append(stored, "o."+c.value), append(replayed, "n."+c.value)
	}
	for _, key := range t.Columns[:t.Key] {
		same = append(same, "o."+key+" = n."+key)
	}
	o, n := "o."+t.Columns[0], "n."+t.Columns[0]
	sql := "SELECT DISTINCT coalesce(" + o + ", " + n + ") AS stream" +
		" FROM " + quoted(t.Name) + " o" +
		" FULL JOIN " + quoted(r.at(t.Name)) + " n ON " + strings.Join(same, " AND ") +
		" WHERE " + o + " IS NULL OR " + n + " IS NULL" +
		" OR (" + list(stored) + ") IS DISTINCT FROM (" + list(replayed) + ")" +
		" ORDER BY stream LIMIT $1"
	return postgres.List(ctx, tx, "compare "+t.Name, pgx.RowTo[uuid.UUID], sql, maxDrift)
}
