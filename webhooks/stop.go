package webhooks

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
)

const countStoppedSQL = `
SELECT count(*)
FROM applications a
CROSS JOIN LATERAL (
    SELECT url, disabled_at
    FROM webhook_endpoints
    WHERE application_uuid = a.uuid
    OFFSET 0
) e
WHERE a.organization_uuid = $1
  AND a.mode = $2
  AND e.url = a.webhook_url
  AND e.disabled_at IS NOT NULL`

// CountStopped counts the endpoints of a tenant that are disabled.
func (d *Deliveries) CountStopped(ctx context.Context, of domain.Tenant) (int, error) {
	return postgres.Find(ctx, d.pool, "count stopped endpoints", nil, pgx.RowTo[int], countStoppedSQL,
		of.Organization, of.Mode)
}

// Stop is that an endpoint was disabled.
type Stop struct {
	Application domain.ApplicationID
	At          time.Time
	Gone        bool // by the answer 410, and not by days of failures
}

// tellStop tells of an endpoint within the transaction that disables it, so once for each stop.
func (d *Dispatcher) tellStop(ctx context.Context, tx pgx.Tx, id domain.ApplicationID, h health) error {
	if d.onStop == nil {
		return nil
	}
	return d.onStop(ctx, tx, Stop{Application: id, At: *h.DisabledAt, Gone: h.DisabledFor == disabledGone})
}
