package webhooks

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
)

// maxLook bounds how many deliveries a page looks at.
const maxLook = 5000

// The index gives the latest deliveries of each application; merged, they are the
// latest of all.
var pageSQL = `
SELECT ` + deliveryColumns.List("d.") + `, k.reached, k.looked
FROM (
    SELECT array_agg(l.ordinal ORDER BY l.ordinal DESC) FILTER (WHERE $3 = '' OR l.state = $3) AS wanted,
           coalesce(min(l.ordinal), 0) AS reached, count(*) AS looked
    FROM (
        SELECT r.ordinal, r.state FROM applications a CROSS JOIN LATERAL (
            SELECT w.ordinal, w.state FROM webhook_deliveries w
            WHERE w.application_uuid = a.uuid AND ($4 = 0 OR w.ordinal < $4) ORDER BY w.ordinal DESC LIMIT $5
        ) r
        WHERE a.organization_uuid = $1 AND ($2::uuid IS NULL OR a.uuid = $2) ORDER BY r.ordinal DESC LIMIT $5
    ) l
) k
LEFT JOIN LATERAL (
    SELECT ` + deliveryColumns.List("w.") + `
    FROM applications a JOIN webhook_deliveries w ON w.application_uuid = a.uuid
    WHERE a.organization_uuid = $1 AND w.ordinal = ANY (k.wanted[1:$6])
) d ON true
ORDER BY d.ordinal DESC`

// Page is a part of an organisation's deliveries, the latest first.
type Page struct {
	Deliveries []Delivery
	Older      int64 // Filter.Before of what comes after; 0: there is no more
	// Partial says that the search stopped before the page was full; Older goes on
	// with it.
	Partial bool
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
	rows, err := d.pool.Query(ctx, pageSQL, pgx.QueryExecModeCacheDescribe, of, f.Application, f.State, f.Before, look, limit+1)
	if err != nil {
		return Page{}, fmt.Errorf("list deliveries: %w", err)
	}
	defer rows.Close()
	var (
		page    Page
		reached int64
		looked  int
	)
	for rows.Next() {
		values := rows.RawValues()
		if values[0] == nil { // none was wanted
			places := make([]any, len(values))
			places[len(values)-2], places[len(values)-1] = &reached, &looked
			if err := rows.Scan(places...); err != nil {
				return Page{}, fmt.Errorf("list deliveries: %w", err)
			}
			continue
		}
		var v Delivery
		if err := rows.Scan(deliveryColumns.Fields(&v, &reached, &looked)...); err != nil {
			return Page{}, fmt.Errorf("list deliveries: %w", err)
		}
		page.Deliveries = append(page.Deliveries, v)
	}
	if err := rows.Err(); err != nil {
		return Page{}, fmt.Errorf("list deliveries: %w", err)
	}
	switch {
	case len(page.Deliveries) > limit:
		page.Deliveries = page.Deliveries[:limit]
		page.Older = page.Deliveries[limit-1].Cursor
	case looked == look:
		page.Older, page.Partial = reached, true
	}
	return page, nil
}

const lastSuccessSQL = `
SELECT a.uuid, t.at
FROM applications a CROSS JOIN LATERAL (
    SELECT max(t.at) AS at FROM webhook_tries t WHERE t.error = '' AND t.delivery_uuid IN (
        SELECT d.uuid FROM webhook_deliveries d WHERE d.application_uuid = a.uuid ORDER BY d.ordinal DESC LIMIT 100
    )
) t
WHERE a.organization_uuid = $1 AND t.at IS NOT NULL`

// LastSuccess is when each application's endpoint last took one of the latest
// hundred deliveries; an application is left out where it took none.
func (d *Deliveries) LastSuccess(ctx context.Context, of accounts.OrganizationID) (map[domain.ApplicationID]time.Time, error) {
	rows, err := d.pool.Query(ctx, lastSuccessSQL, of)
	if err != nil {
		return nil, fmt.Errorf("find last successes: %w", err)
	}
	all := make(map[domain.ApplicationID]time.Time)
	var id domain.ApplicationID
	var at time.Time
	if _, err = pgx.ForEachRow(rows, []any{&id, &at}, func() error {
		all[id] = at
		return nil
	}); err != nil {
		return nil, fmt.Errorf("find last successes: %w", err)
	}
	return all, nil
}

var ofIntentSQL = `
SELECT ` + deliveryColumns.List("d.") + `
FROM webhook_deliveries d JOIN applications a ON a.uuid = d.application_uuid
WHERE a.organization_uuid = $1 AND d.intent_uuid = $2 ORDER BY d.sequence DESC LIMIT 30`

// OfIntent are the latest deliveries about one of the organisation's intents, at
// most thirty.
func (d *Deliveries) OfIntent(ctx context.Context, of accounts.OrganizationID, id domain.IntentID) ([]Delivery, error) {
	return postgres.List(ctx, d.pool, "list deliveries of an intent", deliveryColumns.Scan, ofIntentSQL, of, id)
}
