package accounts

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/domain"
	"daftar/internal/plaintext"
	"daftar/internal/postgres"
)

var findApplicationSQL = `
SELECT ` + ApplicationColumns.List("") + `
FROM applications
WHERE uuid = $1`

// Application finds an application of any organisation, so its callers must be
// operators or have checked that the actor may see it; ErrNoApplication where there
// is none.
func (a *Accounts) Application(ctx context.Context, id domain.ApplicationID) (Application, error) {
	return postgres.Find(ctx, a.pool, "find application", ErrNoApplication, ApplicationColumns.Scan,
		findApplicationSQL, id)
}

const rollAPIKeySQL = `
UPDATE applications
SET api_key_hash = $4, api_key_ending = $5, api_key_last_used_at = NULL, api_key_last_used_from = NULL,
    api_key_rolled_at = greatest($6, api_key_rolled_at + interval '1 microsecond')
WHERE uuid = $1
  AND organization_uuid = $2
  AND ($3::timestamptz IS NULL OR api_key_rolled_at = $3)
RETURNING name`

// RollAPIKey replaces the application's API key. The old one stops working at once. since is
// the Credentials.KeyRolledAt of the key to replace, so that of two requests to replace the
// same key one gets ErrRolled; the zero time is any key. This and the changes below need
// ChangeCredentials; their errors are ErrInvalid, ErrNoApplication, and those of Do.
func (a *Accounts) RollAPIKey(ctx context.Context, by Actor, of OrganizationID, id domain.ApplicationID,
	since time.Time,
) (string, error) {
	key := newAPIKey()
	keyHash := HashOf(key)
	detail := map[string]any{"api_key_ending": endingOf(key)}
	err := a.roll(ctx, by, of, id, since, ActionRollAPIKey, detail, rollAPIKeySQL,
		keyHash[:], endingOf(key), a.now())
	if err != nil {
		return "", err
	}
	a.cache.putKey(keyHash, id)
	return key, nil
}

// roll changes one application as changeApplication does. $3 of the statement is the
// time of the credential to replace, null for any. The error distinguishes an
// application that does not exist from one whose credential was rolled by another
// request.
func (a *Accounts) roll(ctx context.Context, by Actor, of OrganizationID, id domain.ApplicationID,
	since time.Time, what Action, detail map[string]any, sql string, args ...any,
) error {
	args = append([]any{zeronull.Timestamptz(since)}, args...)
	err := a.changeApplication(ctx, by, of, id, what, detail, sql, args...)
	if since.IsZero() || !errors.Is(err, ErrNoApplication) {
		return err
	}
	app, err := a.Application(ctx, id)
	if err == nil && app.Organization == of {
		return ErrRolled
	}
	return errors.Join(ErrNoApplication, err)
}

const rollWebhookSecretSQL = `
UPDATE applications
SET webhook_secret = $4,
    webhook_secret_rolled_at = greatest($5, webhook_secret_rolled_at + interval '1 microsecond')
WHERE uuid = $1
  AND organization_uuid = $2
  AND ($3::timestamptz IS NULL OR webhook_secret_rolled_at = $3)
RETURNING name`

// RollWebhookSecret replaces the application's webhook secret. Deliveries are
// signed with the new one at once. since is the Credentials.SecretRolledAt of the
// one to replace, as in RollAPIKey.
func (a *Accounts) RollWebhookSecret(ctx context.Context, by Actor, of OrganizationID,
	id domain.ApplicationID, since time.Time,
) (string, error) {
	secret := newWebhookSecret()
	sealed, err := a.key.Seal(secret, id[:])
	if err != nil {
		return "", fmt.Errorf("roll webhook secret: %w", err)
	}
	err = a.roll(ctx, by, of, id, since, ActionRollWebhookSecret, nil, rollWebhookSecretSQL,
		sealed, a.now())
	if err != nil {
		return "", err
	}
	return secret, nil
}

const webhookSecretSQL = `SELECT webhook_secret FROM applications WHERE uuid = $1`

// WebhookSecret is the application's current secret, to sign with.
func (a *Accounts) WebhookSecret(ctx context.Context, id domain.ApplicationID) (string, error) {
	sealed, err := postgres.Find(ctx, a.pool, "find webhook secret", ErrNoApplication, pgx.RowTo[[]byte],
		webhookSecretSQL, id)
	if err != nil {
		return "", err
	}
	return a.key.Open(sealed, id[:])
}

const setActiveSQL = `
UPDATE applications
SET active = $3, checkouts_stopped_at = CASE WHEN $3 THEN NULL ELSE checkouts_stopped_at END
WHERE uuid = $1
  AND organization_uuid = $2
RETURNING name`

// SetActive activates or deactivates an application. Requests with the key of an
// inactive one are refused at once; its intents stay payable (see StopCheckouts).
func (a *Accounts) SetActive(ctx context.Context, by Actor, of OrganizationID, id domain.ApplicationID,
	active bool,
) error {
	what := ActionDeactivate
	if active {
		what = ActionActivate
	}
	return a.changeApplication(ctx, by, of, id, what, nil, setActiveSQL, active)
}

const stopCheckoutsSQL = `
UPDATE applications
SET active = false, checkouts_stopped_at = now()
WHERE uuid = $1
  AND organization_uuid = $2
RETURNING name`

// StopCheckouts deactivates an application. Until it is activated again no attempt to pay
// one of its intents begins; an attempt that is under way ends with the acquirer's answer.
// Package expiry cancels the intents.
func (a *Accounts) StopCheckouts(ctx context.Context, by Actor, of OrganizationID,
	id domain.ApplicationID,
) error {
	return a.changeApplication(ctx, by, of, id, ActionStopCheckouts, nil, stopCheckoutsSQL)
}

const setWebhookURLSQL = `
UPDATE applications
SET webhook_url = $3
WHERE uuid = $1
  AND organization_uuid = $2
RETURNING name`

// SetWebhookURL sets where the application's webhooks go; empty: none are sent.
func (a *Accounts) SetWebhookURL(ctx context.Context, by Actor, of OrganizationID, id domain.ApplicationID,
	webhookURL string,
) error {
	to, err := parseWebhookURL(webhookURL)
	if err != nil {
		return err
	}
	detail := map[string]any{"webhook_url": to}
	return a.changeApplication(ctx, by, of, id, ActionSetWebhookURL, detail, setWebhookURLSQL, to)
}

const renameSQL = `
UPDATE applications
SET name = $3
WHERE uuid = $1
  AND organization_uuid = $2
RETURNING name`

// Rename gives an application another name, which customers see on the checkout.
func (a *Accounts) Rename(ctx context.Context, by Actor, of OrganizationID, id domain.ApplicationID,
	name string,
) error {
	if err := CheckName(name); err != nil {
		return err
	}
	return a.changeApplication(ctx, by, of, id, ActionRenameApplication, nil, renameSQL, name)
}

// changeApplication is ChangeApplication with the error ErrNoApplication.
func (a *Accounts) changeApplication(ctx context.Context, by Actor, of OrganizationID,
	id domain.ApplicationID, what Action, detail map[string]any, sql string, args ...any,
) error {
	return a.ChangeApplication(ctx, by, of, id, what, ErrNoApplication, detail, sql, args...)
}

// ChangeApplication runs a statement that changes something of one application and records
// that. The statement gets the application as $1 and the organisation as $2, and returns the
// application's name; where it returns no row the error is missing. It needs
// ChangeCredentials; its other errors are those of Do.
func (a *Accounts) ChangeApplication(ctx context.Context, by Actor, of OrganizationID,
	id domain.ApplicationID, what Action, missing error, detail map[string]any,
	sql string, args ...any,
) error {
	err := a.Do(ctx, by, of, ChangeCredentials, func(tx pgx.Tx) (Entry, error) {
		name, err := postgres.Find(ctx, tx, "change application", missing, pgx.RowTo[string], sql,
			append([]any{id, of}, args...)...)
		if err != nil {
			return Entry{}, err
		}
		if detail == nil {
			detail = make(map[string]any)
		}
		detail["name"] = name
		return Entry{Action: what, Subject: "application", SubjectID: uuid.UUID(id), Detail: detail}, nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// maxWebhookURL is the length of a webhook URL in bytes.
const maxWebhookURL = 2048

// CheckWebhookURL is ErrInvalid for an address that SetWebhookURL would refuse.
func CheckWebhookURL(s string) error {
	_, err := parseWebhookURL(s)
	return err
}

// parseWebhookURL takes an absolute http or https address without credentials.
// The sender checks plain http and private networks when it calls.
func parseWebhookURL(s string) (*string, error) {
	if s == "" {
		return nil, nil
	}
	if err := CheckText("webhook URL", s); err != nil {
		return nil, err
	}
	u, err := url.Parse(s)
	switch {
	case err != nil, len(s) > maxWebhookURL, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		// The message does not repeat it: it may have a password.
		return nil, fmt.Errorf("%w: the webhook URL is not an http or https address of at most %d bytes",
			ErrInvalid, maxWebhookURL)
	case u.User != nil:
		return nil, fmt.Errorf("%w: a webhook URL carries no user name or password", ErrInvalid)
	case u.Fragment != "":
		return nil, fmt.Errorf("%w: a webhook URL has no fragment", ErrInvalid)
	}
	return &s, nil
}

// CheckText refuses what PostgreSQL cannot store, and control characters.
func CheckText(what, s string) error {
	if !plaintext.OneLine(s) {
		return fmt.Errorf("%w: the %s has characters that cannot be kept", ErrInvalid, what)
	}
	return nil
}
