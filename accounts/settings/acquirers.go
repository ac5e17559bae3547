package settings

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
)

// ErrNoAcquirerAccount says that an application has no account with an acquirer.
var ErrNoAcquirerAccount error = accounts.NotFound("the application has no account with this acquirer")

// ErrTestApplication says that a test application has no accounts with acquirers: its payments
// are those of the sandbox.
var ErrTestApplication = fmt.Errorf("%w: a test application has the sandbox alone", accounts.ErrInvalid)

// The actions on accounts with acquirers.
const (
	ActionSetAcquirer     accounts.Action = "acquirer.set"
	ActionEnableAcquirer  accounts.Action = "acquirer.enable"
	ActionDisableAcquirer accounts.Action = "acquirer.disable"
	ActionRemoveAcquirer  accounts.Action = "acquirer.remove"
	ActionOfferMethods    accounts.Action = "acquirer.set_methods"
	ActionLimitMethod     accounts.Action = "acquirer.set_limits"
	ActionOrderAcquirers  accounts.Action = "acquirer.set_order"
	ActionCheckAcquirer   accounts.Action = "acquirer.check"
)

// AcquirerAccount is an application's account with an acquirer. Its settings are read
// with AcquirerSettings.
type AcquirerAccount struct {
	Application domain.ApplicationID
	Acquirer    string
	Methods     []string                // that the checkout offers, in this order
	Limits      map[string]AmountLimits // by method; methods without limits are absent
	Enabled     bool
	CreatedAt   time.Time
	ChangedAt   time.Time

	settings []byte // sealed
}

var acquirerColumns = postgres.Columns[AcquirerAccount]{
	postgres.Of("application_uuid", func(a *AcquirerAccount) any { return &a.Application }),
	postgres.Of("acquirer", func(a *AcquirerAccount) any { return &a.Acquirer }),
	postgres.Of("methods", func(a *AcquirerAccount) any { return &a.Methods }),
	postgres.Of("limits", func(a *AcquirerAccount) any { return &a.Limits }),
	postgres.Of("enabled", func(a *AcquirerAccount) any { return &a.Enabled }),
	postgres.Of("created_at", func(a *AcquirerAccount) any { return &a.CreatedAt }),
	postgres.Of("changed_at", func(a *AcquirerAccount) any { return &a.ChangedAt }),
	postgres.Of("settings", func(a *AcquirerAccount) any { return &a.settings }),
}

func settingsOwner(app domain.ApplicationID, acquirer string) []byte {
	return append(app[:], acquirer...)
}

var acquirerAccountsSQL = `
SELECT ` + acquirerColumns.List("") + `
FROM acquirer_accounts
WHERE application_uuid = $1
ORDER BY position, acquirer`

// AcquirerAccounts are the application's accounts, in the order in which the checkout
// offers them. Its callers have checked that the actor may see the application.
func (s *Settings) AcquirerAccounts(ctx context.Context, of domain.ApplicationID) ([]AcquirerAccount, error) {
	return postgres.List(ctx, s.pool, "list accounts with acquirers", acquirerColumns.Scan,
		acquirerAccountsSQL, of)
}

// AcquirerSettings are the settings of an account, as they were set: JSON with secrets,
// for the acquirer's adapter alone.
func (s *Settings) AcquirerSettings(of AcquirerAccount) ([]byte, error) {
	opened, err := s.key.Open(of.settings, settingsOwner(of.Application, of.Acquirer))
	if err != nil {
		return nil, fmt.Errorf("settings of %s: %w", of.Acquirer, err)
	}
	return []byte(opened), nil
}

var acquirersInUseSQL = `SELECT DISTINCT acquirer FROM acquirer_accounts ORDER BY acquirer`

// AcquirersInUse are the acquirers with which any application has an account.
func (s *Settings) AcquirersInUse(ctx context.Context) ([]string, error) {
	return postgres.List(ctx, s.pool, "list acquirers in use", pgx.RowTo[string], acquirersInUseSQL)
}

// It also compares the organisation, so that an application of another one is not found.
const setAcquirerSQL = `
INSERT INTO acquirer_accounts AS a (application_uuid, acquirer, settings, methods, enabled, position,
    created_at, changed_at)
SELECT uuid, $3, $4, $5, true,
       (SELECT coalesce(max(position), 0) + 1
        FROM acquirer_accounts
        WHERE application_uuid = $1),
       $6, $6
FROM applications
WHERE uuid = $1
  AND organization_uuid = $2
ON CONFLICT (application_uuid, acquirer) DO UPDATE
SET settings = $4, methods = $5, changed_at = $6
RETURNING (SELECT name FROM applications WHERE uuid = $1)`

// SetAcquirer stores the settings of an application's account with an acquirer, in place of
// earlier ones; a new account is enabled. The caller has checked the settings and names the
// methods that the checkout is to offer, in their order. This and the changes below need
// ChangeCredentials, apply from the next request, and do not change attempts that have begun;
// their errors are ErrNoApplication and those of Do; here also ErrTestApplication.
func (s *Settings) SetAcquirer(ctx context.Context, by accounts.Actor, of accounts.OrganizationID,
	app domain.ApplicationID, acquirer string, settings []byte, methods []string,
) error {
	found, err := s.accounts.Application(ctx, app)
	if err != nil {
		return err
	}
	if found.Organization == of && found.Mode == domain.ModeTest {
		return ErrTestApplication
	}
	sealed, err := s.key.Seal(string(settings), settingsOwner(app, acquirer))
	if err != nil {
		return fmt.Errorf("%s: %w", ActionSetAcquirer, err)
	}
	detail := map[string]any{"acquirer": acquirer, "methods": methods}
	return s.accounts.ChangeApplication(ctx, by, of, app, ActionSetAcquirer, accounts.ErrNoApplication,
		detail, setAcquirerSQL, acquirer, sealed, methods, s.now())
}

// ofAccountSQL ends an UPDATE of acquirer_accounts a: it compares the organisation too, so that an
// account of another one is not found.
const ofAccountSQL = `
FROM applications p
WHERE a.application_uuid = $1
  AND p.uuid = $1
  AND p.organization_uuid = $2
  AND a.acquirer = $3
RETURNING p.name`

const replaceSettingsSQL = `
UPDATE acquirer_accounts a
SET settings = $4, changed_at = $5` + ofAccountSQL

// ReplaceAcquirerSettings replaces the settings of an account and keeps its methods; also
// ErrNoAcquirerAccount.
func (s *Settings) ReplaceAcquirerSettings(ctx context.Context, by accounts.Actor, of accounts.OrganizationID,
	app domain.ApplicationID, acquirer string, settings []byte,
) error {
	sealed, err := s.key.Seal(string(settings), settingsOwner(app, acquirer))
	if err != nil {
		return fmt.Errorf("%s: %w", ActionSetAcquirer, err)
	}
	return s.changeAcquirer(ctx, by, of, app, acquirer, ActionSetAcquirer, nil, replaceSettingsSQL,
		sealed, s.now())
}

const enableAcquirerSQL = `
UPDATE acquirer_accounts a
SET enabled = $4, changed_at = $5` + ofAccountSQL

// EnableAcquirer sets whether the checkout offers the account's methods; also
// ErrNoAcquirerAccount.
func (s *Settings) EnableAcquirer(ctx context.Context, by accounts.Actor, of accounts.OrganizationID,
	app domain.ApplicationID, acquirer string, enabled bool,
) error {
	what := ActionDisableAcquirer
	if enabled {
		what = ActionEnableAcquirer
	}
	return s.changeAcquirer(ctx, by, of, app, acquirer, what, nil, enableAcquirerSQL, enabled, s.now())
}

const removeAcquirerSQL = `
DELETE FROM acquirer_accounts a
USING applications p
WHERE a.application_uuid = $1
  AND p.uuid = $1
  AND p.organization_uuid = $2
  AND a.acquirer = $3
RETURNING p.name`

// RemoveAcquirer deletes the account and its credentials. The outcome of attempts that are under
// way can then no longer be found out, and they wait for an operator. Also
// ErrNoAcquirerAccount.
func (s *Settings) RemoveAcquirer(ctx context.Context, by accounts.Actor, of accounts.OrganizationID,
	app domain.ApplicationID, acquirer string,
) error {
	return s.changeAcquirer(ctx, by, of, app, acquirer, ActionRemoveAcquirer, nil, removeAcquirerSQL)
}

// freeForChecks is how many checks in a row an organisation may make without a pause.
const freeForChecks = 10

const checkAcquirerSQL = `
SELECT p.name
FROM acquirer_accounts a
     JOIN applications p ON p.uuid = a.application_uuid
WHERE a.application_uuid = $1
  AND p.organization_uuid = $2
  AND a.acquirer = $3`

// BeginCheck records that an account's credentials are about to be checked with the acquirer: the
// call goes out in our name and with the merchant's secrets. After the first few checks in a row,
// of all accounts of the organisation, each costs a delay, as attempts to sign in do; operators
// have none. It needs ChangeCredentials. Errors: ErrNoAcquirerAccount, Throttled, and those of Do.
func (s *Settings) BeginCheck(ctx context.Context, by accounts.Actor, of accounts.OrganizationID,
	app domain.ApplicationID, acquirer string,
) error {
	if !by.IsOperator() {
		if err := s.accounts.Authorize(ctx, by, of, accounts.ChangeCredentials); err != nil {
			return err
		}
		checks := accounts.Limit{Name: "check by\x00" + of.String(), Free: freeForChecks}
		if _, err := s.accounts.Reserve(ctx, []accounts.Limit{checks}); err != nil {
			return err
		}
	}
	return s.changeAcquirer(ctx, by, of, app, acquirer, ActionCheckAcquirer, nil, checkAcquirerSQL)
}

// changeAcquirer runs a statement that changes one account and returns the application's name. It
// gets the application as $1, the organisation as $2 and the acquirer as $3.
func (s *Settings) changeAcquirer(ctx context.Context, by accounts.Actor, of accounts.OrganizationID,
	app domain.ApplicationID, acquirer string, what accounts.Action,
	detail map[string]any, sql string, args ...any,
) error {
	if detail == nil {
		detail = make(map[string]any)
	}
	detail["acquirer"] = acquirer
	args = append([]any{acquirer}, args...)
	return s.accounts.ChangeApplication(ctx, by, of, app, what, ErrNoAcquirerAccount, detail, sql, args...)
}
