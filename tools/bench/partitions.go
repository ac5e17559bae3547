package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/tools/bench/figures"
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
		if _, err := l.pool.Exec(ctx, fmt.Sprintf(boundsSQL, l.size+1)); err != nil {
			return fmt.Errorf("bound the first partition: %w", err)
		}
		began := time.Now()
		if _, err := l.pool.Exec(ctx, fmt.Sprintf(attachSQL, l.size+1)); err != nil {
			return fmt.Errorf("partition events: %w", err)
		}
		c.note(n, "the table became a partition", "ms", float64(time.Since(began).Milliseconds()))
	}
	for n, l := range c.logs {
		var found []figures.Result
		for range c.stage.rounds {
			r, err := c.appendsOn(ctx, l.site)
			if err != nil {
				return err
			}
			found = append(found, r)
		}
		c.noteAppends(n, "creates with 2 partitions", found)
		if err := c.afterSplit(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// afterSplit hashes the new events, then verifies the tree and the intents over the whole log again.
func (c *scaling) afterSplit(ctx context.Context, n int) error {
	l := c.logs[n]
	if err := c.end(ctx, n); err != nil {
		return err
	}
	if err := c.hash(ctx, l.site.name, int64(l.size)); err != nil {
		return err
	}
	if err := c.audit(ctx, n, " with 2 partitions"); err != nil {
		return err
	}
	return c.replay(ctx, n, "verify", "intents", " with 2 partitions")
}

// splitMore copies the smallest log into tables of 0, 10 and 100 partitions and measures appends to each,
// in turn.
func (c *scaling) splitMore(ctx context.Context) error {
	l := c.logs[0]
	tables := []string{"events_whole", "events_10", "events_100"}
	for _, t := range []struct {
		name  string
		parts int
	}{{tables[0], 0}, {tables[1], 10}, {tables[2], 100}} {
		if err := copyInto(ctx, l.pool, t.name, t.parts, l.size); err != nil {
			return err
		}
	}
	found := map[string][]figures.Result{}
	for range c.stage.rounds {
		for _, table := range tables {
			r, err := c.appendsTo(ctx, table)
			if err != nil {
				return err
			}
			found[table] = append(found[table], r)
		}
	}
	for _, table := range tables {
		c.noteAppends(0, "creates, "+table, found[table])
		plan, err := planOf(ctx, l.pool, table)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "  %s: %s\n", table, plan)
	}
	return nil
}

// copyInto copies the log into a table with the given number of partitions, 0 for none. The last partition
// has no upper bound.
func copyInto(ctx context.Context, pool *pgxpool.Pool, table string, parts, size int) error {
	head := `CREATE TABLE ` + table + ` (LIKE events, PRIMARY KEY (position)`
	statements := []string{head + `, UNIQUE (stream_id, version))`}
	if parts > 0 {
		statements = []string{head + `) PARTITION BY RANGE (position)`}
		for k := range parts {
			to := fmt.Sprint(size/parts*(k+1) + 1)
			if k == parts-1 {
				to = "MAXVALUE"
			}
			const partitionSQL = `
CREATE TABLE %[1]s_%[2]d PARTITION OF %[1]s (UNIQUE (stream_id, version))
FOR VALUES FROM (%[3]d) TO (%[4]s)`
			statements = append(statements, fmt.Sprintf(partitionSQL, table, k, size/parts*k+1, to))
		}
	}
	statements = append(statements,
		`INSERT INTO `+table+` TABLE events`,
		`GRANT SELECT, INSERT ON `+table+` TO daftar_service`,
		`VACUUM ANALYZE `+table,
		`
CREATE TRIGGER events_have_no_gaps
AFTER INSERT ON `+table+`
REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION refuse_gaps()`)
	for _, sql := range statements {
		if _, err := pool.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

// appendsTo measures creates while the given table replaces events.
func (c *scaling) appendsTo(ctx context.Context, table string) (r figures.Result, err error) {
	l := c.logs[0]
	swap := func(from, to string) error {
		if _, err := l.pool.Exec(ctx, `ALTER TABLE `+from+` RENAME TO `+to); err != nil {
			return fmt.Errorf("swap tables: %w", err)
		}
		return nil
	}
	for _, s := range [][2]string{{"events", "events_aside"}, {table, "events"}} {
		if err := swap(s[0], s[1]); err != nil {
			return r, err
		}
	}
	if r, err = c.appendsOn(ctx, l.site); err != nil {
		return r, err
	}
	for _, s := range [][2]string{{"events", table}, {"events_aside", "events"}} {
		if err := swap(s[0], s[1]); err != nil {
			return r, err
		}
	}
	return r, nil
}

// planOf explains the query by which an append finds the version of a stream: pages read, planning and
// execution time.
func planOf(ctx context.Context, pool *pgxpool.Pool, table string) (string, error) {
	rows, err := pool.Query(ctx, `
EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF)
SELECT version
FROM `+table+`
WHERE stream_id = '0a000000-0000-4000-8000-000000000001'
ORDER BY version DESC
LIMIT 1`)
	if err != nil {
		return "", fmt.Errorf("explain: %w", err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return "", fmt.Errorf("explain: %w", err)
	}
	return "\n    " + strings.Join(lines, "\n    "), nil
}
