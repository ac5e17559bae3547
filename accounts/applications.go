package accounts

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"daftar/domain"
	"daftar/internal/postgres"
)

// NewApplication is an application with the credentials that are shown once.
type NewApplication struct {
	Application
	APIKey        string
	WebhookSecret string
}

const createApplicationSQL = `
INSERT INTO applications (uuid, organization_uuid, name, active, namespace, webhook_url,
                          api_key_hash, api_key_ending, api_key_rolled_at,
                          webhook_secret, webhook_secret_rolled_at, created_at)
VALUES ($1, $2, $3, true, $4, $5, $6, $7, $9, $8, $9, $9)`

// CreateApplication makes an active application of an organisation, with an API
// key and a webhook secret that cannot be read again. The webhook URL may be
// empty.
func (a *Accounts) CreateApplication(ctx context.Context, of OrganizationID, name, webhookURL string) (NewApplication, error) {
	if err := checkName(name); err != nil {
		return NewApplication{}, err
	}
	to, err := parseWebhookURL(webhookURL)
	if err != nil {
		return NewApplication{}, err
	}
	app := NewApplication{
		Application: Application{
			ID: domain.ApplicationID(uuid.New()), Organization: of, Name: name, Active: true,
			WebhookURL: to, CreatedAt: a.moment(),
		},
		APIKey: newAPIKey(), WebhookSecret: newWebhookSecret(),
	}
	sealed, err := a.key.seal(app.WebhookSecret, app.ID)
	if err != nil {
		return NewApplication{}, fmt.Errorf("create application: %w", err)
	}
	keyHash := hashOf(app.APIKey)
	_, err = a.pool.Exec(ctx, createApplicationSQL, [16]byte(app.ID), [16]byte(of), name, [16]byte(uuid.New()), to,
		keyHash[:], endingOf(app.APIKey), sealed, app.CreatedAt)
	if postgres.ConstraintName(err) == "applications_organization_uuid_fkey" {
		return NewApplication{}, ErrNoOrganization
	}
	if err != nil {
		return NewApplication{}, fmt.Errorf("create application: %w", err)
	}
	return app, nil
}

const findApplicationSQL = `
SELECT organization_uuid, name, active, webhook_url, created_at FROM applications WHERE uuid = $1`

// Application finds an application; ErrNoApplication where there is none.
func (a *Accounts) Application(ctx context.Context, id domain.ApplicationID) (Application, error) {
	app := Application{ID: id}
	var organization [16]byte
	err := a.pool.QueryRow(ctx, findApplicationSQL, [16]byte(id)).
		Scan(&organization, &app.Name, &app.Active, &app.WebhookURL, &app.CreatedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return Application{}, ErrNoApplication
	}
	if err != nil {
		return Application{}, fmt.Errorf("find application: %w", err)
	}
	app.Organization, app.CreatedAt = organization, app.CreatedAt.UTC()
	return app, nil
}

const rollAPIKeySQL = `
UPDATE applications SET api_key_hash = $2, api_key_ending = $3, api_key_rolled_at = $4, api_key_last_used_at = NULL
WHERE uuid = $1`

// RollAPIKey replaces the application's API key. The old one stops working at
// once.
func (a *Accounts) RollAPIKey(ctx context.Context, id domain.ApplicationID) (string, error) {
	key := newAPIKey()
	keyHash := hashOf(key)
	tag, err := a.pool.Exec(ctx, rollAPIKeySQL, [16]byte(id), keyHash[:], endingOf(key), a.moment())
	if err := oneApplication("roll API key", tag, err); err != nil {
		return "", err
	}
	return key, nil
}

const rollWebhookSecretSQL = `
UPDATE applications SET webhook_secret = $2, webhook_secret_rolled_at = $3 WHERE uuid = $1`

// RollWebhookSecret replaces the application's webhook secret. Deliveries are
// signed with the new one at once.
func (a *Accounts) RollWebhookSecret(ctx context.Context, id domain.ApplicationID) (string, error) {
	secret := newWebhookSecret()
	sealed, err := a.key.seal(secret, id)
	if err != nil {
		return "", fmt.Errorf("roll webhook secret: %w", err)
	}
	tag, err := a.pool.Exec(ctx, rollWebhookSecretSQL, [16]byte(id), sealed, a.moment())
	if err := oneApplication("roll webhook secret", tag, err); err != nil {
		return "", err
	}
	return secret, nil
}

const webhookSecretSQL = `SELECT webhook_secret FROM applications WHERE uuid = $1`

// WebhookSecret is the application's present secret, to sign with.
func (a *Accounts) WebhookSecret(ctx context.Context, id domain.ApplicationID) (string, error) {
	var sealed []byte
	err := a.pool.QueryRow(ctx, webhookSecretSQL, [16]byte(id)).Scan(&sealed)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", ErrNoApplication
	}
	if err != nil {
		return "", fmt.Errorf("find webhook secret: %w", err)
	}
	return a.key.open(sealed, id)
}

const setActiveSQL = `UPDATE applications SET active = $2 WHERE uuid = $1`

// SetActive activates or deactivates an application. Requests with the key of an
// inactive one are refused at once; its intents stay payable.
func (a *Accounts) SetActive(ctx context.Context, id domain.ApplicationID, active bool) error {
	tag, err := a.pool.Exec(ctx, setActiveSQL, [16]byte(id), active)
	return oneApplication("set active", tag, err)
}

const setWebhookURLSQL = `UPDATE applications SET webhook_url = $2 WHERE uuid = $1`

// SetWebhookURL sets where the application's webhooks go; empty is nowhere.
func (a *Accounts) SetWebhookURL(ctx context.Context, id domain.ApplicationID, webhookURL string) error {
	to, err := parseWebhookURL(webhookURL)
	if err != nil {
		return err
	}
	tag, err := a.pool.Exec(ctx, setWebhookURLSQL, [16]byte(id), to)
	return oneApplication("set webhook URL", tag, err)
}

func oneApplication(what string, tag pgconn.CommandTag, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if tag.RowsAffected() == 0 {
		return ErrNoApplication
	}
	return nil
}

// maxWebhookURL is the length of a webhook URL in bytes.
const maxWebhookURL = 2048

// parseWebhookURL takes an absolute http or https address without credentials.
// Whether it may be called (plain http, private networks) is for the sender to
// judge when it calls.
func parseWebhookURL(s string) (*string, error) {
	if s == "" {
		return nil, nil
	}
	if err := checkText("webhook URL", s); err != nil {
		return nil, err
	}
	u, err := url.Parse(s)
	switch {
	case err != nil, len(s) > maxWebhookURL, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		// It is not repeated: there may be a password in it.
		return nil, fmt.Errorf("%w: the webhook URL is not an http or https address of at most %d bytes", ErrInvalid, maxWebhookURL)
	case u.User != nil:
		return nil, fmt.Errorf("%w: a webhook URL carries no user name or password", ErrInvalid)
	case u.Fragment != "":
		return nil, fmt.Errorf("%w: a webhook URL has no fragment", ErrInvalid)
	}
	return &s, nil
}

// checkText refuses what PostgreSQL cannot keep and what would deface a page.
func checkText(what, s string) error {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return fmt.Errorf("%w: the %s has characters that cannot be kept", ErrInvalid, what)
	}
	return nil
}

const sealedSecretsSQL = `SELECT uuid, webhook_secret FROM applications ORDER BY created_at`

// CheckSecretKey opens every webhook secret and says how many there are; an
// error means that the key is missing or not the one that sealed them.
func (a *Accounts) CheckSecretKey(ctx context.Context) (int, error) {
	rows, err := a.pool.Query(ctx, sealedSecretsSQL)
	if err != nil {
		return 0, fmt.Errorf("read webhook secrets: %w", err)
	}
	opened := 0
	var id [16]byte
	var sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&id, &sealed}, func() error {
		opened++
		_, err := a.key.open(sealed, id)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("check secret key: %w", err)
	}
	return opened, nil
}
