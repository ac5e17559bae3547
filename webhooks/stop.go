package webhooks

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/mail"
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

// Stop describes an endpoint that was disabled, for the mail about it.
type Stop struct {
	Application      domain.ApplicationID
	Name             string // of the application
	Mode             domain.Mode
	Organization     accounts.OrganizationID
	OrganizationName string
	At, FailingSince time.Time
	Gone             bool // disabled by the answer 410, and not by days of failures
}

const stopSQL = `
SELECT a.uuid, a.name, a.mode, a.organization_uuid, o.name
FROM (SELECT uuid, name, mode, organization_uuid
      FROM applications
      WHERE uuid = $1
      OFFSET 0) a
CROSS JOIN LATERAL (
    SELECT name
    FROM organizations
    WHERE uuid = a.organization_uuid
    OFFSET 0) o`

// mailStop queues a mail to the owners and developers of the organisation, if mail is on. It
// runs in the transaction that disables the endpoint, so each gets one mail for each stop.
func (d *Dispatcher) mailStop(ctx context.Context, tx pgx.Tx, id domain.ApplicationID, h health) error {
	if d.letter == nil {
		return nil
	}
	s := Stop{At: *h.DisabledAt, FailingSince: *h.FailingSince, Gone: h.DisabledFor == disabledGone}
	row := tx.QueryRow(ctx, stopSQL, id)
	if err := row.Scan(&s.Application, &s.Name, &s.Mode, &s.Organization, &s.OrganizationName); err != nil {
		return err
	}
	return d.accounts.MailMembers(ctx, tx, s.Organization,
		[]accounts.Role{accounts.RoleOwner, accounts.RoleDeveloper},
		func(to string) mail.Message { return d.letter(s, to) })
}
