package webhooks

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/accounts"
	"daftar/internal/postgres"
)

// maxLook bounds how many deliveries a page looks at.
const maxLook = 5000

// allSQL are the places of all deliveries of each application.
const allSQL = `
SELECT uuid, 0::bigint AS low, 9223372036854775807 AS high FROM applications
WHERE organization_uuid = $1 AND ($2::uuid IS NULL OR uuid = $2)`

// between says between which places of each application the deliveries of a time lie: after
// low, and up to high. They are recorded in the order of their events, so the range is halved
// until the place is found, with a look-up of the key each: some thirty for each end, however
// many deliveries there are, and no index of times. What happens at about the same time may be
// recorded the other way round, which slack allows for. What a replay recorded long after it
// happened is not found by its time.
const between = `
WITH RECURSIVE halved AS (
    SELECT a.uuid, e.is_low, e.at, 0::bigint AS low, n.ordinal + 1 AS high
    FROM applications a
         CROSS JOIN (VALUES (true, coalesce($7::timestamptz, '-infinity') - $9::interval), (false, coalesce($8::timestamptz, 'infinity') + $9::interval)) AS e(is_low, at)
         CROSS JOIN LATERAL (SELECT ordinal FROM webhook_deliveries WHERE application_uuid = a.uuid ORDER BY ordinal DESC LIMIT 1) n
    WHERE a.organization_uuid = $1 AND ($2::uuid IS NULL OR a.uuid = $2)
    UNION ALL
    SELECT h.uuid, h.is_low, h.at, CASE WHEN m.occurred_at < h.at THEN m.ordinal ELSE h.low END,
           CASE WHEN m.occurred_at < h.at THEN h.high ELSE (h.low + h.high) / 2 END
    FROM halved h LEFT JOIN LATERAL (
        SELECT ordinal, occurred_at FROM webhook_deliveries
        WHERE application_uuid = h.uuid AND ordinal >= (h.low + h.high) / 2 AND ordinal < h.high ORDER BY ordinal LIMIT 1
    ) m ON true
    WHERE h.high - h.low > 1
)
SELECT uuid, max(low) FILTER (WHERE is_low) AS low, max(low) FILTER (WHERE NOT is_low) AS high
FROM halved WHERE high - low <= 1 GROUP BY uuid`

// slack is by how much of a time deliveries may be recorded in another order than they happened.
const slack = time.Minute

// look finds deliveries at those places, the latest first. The index gives the latest of each
// application; merged, they are the latest of all.
func look(places string) string {
	return `
SELECT array_agg(l.ordinal ORDER BY l.ordinal DESC) FILTER (WHERE ($3 = '' OR l.state = $3) AND ($6 = '' OR l.event = $6)
           AND ($7::timestamptz IS NULL OR l.occurred_at >= $7) AND ($8::timestamptz IS NULL OR l.occurred_at < $8)),
       coalesce(min(l.ordinal), 0), count(*)
FROM (
    SELECT r.ordinal, r.state, r.event, r.occurred_at FROM (` + places + `) a CROSS JOIN LATERAL (
        SELECT w.ordinal, w.state, w.event, w.occurred_at FROM webhook_deliveries w
        WHERE w.application_uuid = a.uuid AND w.ordinal > a.low AND w.ordinal <= a.high AND ($4 = 0 OR w.ordinal < $4)
        ORDER BY w.ordinal DESC LIMIT $5
    ) r
    ORDER BY r.ordinal DESC LIMIT $5
) l`
}

var lookSQL, lookBetweenSQL = look(allSQL), look(between)

var pageSQL = `
SELECT ` + deliveryColumns.List("d.") + `
FROM applications a JOIN webhook_deliveries d ON d.application_uuid = a.uuid
WHERE a.organization_uuid = $1 AND d.ordinal = ANY ($2) ORDER BY d.ordinal DESC`

// Page is a part of an organisation's deliveries, the latest first.
type Page struct {
	Deliveries []Delivery
	Older      int64 // Filter.Before of what comes after; 0: there is no more
	// Partial says that the search stopped before the page was full; Older goes on
	// with it.
	Partial bool
}

// looked is what a page found among the deliveries that it looked at.
type looked struct {
	Wanted  []int64 // ordinals
	Reached int64
	Count   int
}

// Page lists up to limit deliveries of an organisation (at most 200), by
// application, state, event, time and Before of the filter. However many there are it looks at
// a bounded number.
func (d *Deliveries) Page(ctx context.Context, of accounts.OrganizationID, f Filter) (Page, error) {
	limit := min(f.Limit, 200)
	if limit <= 0 {
		limit = 50
	}
	most := limit + 1
	timed := !f.From.IsZero() || !f.To.IsZero()
	if f.State != "" || f.Event != "" || timed {
		most = maxLook
	}
	from, to := zeronull.Timestamptz(f.From), zeronull.Timestamptz(f.To)
	sql, arguments := lookSQL,
		[]any{pgx.QueryExecModeCacheDescribe, of, f.Application, f.State, f.Before, most, f.Event, from, to}
	if timed {
		sql, arguments = lookBetweenSQL, append(arguments, slack)
	}
	found, err := postgres.Find(ctx, d.pool, "look for deliveries", nil, pgx.RowToStructByPos[looked],
		sql, arguments...)
	if err != nil {
		return Page{}, err
	}
	var page Page
	switch {
	case len(found.Wanted) > limit:
		found.Wanted = found.Wanted[:limit]
		page.Older = found.Wanted[limit-1]
	case found.Count == most:
		page.Older, page.Partial = found.Reached, true
	}
	page.Deliveries, err = postgres.List(ctx, d.pool, "list deliveries", deliveryColumns.Scan, pageSQL,
		pgx.QueryExecModeCacheDescribe, of, found.Wanted)
	return page, err
}
