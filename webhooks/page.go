package webhooks

import (
	"cmp"
	"context"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/domain"
	"daftar/internal/postgres"
)

// maxScanned bounds how many deliveries one page reads.
const maxScanned = 5000

// The index of an application's deliveries has their runs instead of their ordinals: the 128 that follow
// each other are a run. Equal keys are stored once, so it takes a fifth of the space. It gives a run in
// any order. The first 127 + n of its order are n in whole runs at least, so the first n are among them.

const applicationsSQL = `
SELECT uuid
FROM applications
WHERE organization_uuid = $1
  AND mode = $9
  AND ($2::uuid IS NULL OR uuid = $2)`

// timeRangesSQL gives each application the range of runs in which the deliveries of a period lie,
// from low to high. Deliveries are recorded in the order of their events, so it finds each end by
// bisection: about twenty look-ups of any delivery of a run, however many there are, and no index
// of times. A run may lie on both sides of an end, so both ranges have it. Deliveries of about
// the same time may be recorded in another order, which slack allows for. What a replay recorded
// long after it happened is not found by its time.
const timeRangesSQL = `
WITH RECURSIVE halved AS (
    SELECT a.uuid, e.is_low, e.at, 0::bigint AS low, n.run + 1 AS high, n.run AS last
    FROM applications a
    CROSS JOIN (VALUES (true, coalesce($7::timestamptz, '-infinity') - $10::interval),
                       (false, coalesce($8::timestamptz, 'infinity') + $10::interval)) AS e(is_low, at)
    CROSS JOIN LATERAL (
        SELECT ordinal / 128 AS run
        FROM webhook_deliveries
        WHERE application_uuid = a.uuid
        ORDER BY ordinal / 128 DESC
        LIMIT 1) n
    WHERE a.organization_uuid = $1
      AND a.mode = $9
      AND ($2::uuid IS NULL OR a.uuid = $2)
    UNION ALL
    SELECT h.uuid, h.is_low, h.at, CASE WHEN m.occurred_at < h.at THEN m.run ELSE h.low END,
           CASE WHEN m.occurred_at < h.at THEN h.high ELSE (h.low + h.high) / 2 END,
           CASE WHEN m.occurred_at >= h.at THEN m.run ELSE h.last END
    FROM halved h
    LEFT JOIN LATERAL (
        SELECT ordinal / 128 AS run, occurred_at
        FROM webhook_deliveries
        WHERE application_uuid = h.uuid
          AND ordinal / 128 >= (h.low + h.high) / 2
          AND ordinal / 128 < h.high
        ORDER BY ordinal / 128
        LIMIT 1
    ) m ON true
    WHERE h.high - h.low > 1
)
SELECT uuid, max(low) FILTER (WHERE is_low) AS low, min(last) FILTER (WHERE NOT is_low) AS high
FROM halved
WHERE high - low <= 1
GROUP BY uuid`

// slack is how far the order of recording may differ from the order of the events' times.
const slack = time.Minute

// scanSQL finds deliveries of applications, the latest first. The index gives the latest
// of each application; merged, they are the latest of all.
func scanSQL(applications, within string) string {
	return `
SELECT array_agg(l.uuid ORDER BY l.ordinal DESC) FILTER (
           WHERE ($3 = '' OR l.state = $3)
             AND ($6 = '' OR l.event = $6)
             AND ($7::timestamptz IS NULL OR l.occurred_at >= $7)
             AND ($8::timestamptz IS NULL OR l.occurred_at < $8)),
       coalesce(min(l.ordinal), 0), count(*)
FROM (
    SELECT r.uuid, r.ordinal, r.state, r.event, r.occurred_at
    FROM (` + applications + `) a
    CROSS JOIN LATERAL (
        SELECT w.uuid, w.ordinal, w.state, w.event, w.occurred_at
        FROM webhook_deliveries w
        WHERE w.application_uuid = a.uuid
          AND w.ordinal < $4
          AND w.ordinal / 128 <= $4::bigint / 128` + within + `
        ORDER BY w.ordinal / 128 DESC
        LIMIT $5 + 127
    ) r
    ORDER BY r.ordinal DESC
    LIMIT $5
) l`
}

var (
	scanAllSQL    = scanSQL(applicationsSQL, "")
	scanPeriodSQL = scanSQL(timeRangesSQL, `
          AND w.ordinal / 128 BETWEEN a.low AND a.high`)
)

var pageSQL = `
SELECT ` + deliveryColumns.List("d.") + `
FROM ` + fullRows + ` d
WHERE d.uuid = ANY ($1)
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
	Matching []DeliveryID
	Reached  int64 // the lowest ordinal that was read
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
		pgx.QueryExecModeCacheDescribe, of.Organization, f.Application, f.State,
		cmp.Or(f.Before, math.MaxInt64), most, f.Event, from, to, of.Mode,
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
	full := len(found.Matching) > limit
	switch {
	case full:
		found.Matching = found.Matching[:limit]
	case found.Count == most:
		page.Older, page.Partial = found.Reached, true
	}
	page.Deliveries, err = postgres.List(ctx, d.pool, "list deliveries", deliveryColumns.Scan, pageSQL,
		pgx.QueryExecModeCacheDescribe, found.Matching)
	if n := len(page.Deliveries); full && n > 0 {
		page.Older = page.Deliveries[n-1].Cursor
	}
	return page, err
}
