package webhooks

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
)

// Endpoint is where an application's webhooks go, and its health.
type Endpoint struct {
	Application  domain.ApplicationID
	URL          *string
	Failures     int // and slow successes, in a row
	FailingSince *time.Time
	DisabledAt   *time.Time // nil: webhooks are sent
	Gone         bool       // disabled by the answer 410, and not by days of failures
	// Last is the latest try among the latest hundred deliveries; nil where there
	// is none.
	Last *Try
	// LastSuccess is when the endpoint last accepted one of those; nil: it accepted none.
	LastSuccess *time.Time
}

// Failing reports whether the endpoint is tried less often because it keeps failing.
func (e Endpoint) Failing() bool { return e.Failures >= failuresToOpen && e.FailingSince != nil }

// Slow reports whether the endpoint gets one webhook at a time because its answers take long.
func (e Endpoint) Slow() bool { return e.Failures >= failuresToOpen && e.FailingSince == nil }

// Health counts only for the present URL. The bound keeps the page fast where an
// endpoint is disabled with a million deliveries held.
const endpointsSQL = `
SELECT a.uuid, a.webhook_url, coalesce(e.failures, 0), e.failing_since, e.disabled_at,
       coalesce(e.disabled_for = 'gone', false),
       t.attempt, t.at, coalesce(t.duration, '0'), t.status, coalesce(t.error, ''), s.at
FROM applications a
LEFT JOIN webhook_endpoints e ON e.application_uuid = a.uuid AND e.url = a.webhook_url
LEFT JOIN LATERAL (
    SELECT array_agg(d.uuid) FILTER (WHERE d.attempts > 0) AS tried
    FROM (SELECT uuid, attempts
          FROM (SELECT uuid, attempts, ordinal
                FROM webhook_deliveries
                WHERE application_uuid = a.uuid
                ORDER BY ordinal / 128 DESC
                LIMIT 100 + 127) r
          ORDER BY ordinal DESC
          LIMIT 100) d
) l ON true
LEFT JOIN LATERAL (
    SELECT attempt, at, duration, status, error
    FROM webhook_log
    WHERE delivery_uuid = ANY (l.tried)
    ORDER BY at DESC
    LIMIT 1
) t ON true
LEFT JOIN LATERAL (
    SELECT max(at) AS at
    FROM webhook_log
    WHERE delivery_uuid = ANY (l.tried)
      AND error = ''
) s ON true
WHERE a.organization_uuid = $1
  AND a.mode = $2`

// Endpoints are those of a tenant's applications. It needs SeeWebhooks.
func (d *Deliveries) Endpoints(ctx context.Context, by accounts.Actor,
	of domain.Tenant,
) (map[domain.ApplicationID]Endpoint, error) {
	if err := d.accounts.Authorize(ctx, by, accounts.OrganizationID(of.Organization),
		accounts.SeeWebhooks); err != nil {
		return nil, err
	}
	found, err := postgres.List(ctx, d.pool, "list endpoints", scanEndpoint, endpointsSQL,
		of.Organization, of.Mode)
	if err != nil {
		return nil, err
	}
	all := make(map[domain.ApplicationID]Endpoint, len(found))
	for _, e := range found {
		all[e.Application] = e
	}
	return all, nil
}

func scanEndpoint(row pgx.CollectableRow) (Endpoint, error) {
	var e Endpoint
	var last Try
	err := row.Scan(
		&e.Application, &e.URL, &e.Failures, &e.FailingSince, &e.DisabledAt, &e.Gone,
		(*zeroNull)(&last.Attempt), (*zeronull.Timestamptz)(&last.At),
		&last.Duration, &last.Status, &last.Error, &e.LastSuccess)
	if last.Attempt > 0 {
		e.Last = &last
	}
	return e, err
}
