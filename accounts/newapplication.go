package accounts

import (
	"cmp"
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
)

// Draft is an application that is to be created.
type Draft struct {
	Name       string
	Mode       domain.Mode // empty: live
	WebhookURL string      // empty: no webhooks are sent
}

// NewApplication is an application with the credentials that are shown once.
type NewApplication struct {
	Application
	APIKey        string
	WebhookSecret string
}

var createApplicationSQL = ApplicationColumns.Insert("applications",
	"namespace", "api_key_hash", "api_key_ending", "api_key_rolled_at",
	"webhook_secret", "webhook_secret_rolled_at")

// CreateApplication creates an active application of an organisation, with an API
// key and a webhook secret that cannot be read again. It needs ChangeCredentials. Errors:
// ErrInvalid, ErrNoOrganization, ErrCreated, ErrTestOnly, ErrTooManyApplications, and those of
// Do.
func (a *Accounts) CreateApplication(ctx context.Context, by Actor, of OrganizationID,
	d Draft,
) (NewApplication, error) {
	if err := CheckName(d.Name); err != nil {
		return NewApplication{}, err
	}
	mode, err := domain.ParseMode(string(cmp.Or(d.Mode, domain.ModeLive)))
	if err != nil {
		return NewApplication{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	to, err := parseWebhookURL(d.WebhookURL)
	if err != nil {
		return NewApplication{}, err
	}
	app := NewApplication{
		Application: Application{
			ID: domain.ApplicationID(newID(by, of)), Organization: of, Name: d.Name, Mode: mode, Active: true,
			WebhookURL: to, CreatedAt: a.now(),
		},
		APIKey: newAPIKey(), WebhookSecret: newWebhookSecret(),
	}
	sealed, err := a.key.Seal(app.WebhookSecret, app.ID[:])
	if err != nil {
		return NewApplication{}, fmt.Errorf("create application: %w", err)
	}
	keyHash := HashOf(app.APIKey)
	err = a.Do(ctx, by, of, ChangeCredentials, func(tx pgx.Tx) (Entry, error) {
		if _, err := tx.Exec(ctx, lockOrganizationSQL, of); err != nil {
			return Entry{}, fmt.Errorf("lock organisation: %w", err)
		}
		_, err := tx.Exec(ctx, createApplicationSQL, ApplicationColumns.Fields(&app.Application,
			domain.Namespace(uuid.New()), keyHash[:], endingOf(app.APIKey), app.CreatedAt,
			sealed, app.CreatedAt)...)
		switch postgres.ConstraintName(err) {
		case "applications_organization_uuid_fkey":
			err = ErrNoOrganization
		case "applications_pkey":
			err = ErrCreated
		case "applications_of_tests":
			err = ErrTestOnly
		}
		if err == nil {
			err = a.checkNumberOfApplications(ctx, tx, of)
		}
		return Entry{
			Action: ActionCreateApplication, Subject: "application", SubjectID: uuid.UUID(app.ID),
			Detail: map[string]any{
				"name": d.Name, "mode": mode, "api_key_ending": endingOf(app.APIKey), "webhook_url": to,
			},
		}, err
	})
	if err != nil {
		return NewApplication{}, fmt.Errorf("create application: %w", err)
	}
	a.cache.putKey(keyHash, app.ID)
	return app, nil
}

const (
	// Two creations at once are counted one after the other.
	lockOrganizationSQL  = `SELECT FROM organizations WHERE uuid = $1 FOR NO KEY UPDATE`
	countApplicationsSQL = `SELECT count(*) FROM applications WHERE organization_uuid = $1`
)

func (a *Accounts) checkNumberOfApplications(ctx context.Context, tx pgx.Tx, of OrganizationID) error {
	n, err := postgres.Find(ctx, tx, "count applications", nil, pgx.RowTo[int], countApplicationsSQL, of)
	if err == nil && a.maxApplications > 0 && n > a.maxApplications {
		err = fmt.Errorf("%w: %d", ErrTooManyApplications, a.maxApplications)
	}
	return err
}
