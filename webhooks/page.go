package webhooks

import (
	"context"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/postgres"
)

// maxLook bounds how many deliveries a page looks at.
const maxLook = 5000

// The index gives the latest deliveries of each application; merged, they are the
// latest of all.
const lookSQL = `
SELECT array_agg(l.ordinal ORDER BY l.ordinal DESC) FILTER (WHERE $3 = '' OR l.state = $3), coalesce(min(l.ordinal), 0), count(*)
FROM (
    SELECT r.ordinal, r.state FROM applications a CROSS JOIN LATERAL (
        SELECT w.ordinal, w.state FROM webhook_deliveries w
        WHERE w.application_uuid = a.uuid AND ($4 = 0 OR w.ordinal < $4) ORDER BY w.ordinal DESC LIMIT $5
    ) r
    WHERE a.organization_uuid = $1 AND ($2::uuid IS NULL OR a.uuid = $2) ORDER BY r.ordinal DESC LIMIT $5
) l`

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
// application, state and Before of the filter. However many there are it looks at
// a bounded number.
func (d *Deliveries) Page(ctx context.Context, of accounts.OrganizationID, f Filter) (Page, error) {
	limit := min(f.Limit, 200)
	if limit <= 0 {
		limit = 50
	}
	look := limit + 1
	if f.State != "" {
		look = maxLook
	}
	found, err := postgres.Find(ctx, d.pool, "look for deliveries", nil, pgx.RowToStructByPos[looked], lookSQL,
		pgx.QueryExecModeCacheDescribe, of, f.Application, f.State, f.Before, look)
	if err != nil {
		return Page{}, err
	}
	var page Page
	switch {
	case len(found.Wanted) > limit:
		found.Wanted = found.Wanted[:limit]
		page.Older = found.Wanted[limit-1]
	case found.Count == look:
		page.Older, page.Partial = found.Reached, true
	}
	page.Deliveries, err = postgres.List(ctx, d.pool, "list deliveries", deliveryColumns.Scan, pageSQL,
		pgx.QueryExecModeCacheDescribe, of, found.Wanted)
	return page, err
}
