package webhooks

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
)

// Endpoint is where an application's webhooks go, and its health.
type Endpoint struct {
	Application  domain.ApplicationID
	URL          *string
	Failures     int // in a row, since the last success
	FailingSince *time.Time
	DisabledAt   *time.Time // nil: webhooks are sent
	Gone         bool       // disabled by the answer 410, and not by days of failures
	// Last is the latest try among the latest hundred deliveries; nil where there
	// is none.
	Last *Try
	// Delivered says that one of those arrived.
	Delivered bool
}

// Failing says whether the endpoint is tried less often because it keeps failing.
func (e Endpoint) Failing() bool { return e.Failures >= failuresToOpen }

// Health counts only for the present URL. The bound keeps the page fast where an
// endpoint is disabled with a million deliveries held.
const endpointsSQL = `
SELECT a.uuid, a.webhook_url, coalesce(e.failures, 0), e.failing_since, e.disabled_at, coalesce(e.disabled_for = 'gone', false),
       t.attempt, t.at, t.duration, t.status, t.error, coalesce(l.delivered, false)
FROM applications a
LEFT JOIN webhook_endpoints e ON e.application_uuid = a.uuid AND e.url = a.webhook_url
LEFT JOIN LATERAL (
    SELECT array_agg(d.uuid) FILTER (WHERE d.attempts > 0) AS tried, bool_or(d.state = 'delivered') AS delivered
    FROM (SELECT uuid, attempts, state FROM webhook_deliveries WHERE application_uuid = a.uuid ORDER BY ordinal DESC LIMIT 100) d
) l ON true
LEFT JOIN LATERAL (
    SELECT attempt, at, duration, status, error FROM webhook_tries WHERE delivery_uuid = ANY (l.tried) ORDER BY at DESC LIMIT 1
) t ON true
WHERE a.organization_uuid = $1`

// Endpoints are those of an organisation's applications. It needs SeeWebhooks.
func (d *Deliveries) Endpoints(ctx context.Context, by accounts.Actor, of accounts.OrganizationID) (map[domain.ApplicationID]Endpoint, error) {
	if err := d.accounts.Authorize(ctx, by, of, accounts.SeeWebhooks); err != nil {
		return nil, err
	}
	rows, err := d.pool.Query(ctx, endpointsSQL, of)
	if err != nil {
		return nil, fmt.Errorf("list endpoints: %w", err)
	}
	all := make(map[domain.ApplicationID]Endpoint)
	var (
		e        Endpoint
		attempt  *int
		at       *time.Time
		duration *time.Duration
		status   *int
		kind     *string
	)
	_, err = pgx.ForEachRow(rows, []any{
		&e.Application, &e.URL, &e.Failures, &e.FailingSince, &e.DisabledAt, &e.Gone, &attempt, &at, &duration, &status, &kind, &e.Delivered,
	}, func() error {
		e.Last = nil
		if attempt != nil {
			e.Last = &Try{Attempt: *attempt, At: *at, Duration: *duration, Status: status, Error: *kind}
		}
		all[e.Application] = e
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list endpoints: %w", err)
	}
	return all, nil
}
