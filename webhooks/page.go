package webhooks

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/domain"
	"daftar/internal/postgres"
)

// maxScanned bounds how many deliveries one page reads.
const maxScanned = 5000

// allRangesSQL gives each application the range of all ordinals.
const allRangesSQL = `
SELECT uuid, 0::bigint AS low, 9223372036854775807 AS high
FROM applications
WHERE organization_uuid = $1
  AND mode = $9
  AND ($2::uuid IS NULL OR uuid = $2)`

// timeRangesSQL gives each application the range of ordinals in which the deliveries of a
// period lie: above low, and up to high. Deliveries are recorded in the order of their events,
// so it finds each end by bisection: about thirty look-ups of the key, however many deliveries
// there are, and no index of times. Deliveries of about the same time may be recorded in
// another order, which slack allows for. What a replay recorded long after it happened is not
// found by its time.
const timeRangesSQL = `
WITH RECURSIVE halved AS (
    SELECT a.uuid, e.is_low, e.at, 0::bigint AS low, n.ordinal + 1 AS high
    FROM applications a
    CROSS JOIN (VALUES (true, coalesce($7::timestamptz, '-infinity') - $10::interval),
                       (false, coalesce($8::timestamptz, 'infinity') + $10::interval)) AS e(is_low, at)
    CROSS JOIN LATERAL (
        SELECT ordinal
        FROM webhook_deliveries
        WHERE application_uuid = a.uuid
        ORDER BY ordinal DESC
        LIMIT 1) n
    WHERE a.organization_uuid = $1
      AND a.mode = $9
      AND ($2::uuid IS NULL OR a.uuid = $2)
    UNION ALL
    SELECT h.uuid, h.is_low, h.at, CASE WHEN m.occurred_at < h.at THEN m.ordinal ELSE h.low END,
           CASE WHEN m.occurred_at < h.at THEN h.high ELSE (h.low + h.high) / 2 END
    FROM halved h
    LEFT JOIN LATERAL (
        SELECT ordinal, occurred_at
        FROM webhook_deliveries
        WHERE application_uuid = h.uuid
          AND ordinal >= (h.low + h.high) / 2
          AND ordinal < h.high
        ORDER BY ordinal
        LIMIT 1
    ) m ON true
    WHERE h.high - h.low > 1
)
SELECT uuid, max(low) FILTER (WHERE is_low) AS low, max(low) FILTER (WHERE NOT is_low) AS high
FROM halved
WHERE high - low <= 1
GROUP BY uuid`

// slack is how far the order of recording may differ from the order of the events' times.
const slack = time.Minute

// scanSQL finds deliveries in ranges of ordinals, the latest first. The index gives the latest
// of each application; merged, they are the latest of all.
func scanSQL(ranges string) string {
	return `
SELECT array_agg(l.ordinal ORDER BY l.ordinal DESC) FILTER (
           WHERE ($3 = '' OR l.state = $3)
             AND ($6 = '' OR l.event = $6)
             AND ($7::timestamptz IS NULL OR l.occurred_at >= $7)
             AND ($8::timestamptz IS NULL OR l.occurred_at < $8)),
       coalesce(min(l.ordinal), 0), count(*)
FROM (
    SELECT r.ordinal, r.state, r.event, r.occurred_at
    FROM (` + ranges + `) a
    CROSS JOIN LATERAL (
        SELECT w.ordinal, w.state, w.event, w.occurred_at
        FROM webhook_deliveries w
        WHERE w.application_uuid = a.uuid
          AND w.ordinal > a.low
          AND w.ordinal <= a.high
          AND ($4 = 0 OR w.ordinal < $4)
        ORDER BY w.ordinal DESC
        LIMIT $5
    ) r
    ORDER BY r.ordinal DESC
    LIMIT $5
) l`
}

var scanAllSQL, scanPeriodSQL = scanSQL(allRangesSQL), scanSQL(timeRangesSQL)

var pageSQL = `
SELECT ` + deliveryColumns.List("d.") + `
FROM applications a
JOIN ` + fullRows + ` d ON d.application_uuid = a.uuid
WHERE a.organization_uuid = $1
  AND d.ordinal = ANY ($2)
ORDER BY d.ordinal DESC`

// Page is a part of an organisation's deliveries, the latest first.
type Page struct {
	Deliveries []Delivery
	Older      int64 // the Filter.Before of the next page; 0: there is no more
	// Partial: the search stopped before the page was full; a search from Older continues it.
	Partial bool
}

// scanned is what a page found among the deliveries that it read.
type scanned struct {
	Matching []int64 // ordinals
	Reached  int64   // the lowest ordinal that was read
	Count    int
}

// Page lists up to limit deliveries of a tenant (at most 200), by
// application, state, event, time and Before of the filter. However many there are, it reads
// a bounded number.
func (d *Deliveries) Page(ctx context.Context, of domain.Tenant, f Filter) (Page, error) {
	limit := min(f.Limit, 200)
	if limit <= 0 {
		limit = 50
	}
	most := limit + 1
	timed := !f.From.IsZero() || !f.To.IsZero()
	if f.State != "" || f.Event != "" || timed {
		most = maxScanned
	}
	from, to := zeronull.Timestamptz(f.From), zeronull.Timestamptz(f.To)
	sql := scanAllSQL
	arguments := []any{
		pgx.QueryExecModeCacheDescribe, of.Organization, f.Application, f.State, f.Before, most, f.Event,
		from, to, of.Mode,
	}
	if timed {
		sql, arguments = scanPeriodSQL, append(arguments, slack)
	}
	found, err := postgres.Find(ctx, d.pool, "look for deliveries", nil,
		pgx.RowToStructByPos[scanned], sql, arguments...)
	if err != nil {
		return Page{}, err
	}
	var page Page
	switch {
	case len(found.Matching) > limit:
		found.Matching = found.Matching[:limit]
		page.Older = found.Matching[limit-1]
	case found.Count == most:
		page.Older, page.Partial = found.Reached, true
	}
	page.Deliveries, err = postgres.List(ctx, d.pool, "list deliveries", deliveryColumns.Scan, pageSQL,
		pgx.QueryExecModeCacheDescribe, of.Organization, found.Matching)
	return page, err
}
