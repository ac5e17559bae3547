package accounts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
)

// Credentials are an application's key and secret without their values: what
// somebody must know before replacing them.
type Credentials struct {
	Application
	KeyEnding       string // the last characters of the API key
	KeyRolledAt     time.Time
	KeyLastUsedAt   *time.Time // to about a quarter of a minute; nil: never
	KeyLastUsedFrom string     // the client's address; empty: never
	SecretRolledAt  time.Time
}

const listApplicationsSQL = `
SELECT uuid, organization_uuid, name, active, webhook_url, created_at
FROM applications WHERE organization_uuid = $1 ORDER BY created_at, uuid`

// Applications lists an organisation's applications, the oldest first. It needs
// SeePayments.
func (a *Accounts) Applications(ctx context.Context, by Actor, of OrganizationID) ([]Application, error) {
	if err := a.Authorize(ctx, by, of, SeePayments); err != nil {
		return nil, err
	}
	rows, err := a.pool.Query(ctx, listApplicationsSQL, [16]byte(of))
	if err != nil {
		return nil, fmt.Errorf("list applications: %w", err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Application, error) {
		var app Application
		var id, org [16]byte
		err := row.Scan(&id, &org, &app.Name, &app.Active, &app.WebhookURL, &app.CreatedAt)
		app.ID, app.Organization, app.CreatedAt = id, org, app.CreatedAt.UTC()
		return app, err
	})
	if err != nil {
		return nil, fmt.Errorf("list applications: %w", err)
	}
	return all, nil
}

const (
	credentialsColumns = `
uuid, organization_uuid, name, active, webhook_url, created_at, api_key_ending, api_key_rolled_at, api_key_last_used_at,
coalesce(api_key_last_used_from, ''), webhook_secret_rolled_at`
	listCredentialsSQL = `
SELECT ` + credentialsColumns + ` FROM applications WHERE organization_uuid = $1 ORDER BY created_at, uuid`
	findCredentialsSQL = `
SELECT ` + credentialsColumns + ` FROM applications WHERE organization_uuid = $1 AND uuid = $2`
)

func scanCredentials(row pgx.CollectableRow) (Credentials, error) {
	var c Credentials
	var id, org [16]byte
	err := row.Scan(&id, &org, &c.Name, &c.Active, &c.WebhookURL, &c.CreatedAt, &c.KeyEnding, &c.KeyRolledAt, &c.KeyLastUsedAt,
		&c.KeyLastUsedFrom, &c.SecretRolledAt)
	c.ID, c.Organization = id, org
	c.CreatedAt, c.KeyRolledAt, c.SecretRolledAt = c.CreatedAt.UTC(), c.KeyRolledAt.UTC(), c.SecretRolledAt.UTC()
	return c, err
}

// AllCredentials lists an organisation's applications with what is known of
// their credentials, the oldest first. It needs SeeCredentials.
func (a *Accounts) AllCredentials(ctx context.Context, by Actor, of OrganizationID) ([]Credentials, error) {
	if err := a.Authorize(ctx, by, of, SeeCredentials); err != nil {
		return nil, err
	}
	rows, err := a.pool.Query(ctx, listCredentialsSQL, [16]byte(of))
	if err != nil {
		return nil, fmt.Errorf("list credentials: %w", err)
	}
	all, err := pgx.CollectRows(rows, scanCredentials)
	if err != nil {
		return nil, fmt.Errorf("list credentials: %w", err)
	}
	return all, nil
}

// CredentialsOf is AllCredentials for one application. Errors: ErrNoApplication,
// and those of Authorize.
func (a *Accounts) CredentialsOf(ctx context.Context, by Actor, of OrganizationID, id domain.ApplicationID) (Credentials, error) {
	if err := a.Authorize(ctx, by, of, SeeCredentials); err != nil {
		return Credentials{}, err
	}
	rows, err := a.pool.Query(ctx, findCredentialsSQL, [16]byte(of), [16]byte(id))
	if err != nil {
		return Credentials{}, fmt.Errorf("find credentials: %w", err)
	}
	c, err := pgx.CollectExactlyOneRow(rows, scanCredentials)
	if errors.Is(err, pgx.ErrNoRows) {
		return Credentials{}, ErrNoApplication
	}
	if err != nil {
		return Credentials{}, fmt.Errorf("find credentials: %w", err)
	}
	return c, nil
}
