package webhooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
)

const findDeliverySQL = `
SELECT ` + deliveryColumns + `
FROM webhook_deliveries d JOIN applications a ON a.uuid = d.application_uuid
WHERE d.uuid = $3 AND ($1 OR a.organization_uuid = $2)`

// Find is one delivery; ErrNoDelivery where the tenant has no such delivery.
func (d *Deliveries) Find(ctx context.Context, of Tenant, id DeliveryID) (Delivery, error) {
	rows, err := d.pool.Query(ctx, findDeliverySQL, of.all, [16]byte(of.organization), [16]byte(id))
	if err != nil {
		return Delivery{}, fmt.Errorf("find delivery: %w", err)
	}
	v, err := pgx.CollectExactlyOneRow(rows, scanDelivery)
	if errors.Is(err, pgx.ErrNoRows) {
		return Delivery{}, ErrNoDelivery
	}
	if err != nil {
		return Delivery{}, fmt.Errorf("find delivery: %w", err)
	}
	return v, nil
}

// maxLook bounds how many deliveries a page looks at.
const maxLook = 5000

// The index gives the latest of each application; those of all of them that are
// looked at together are the latest of all.
const pageSQL = `
SELECT ` + deliveryColumns + `, k.reached, k.looked
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
    SELECT w.uuid, w.event, w.application_uuid, w.state, w.attempts, w.next_attempt_at, w.last_status, w.intent_uuid,
           w.sequence, w.occurred_at, w.ordinal
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
	var application *[16]byte
	if f.Application != nil {
		application = (*[16]byte)(f.Application)
	}
	rows, err := d.pool.Query(ctx, pageSQL, pgx.QueryExecModeCacheDescribe, [16]byte(of), application, f.State, f.Before, look, limit+1)
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
		v, err := scanDeliveryAnd(rows, &reached, &looked)
		if err != nil {
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
	rows, err := d.pool.Query(ctx, lastSuccessSQL, [16]byte(of))
	if err != nil {
		return nil, fmt.Errorf("find last successes: %w", err)
	}
	all := make(map[domain.ApplicationID]time.Time)
	var id [16]byte
	var at time.Time
	if _, err = pgx.ForEachRow(rows, []any{&id, &at}, func() error {
		all[id] = at.UTC()
		return nil
	}); err != nil {
		return nil, fmt.Errorf("find last successes: %w", err)
	}
	return all, nil
}

const ofIntentSQL = `
SELECT ` + deliveryColumns + `
FROM webhook_deliveries d JOIN applications a ON a.uuid = d.application_uuid
WHERE a.organization_uuid = $1 AND d.intent_uuid = $2 ORDER BY d.sequence DESC LIMIT 30`

// OfIntent are the latest deliveries about one of the organisation's intents, at
// most thirty.
func (d *Deliveries) OfIntent(ctx context.Context, of accounts.OrganizationID, id domain.IntentID) ([]Delivery, error) {
	rows, err := d.pool.Query(ctx, ofIntentSQL, [16]byte(of), [16]byte(id))
	if err != nil {
		return nil, fmt.Errorf("list deliveries of an intent: %w", err)
	}
	all, err := pgx.CollectRows(rows, scanDelivery)
	if err != nil {
		return nil, fmt.Errorf("list deliveries of an intent: %w", err)
	}
	return all, nil
}
