package checker

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
)

// Both leave out the streams of parked events. The hash aggregate and the window function
// each read the log once.
const (
	wholeSQL = `
SELECT stream_id::text, count(*), min(version), max(version),
       count(*) FILTER (WHERE type = ANY ($2)),
       count(*) FILTER (WHERE type = $3), coalesce(min(version) FILTER (WHERE type = $3), 0)
FROM events
WHERE stream_id NOT IN (SELECT stream_id FROM events WHERE position = ANY ($1))
GROUP BY stream_id
HAVING count(*) <> max(version)
    OR min(version) <> 1
    OR count(*) FILTER (WHERE type = ANY ($2)) > 1
    OR bool_or(type LIKE 'intent.%') AND count(*) FILTER (WHERE type = $3) <> 1
    OR min(version) FILTER (WHERE type = $3) <> 1
LIMIT 1000`
	outOfOrderSQL = `
SELECT stream_id::text, version, position, before
FROM (
    SELECT stream_id, version, position,
           lag(position) OVER (PARTITION BY stream_id ORDER BY version) AS before,
           lag(version) OVER (PARTITION BY stream_id ORDER BY version) AS version_before
    FROM events
    WHERE stream_id NOT IN (SELECT stream_id FROM events WHERE position = ANY ($1))
) e
WHERE before >= position
   OR version_before + 1 <> version
LIMIT 1000`
)

// whole is I3, checked with SQL only.
func (c *checker) whole(ctx context.Context, f *finding) error {
	f.looked = int64(len(c.log.streams))
	parked := c.parked()
	rows, err := c.pool.Query(ctx, wholeSQL, parked, success, domain.TypeCreated)
	if err != nil {
		return fmt.Errorf("count events of streams: %w", err)
	}
	var stream string
	var n, least, most, won, begun, first int64
	_, err = pgx.ForEachRow(rows, []any{&stream, &n, &least, &most, &won, &begun, &first}, func() error {
		f.wrongf("intent %s: %d events with versions %d to %d, %d successes, %d created (the first is version %d)",
			stream, n, least, most, won, begun, first)
		return nil
	})
	if err != nil {
		return fmt.Errorf("count events of streams: %w", err)
	}
	if rows, err = c.pool.Query(ctx, outOfOrderSQL, parked); err != nil {
		return fmt.Errorf("compare versions with positions: %w", err)
	}
	var version, position, before int64
	_, err = pgx.ForEachRow(rows, []any{&stream, &version, &position, &before}, func() error {
		f.wrongf("intent %s: version %d at position %d follows the one at %d", stream, version, position, before)
		return nil
	})
	if err != nil {
		return fmt.Errorf("compare versions with positions: %w", err)
	}
	return nil
}

// parked is never nil: position = ANY (NULL) would be NULL, not false.
func (c *checker) parked() []int64 {
	if c.o.Parked == nil {
		return []int64{}
	}
	return c.o.Parked
}

// legal is I4: it reports the problems that the fold found.
func (c *checker) legal(_ context.Context, f *finding) error {
	f.looked = c.log.events
	for _, why := range c.log.strange {
		f.wrongf("%s", why)
	}
	for _, s := range c.log.inOrder() {
		if s.problem != "" {
			f.wrongf("intent %s: %s", s.id, s.problem)
		}
	}
	return nil
}
