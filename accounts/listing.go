package accounts

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/domain"
	"daftar/internal/postgres"
)

// Credentials are an application's key and secret without their values.
type Credentials struct {
	Application
	KeyEnding       string // the last characters of the API key
	KeyRolledAt     time.Time
	KeyLastUsedAt   *time.Time // to about a quarter of a minute; nil: never
	KeyLastUsedFrom string     // the client's address; empty: never
	SecretRolledAt  time.Time
}

var listApplicationsSQL = `
SELECT ` + ApplicationColumns.List("") + `
FROM applications
WHERE organization_uuid = $1
  AND mode = $2
ORDER BY created_at, uuid`

// Applications lists a tenant's applications, the oldest first. It needs SeePayments.
func (a *Accounts) Applications(ctx context.Context, by Actor, of domain.Tenant) ([]Application, error) {
	if err := a.Authorize(ctx, by, OrganizationID(of.Organization), SeePayments); err != nil {
		return nil, err
	}
	return postgres.List(ctx, a.pool, "list applications", ApplicationColumns.Scan, listApplicationsSQL,
		of.Organization, of.Mode)
}

var (
	credentialsColumns = ApplicationColumns.List("") + `,
api_key_ending, api_key_rolled_at, api_key_last_used_at, api_key_last_used_from, webhook_secret_rolled_at`
	listCredentialsSQL = `
SELECT ` + credentialsColumns + `
FROM applications
WHERE organization_uuid = $1
  AND mode = $2
ORDER BY created_at, uuid`
	findCredentialsSQL = `
SELECT ` + credentialsColumns + `
FROM applications
WHERE organization_uuid = $1
  AND uuid = $2`
)

func scanCredentials(row pgx.CollectableRow) (Credentials, error) {
	var c Credentials
	err := row.Scan(ApplicationColumns.Fields(&c.Application, &c.KeyEnding, &c.KeyRolledAt, &c.KeyLastUsedAt,
		(*zeronull.Text)(&c.KeyLastUsedFrom), &c.SecretRolledAt)...)
	return c, err
}

// AllCredentials lists the credentials of a tenant's applications, the oldest application
// first. It needs SeeCredentials.
func (a *Accounts) AllCredentials(ctx context.Context, by Actor, of domain.Tenant) ([]Credentials, error) {
	if err := a.Authorize(ctx, by, OrganizationID(of.Organization), SeeCredentials); err != nil {
		return nil, err
	}
	return postgres.List(ctx, a.pool, "list credentials", scanCredentials, listCredentialsSQL,
		of.Organization, of.Mode)
}

// CredentialsOf is AllCredentials for one application. Errors: ErrNoApplication,
// and those of Authorize.
func (a *Accounts) CredentialsOf(ctx context.Context, by Actor, of OrganizationID,
	id domain.ApplicationID,
) (Credentials, error) {
	if err := a.Authorize(ctx, by, of, SeeCredentials); err != nil {
		return Credentials{}, err
	}
	return postgres.Find(ctx, a.pool, "find credentials", ErrNoApplication, scanCredentials,
		findCredentialsSQL, of, id)
}
