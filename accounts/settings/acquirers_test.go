package settings_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/accounts/settings"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// done ends the test where a step has failed.
func (w *world) done(err error) {
	w.T.Helper()
	if err != nil {
		w.T.Fatal(err)
	}
}

// The checkout offers accounts in the order in which they were added; one that was removed and
// added again is the last.
func TestAcquirerAccountsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	w.WantAcquirers()
	w.Acquirer("plutu", "cards", "adfali")
	w.Acquirer("moamalat", "moamalat")
	w.Acquirer("lypay", "lypay")
	w.done(w.Settings.EnableAcquirer(ctx, operator, w.Org, w.App.ID, "plutu", false))
	w.Later(time.Hour)
	w.done(w.Settings.SetAcquirer(ctx, operator, w.Org, w.App.ID, "plutu", accountstest.SettingsOf("another"),
		[]string{"sadad"}))
	const (
		moamalat = `moamalat [moamalat] true {"secret_key":"value-of-a-setting-moamalat"}`
		lypay    = `lypay [lypay] true {"secret_key":"value-of-a-setting-lypay"}`
	)
	w.WantAcquirers(`plutu [sadad] false {"secret_key":"another"}`, moamalat, lypay) // still disabled
	first := w.Acquirers(w.App.ID)[0]
	if !first.CreatedAt.Equal(accountstest.Noon) || !first.ChangedAt.Equal(accountstest.Noon.Add(time.Hour)) {
		t.Errorf("created %v, changed %v", first.CreatedAt, first.ChangedAt)
	}
	w.done(w.Settings.EnableAcquirer(ctx, operator, w.Org, w.App.ID, "plutu", true))
	w.done(w.Settings.EnableAcquirer(ctx, operator, w.Org, w.App.ID, "plutu", true)) // as it is
	w.WantAcquirers(`plutu [sadad] true {"secret_key":"another"}`, moamalat, lypay)
	w.done(w.Settings.RemoveAcquirer(ctx, operator, w.Org, w.App.ID, "plutu"))
	w.WantAcquirers(moamalat, lypay)
	for what, err := range map[string]error{
		"remove again": w.Settings.RemoveAcquirer(ctx, operator, w.Org, w.App.ID, "plutu"),
		"enable":       w.Settings.EnableAcquirer(ctx, operator, w.Org, w.App.ID, "plutu", true),
	} {
		if !errors.Is(err, settings.ErrNoAcquirerAccount) || !errors.Is(err, accounts.ErrNotFound) {
			t.Errorf("%s: %v, want ErrNoAcquirerAccount", what, err)
		}
	}
	w.Acquirer("plutu", "adfali")
	w.WantAcquirers(moamalat, lypay, `plutu [adfali] true {"secret_key":"value-of-a-setting-plutu"}`)
}

// AcquirersInUse counts every application's accounts, disabled ones too.
func TestAcquirersInUse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := accountstest.NewShop(t, w.Accounts)
	want := func(want ...string) {
		t.Helper()
		if got, err := w.Settings.AcquirersInUse(t.Context()); err != nil || !slices.Equal(want, got) {
			t.Errorf("in use: %v, %v; want %v", got, err, want)
		}
	}
	want()
	w.Acquirer("plutu", "adfali")
	w.Acquirer("lypay", "lypay")
	w.done(w.Settings.SetAcquirer(t.Context(), operator, other.Org, other.App.ID, "plutu",
		accountstest.SettingsOf("theirs"), []string{"cards"}))
	w.done(w.Settings.EnableAcquirer(t.Context(), operator, w.Org, w.App.ID, "lypay", false))
	want("lypay", "plutu")
	w.done(w.Settings.RemoveAcquirer(t.Context(), operator, w.Org, w.App.ID, "lypay"))
	w.done(w.Settings.RemoveAcquirer(t.Context(), operator, w.Org, w.App.ID, "plutu"))
	want("plutu") // the other shop's
}

// changes are the methods that change an account with an acquirer.
func changes(s *settings.Settings, org accounts.OrganizationID,
	app domain.ApplicationID,
) map[string]func(ctx context.Context, by accounts.Actor) error {
	return map[string]func(ctx context.Context, by accounts.Actor) error{
		"set": func(ctx context.Context, by accounts.Actor) error {
			return s.SetAcquirer(ctx, by, org, app, "plutu", accountstest.SettingsOf("of-an-intruder"),
				[]string{"tlync"})
		},
		"set another": func(ctx context.Context, by accounts.Actor) error {
			return s.SetAcquirer(ctx, by, org, app, "lypay", accountstest.SettingsOf("of-an-intruder"),
				[]string{"lypay"})
		},
		"set order": func(ctx context.Context, by accounts.Actor) error {
			return s.OrderAcquirers(ctx, by, org, app, []string{"plutu"})
		},
		"replace": func(ctx context.Context, by accounts.Actor) error {
			return s.ReplaceAcquirerSettings(ctx, by, org, app, "plutu",
				accountstest.SettingsOf("of-an-intruder"))
		},
		"methods": func(ctx context.Context, by accounts.Actor) error {
			return s.OfferMethods(ctx, by, org, app, "plutu", []string{"tlync"})
		},
		"limits": func(ctx context.Context, by accounts.Actor) error {
			return s.LimitMethod(ctx, by, org, app, "plutu", "adfali", settings.AmountLimits{Max: 9_000})
		},
		"disable": func(ctx context.Context, by accounts.Actor) error {
			return s.EnableAcquirer(ctx, by, org, app, "plutu", false)
		},
		"enable": func(ctx context.Context, by accounts.Actor) error {
			return s.EnableAcquirer(ctx, by, org, app, "plutu", true)
		},
		"remove": func(ctx context.Context, by accounts.Actor) error {
			return s.RemoveAcquirer(ctx, by, org, app, "plutu")
		},
	}
}

// An owner of another organisation has access to no account, whichever organisation is named.
func TestAcquirerAccountsOfOthersDoNotExist(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := accountstest.NewShop(t, w.Accounts)
	stranger := by(w.Person("stranger", other.Org, accounts.RoleOwner))
	w.Acquirer("plutu", "adfali")
	before := w.Trail(w.Org, 100)
	for what, do := range changes(w.Settings, other.Org, w.App.ID) {
		want := settings.ErrNoAcquirerAccount
		if strings.HasPrefix(what, "set") {
			want = accounts.ErrNoApplication
		}
		if err := do(t.Context(), stranger); !errors.Is(err, want) {
			t.Errorf("%s, as if it were one of theirs: %v, want %v", what, err, want)
		}
	}
	for what, do := range changes(w.Settings, w.Org, w.App.ID) {
		if err := do(t.Context(), stranger); !errors.Is(err, accounts.ErrNoOrganization) {
			t.Errorf("%s: %v, want ErrNoOrganization", what, err)
		}
	}
	w.WantAcquirers(`plutu [adfali] true {"secret_key":"value-of-a-setting-plutu"}`)
	if all := w.Acquirers(other.App.ID); len(all) > 0 {
		t.Errorf("the stranger's application has got %v", all)
	}
	if diff := cmp.Diff(before, w.Trail(w.Org, 100)); diff != "" {
		t.Errorf("a stranger has written in the trail:\n%s", diff)
	}
	if n := w.Count(`SELECT count(*) FROM audit_records WHERE action LIKE 'acquirer.%'`); n != 1 {
		t.Errorf("%d records of changes, want that of the account alone", n)
	}
}

// A role without ChangeCredentials changes no account, and the refusal is recorded.
func TestAcquirerAccountsNeedChangeCredentials(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Acquirer("plutu", "adfali")
	viewer := w.Person("viewer", w.Org, accounts.RoleViewer)
	for what, do := range changes(w.Settings, w.Org, w.App.ID) {
		if err := do(t.Context(), by(viewer)); !errors.Is(err, accounts.ErrForbidden) {
			t.Errorf("%s by a viewer: %v, want ErrForbidden", what, err)
		}
		records, err := w.Accounts.Trail(t.Context(), operator, w.Org, accounts.TrailFilter{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		last := records[0]
		if last.Actor != viewer.Email || last.Action != accounts.ActionAccess || last.Outcome != accounts.Denied ||
			last.Detail["permission"] != string(accounts.ChangeCredentials) {
			t.Errorf("%s by a viewer is recorded as %+v", what, last)
		}
	}
	w.WantAcquirers(`plutu [adfali] true {"secret_key":"value-of-a-setting-plutu"}`)
	for _, role := range []accounts.Role{accounts.RoleDeveloper, accounts.RoleOwner} {
		err := changes(w.Settings, w.Org, w.App.ID)["disable"](t.Context(), by(w.Person(string(role), w.Org, role)))
		if err != nil {
			t.Errorf("disable by a %s: %v", role, err)
		}
	}
}

// The trail has the acquirer and the methods, and never the value of a setting. No record, no
// action.
func TestAcquirerChangesAreRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.Person("owner", w.Org, accounts.RoleOwner)
	ctx, app := t.Context(), w.App.ID
	w.done(w.Settings.SetAcquirer(ctx, by(owner), w.Org, app, "plutu",
		accountstest.SettingsOf(accountstest.SettingValue), []string{"adfali", "cards"}))
	w.done(w.Settings.EnableAcquirer(ctx, by(owner), w.Org, app, "plutu", false))
	w.done(w.Settings.EnableAcquirer(ctx, by(owner), w.Org, app, "plutu", true))
	w.done(w.Settings.RemoveAcquirer(ctx, by(owner), w.Org, app, "plutu"))
	records, err := w.Accounts.Trail(ctx, operator, w.Org, accounts.TrailFilter{Limit: 4})
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]any{"name": "Web", "acquirer": "plutu"}
	for n, want := range []struct {
		action accounts.Action
		detail map[string]any
	}{
		{settings.ActionRemoveAcquirer, named},
		{settings.ActionEnableAcquirer, named},
		{settings.ActionDisableAcquirer, named},
		{settings.ActionSetAcquirer,
			map[string]any{"name": "Web", "acquirer": "plutu", "methods": []any{"adfali", "cards"}}},
	} {
		r := records[n]
		if r.Action != want.action || r.Actor != owner.Email || r.Subject != "application" ||
			domain.ApplicationID(r.SubjectID) != app || r.Outcome != accounts.Done {
			t.Errorf("record %+v, want %s", r, want.action)
		}
		if diff := cmp.Diff(want.detail, r.Detail); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want.action, diff)
		}
	}
	w.Acquirer("plutu", "adfali")
	stopRefusing := w.RefuseRecords()
	for what, do := range changes(w.Settings, w.Org, app) {
		if err := do(ctx, by(owner)); err == nil || strings.Contains(err.Error(), "of-an-intruder") {
			t.Errorf("%s without a record: %v", what, err)
		}
	}
	stopRefusing()
	w.WantAcquirers(`plutu [adfali] true {"secret_key":"value-of-a-setting-plutu"}`)
	n := w.Count(`SELECT count(*) FROM audit_records r WHERE r::text LIKE '%' || $1 || '%'`,
		accountstest.SettingValue)
	if n != 0 {
		t.Errorf("%d records have the value of a setting", n)
	}
}

// Settings open only for the application and the acquirer for which they were sealed: a copy of
// the row in the database gives no access to another application's account.
func TestSettingsAreSealedForTheirAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := accountstest.ShopOf(t, w.Accounts, w.Org)
	w.Acquirer("plutu", "adfali")
	n := w.Count(`
SELECT count(*)
FROM acquirer_accounts
WHERE strpos(encode(settings, 'escape'), $1) > 0
   OR strpos(methods::text, $1) > 0`, accountstest.SettingValue)
	if n != 0 {
		t.Error("the settings are in clear")
	}
	const copySQL = `
INSERT INTO acquirer_accounts (application_uuid, acquirer, settings, methods, enabled, position,
    created_at, changed_at)
SELECT $1, $2, settings, methods, enabled, position, created_at, changed_at
FROM acquirer_accounts
WHERE application_uuid = $3
  AND acquirer = 'plutu'`
	for name, to := range map[string]domain.ApplicationID{"plutu": other.App.ID, "lypay": w.App.ID} {
		if _, err := w.Pool.Exec(t.Context(), copySQL, to, name, w.App.ID); err != nil {
			t.Fatal(err)
		}
		for _, s := range w.Acquirers(to) {
			if s.Acquirer != name {
				continue
			}
			got, err := w.Settings.AcquirerSettings(s)
			if err == nil || got != nil || !strings.Contains(err.Error(), name) ||
				strings.Contains(err.Error(), accountstest.SettingValue) {
				t.Errorf("copied to %s of %s: %q, %v", name, to, got, err)
			}
		}
	}
	if _, err := w.Check(accountstest.SecretKey(t, "5a")); err == nil {
		t.Error("the check of the secret key opens a copied row")
	}
}

// Without a secret key settings are neither stored nor opened; the list needs none.
func TestAcquirersWithoutSecretKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Acquirer("plutu", "adfali")
	keyless := settings.New(w.Pool, w.Accounts, accounts.SecretKey{}, w.Now.Now)
	err := changes(keyless, w.Org, w.App.ID)["set"](t.Context(), operator)
	if !errors.Is(err, accounts.ErrNoSecretKey) || strings.Contains(err.Error(), "of-an-intruder") {
		t.Errorf("set: %v, want ErrNoSecretKey", err)
	}
	all, err := keyless.AcquirerAccounts(t.Context(), w.App.ID)
	if err != nil || len(all) != 1 {
		t.Fatalf("list: %v, %v", all, err)
	}
	if _, err := keyless.AcquirerSettings(all[0]); !errors.Is(err, accounts.ErrNoSecretKey) {
		t.Errorf("settings: %v, want ErrNoSecretKey", err)
	}
	_, err = accounts.CheckSecretKey(t.Context(), w.Pool, accounts.SecretKey{}, accountstest.Sealed)
	if !errors.Is(err, accounts.ErrNoSecretKey) {
		t.Errorf("check: %v, want ErrNoSecretKey", err)
	}
	w.WantAcquirers(`plutu [adfali] true {"secret_key":"value-of-a-setting-plutu"}`)
}

// The auditors' role reads no account, sealed or not, and no means of payment. The service's role
// may make every change.
func TestAuditorsCannotReadAcquirerAccounts(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	a := accountstest.Open(t, db.Pool(t), accountstest.NewClock().Now) // as the service's role
	s := accountstest.NewShop(t, a)
	auditor := pgtest.Open(t, db.SuperuserURL(),
		postgres.Options{RuntimeParams: map[string]string{"role": "daftar_auditor"}})
	for _, statement := range []string{
		`SELECT settings FROM acquirer_accounts`, `SELECT acquirer FROM acquirer_accounts`,
		`SELECT count(*) FROM acquirer_accounts`,
		`UPDATE acquirer_accounts SET enabled = false`, `DELETE FROM acquirer_accounts`,
		`SELECT presented, memo FROM checkout_attempts`,
	} {
		if _, err := auditor.Exec(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "42501") {
			t.Errorf("%s: %v, want no permission", statement, err)
		}
	}
	if _, err := auditor.Exec(t.Context(), `SELECT count(*) FROM audit_records`); err != nil {
		t.Errorf("the auditor may not read the trail: %v", err)
	}
	all := changes(settings.New(db.Pool(t), a, accountstest.SecretKey(t, "5a"), nil), s.Org, s.App.ID)
	for _, what := range []string{
		"set", "replace", "methods", "limits", "set order", "disable", "enable", "remove",
	} {
		if err := all[what](t.Context(), operator); err != nil {
			t.Errorf("the service may not %s: %v", what, err)
		}
	}
	if _, err := db.Pool(t).Exec(t.Context(), `TRUNCATE acquirer_accounts`); err == nil {
		t.Error("the service may empty the table")
	}
}
