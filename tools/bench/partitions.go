package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// attachSQL makes the table of events the first partition of a new table that takes its name and appends to
// a second partition; no event is moved. The new table gets the grants and triggers of the migrations.
// PostgreSQL has no unique key of streams over all partitions, so each partition has its own.
const attachSQL = `
ALTER TABLE events RENAME TO events_first;
CREATE TABLE events (
    LIKE events_first, CONSTRAINT events_by_position PRIMARY KEY (position)
) PARTITION BY RANGE (position);
ALTER TABLE events ATTACH PARTITION events_first
FOR VALUES FROM (1) TO (%[1]d);
CREATE TABLE events_next PARTITION OF events (UNIQUE (stream_id, version))
FOR VALUES FROM (%[1]d) TO (MAXVALUE);
GRANT SELECT, INSERT ON events TO daftar_service;
CREATE TRIGGER events_are_append_only
BEFORE UPDATE OR DELETE ON events
FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER events_have_no_gaps
AFTER INSERT ON events
REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION refuse_gaps()`

// split partitions the log of each size by position and measures it again.
func (c *scaling) split(ctx context.Context) error {
	for n, l := range c.logs {
		// The constraint proves the bounds, so that ATTACH PARTITION need not scan the table.
		const boundsSQL = `
ALTER TABLE events
ADD CONSTRAINT events_first_part CHECK (position >= 1 AND position < %d)`
		if err := execute(ctx, l.pool, fmt.Sprintf(boundsSQL, l.size+1)); err != nil {
			return err
		}
		began := time.Now()
		if err := execute(ctx, l.pool, fmt.Sprintf(attachSQL, l.size+1)); err != nil {
			return err
		}
		c.note(n, "the table became a partition", "ms", float64(time.Since(began).Milliseconds()))
	}
	const with = " with 2 partitions"
	for n, l := range c.logs {
		if err := c.measureAppends(ctx, c.rounds, appends{log: n, name: "creates" + with}); err != nil {
			return err
		}
		var err error
		if l.size, err = headOf(ctx, l.pool); err != nil {
			return err
		}
		if err := c.hash(ctx, l.name, l.size); err != nil {
			return err
		}
		if err := c.audited(ctx, n, with); err != nil {
			return err
		}
		if err := c.replayed(ctx, n, "intents", with, "verify"); err != nil {
			return err
		}
	}
	return nil
}

// splitMore copies the smallest log into tables of 0, 10 and 100 partitions and measures appends to each,
// in turn.
func (c *scaling) splitMore(ctx context.Context) error {
	l := c.logs[0]
	tables := []string{"events_whole", "events_10", "events_100"}
	for n, parts := range []int{0, 10, 100} {
		if err := execute(ctx, l.pool, copySQL(tables[n], parts, l.size)...); err != nil {
			return err
		}
	}
	all := make([]appends, len(tables))
	for n, table := range tables {
		all[n] = appends{
			name: "creates, " + table,
			before: []string{
				`ALTER TABLE events RENAME TO events_aside`,
				`ALTER TABLE ` + table + ` RENAME TO events`,
			},
			after: []string{
				`ALTER TABLE events RENAME TO ` + table,
				`ALTER TABLE events_aside RENAME TO events`,
			},
		}
	}
	if err := c.measureAppends(ctx, c.rounds, all...); err != nil {
		return err
	}
	for _, table := range tables {
		rows, _ := l.pool.Query(ctx, fmt.Sprintf(explainSQL, table)) // CollectRows returns the error
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return fmt.Errorf("explain: %w", err)
		}
		fmt.Fprintf(os.Stderr, "  %s: \n    %s\n", table, strings.Join(plan, "\n    "))
	}
	return nil
}

// explainSQL explains the query by which an append finds the version of a stream: pages read, planning and
// execution time.
const explainSQL = `
EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF)
SELECT version
FROM %s
WHERE stream_id = '0a000000-0000-4000-8000-000000000001'
ORDER BY version DESC
LIMIT 1`

// copySQL copies the log into a table with the given number of partitions, 0 for none. The last partition
// has no upper bound.
func copySQL(table string, parts, size int) []string {
	head := `CREATE TABLE ` + table + ` (LIKE events, PRIMARY KEY (position)`
	statements := []string{head + `, UNIQUE (stream_id, version))`}
	if parts > 0 {
		statements = []string{head + `) PARTITION BY RANGE (position)`}
	}
	for k := range parts {
		to := strconv.Itoa(size/parts*(k+1) + 1)
		if k == parts-1 {
			to = "MAXVALUE"
		}
		const partitionSQL = `
CREATE TABLE %[1]s_%[2]d PARTITION OF %[1]s (UNIQUE (stream_id, version))
FOR VALUES FROM (%[3]d) TO (%[4]s)`
		statements = append(statements, fmt.Sprintf(partitionSQL, table, k, size/parts*k+1, to))
	}
	return append(statements,
		`INSERT INTO `+table+` TABLE events`,
		`GRANT SELECT, INSERT ON `+table+` TO daftar_service`,
		`VACUUM ANALYZE `+table,
		`
CREATE TRIGGER events_have_no_gaps
AFTER INSERT ON `+table+`
REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION refuse_gaps()`)
}
