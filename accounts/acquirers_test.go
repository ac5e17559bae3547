package accounts_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// settingsOf are made-up settings of an account; their value is in no answer.
func settingsOf(value string) []byte { return fmt.Appendf(nil, `{"secret_key":%q}`, value) }

const settingValue = "value-of-a-setting"

// acquirer gives the world's application an account.
func (w *world) acquirer(name string, methods ...string) {
	w.t.Helper()
	if err := w.a.SetAcquirer(w.t.Context(), operator, w.org, w.app.ID, name, settingsOf(settingValue+"-"+name), methods); err != nil {
		w.t.Fatal(err)
	}
}

// acquirers are an application's accounts.
func (w *world) acquirers(of domain.ApplicationID) []accounts.AcquirerAccount {
	w.t.Helper()
	all, err := w.a.AcquirerAccounts(w.t.Context(), of)
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// wantAcquirers compares the accounts of the world's application: name, methods, whether it is
// enabled, and the settings.
func (w *world) wantAcquirers(want ...string) {
	w.t.Helper()
	var got []string
	for _, s := range w.acquirers(w.app.ID) {
		settings, err := w.a.AcquirerSettings(s)
		got = append(got, fmt.Sprintf("%s %v %v %s", s.Acquirer, s.Methods, s.Enabled, settings))
		if err != nil || s.Application != w.app.ID {
			w.t.Errorf("settings of %s: %v", s.Acquirer, err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("accounts (-want +got):\n%s", diff)
	}
}

// done ends the test where a step of it failed.
func (w *world) done(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// The checkout offers accounts in the order in which they came; only one that was removed
// goes to the end when it comes back.
func TestAcquirerAccountsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	w.wantAcquirers()
	w.acquirer("plutu", "cards", "adfali")
	w.acquirer("moamalat", "moamalat")
	w.acquirer("lypay", "lypay")
	w.done(w.a.EnableAcquirer(ctx, operator, w.org, w.app.ID, "plutu", false))
	w.later(time.Hour)
	w.done(w.a.SetAcquirer(ctx, operator, w.org, w.app.ID, "plutu", settingsOf("another"), []string{"sadad"}))
	const moamalat, lypay = `moamalat [moamalat] true {"secret_key":"value-of-a-setting-moamalat"}`, `lypay [lypay] true {"secret_key":"value-of-a-setting-lypay"}`
	w.wantAcquirers(`plutu [sadad] false {"secret_key":"another"}`, moamalat, lypay) // still disabled
	if first := w.acquirers(w.app.ID)[0]; !first.CreatedAt.Equal(noon) || !first.ChangedAt.Equal(noon.Add(time.Hour)) {
		t.Errorf("created %v, changed %v", first.CreatedAt, first.ChangedAt)
	}
	w.done(w.a.EnableAcquirer(ctx, operator, w.org, w.app.ID, "plutu", true))
	w.done(w.a.EnableAcquirer(ctx, operator, w.org, w.app.ID, "plutu", true)) // as it is
	w.wantAcquirers(`plutu [sadad] true {"secret_key":"another"}`, moamalat, lypay)
	w.done(w.a.RemoveAcquirer(ctx, operator, w.org, w.app.ID, "plutu"))
	w.wantAcquirers(moamalat, lypay)
	for what, err := range map[string]error{
		"remove again": w.a.RemoveAcquirer(ctx, operator, w.org, w.app.ID, "plutu"),
		"enable":       w.a.EnableAcquirer(ctx, operator, w.org, w.app.ID, "plutu", true),
	} {
		if !errors.Is(err, accounts.ErrNoAcquirerAccount) || !errors.Is(err, accounts.ErrNotFound) {
			t.Errorf("%s: %v, want ErrNoAcquirerAccount", what, err)
		}
	}
	w.acquirer("plutu", "adfali")
	w.wantAcquirers(moamalat, lypay, `plutu [adfali] true {"secret_key":"value-of-a-setting-plutu"}`)
}

// AcquirersInUse counts every application's accounts, disabled ones too.
func TestAcquirersInUse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := newShop(t, w.a)
	want := func(want ...string) {
		t.Helper()
		if got, err := w.a.AcquirersInUse(t.Context()); err != nil || !slices.Equal(want, got) {
			t.Errorf("in use: %v, %v; want %v", got, err, want)
		}
	}
	want()
	w.acquirer("plutu", "adfali")
	w.acquirer("lypay", "lypay")
	w.done(w.a.SetAcquirer(t.Context(), operator, other.org, other.app.ID, "plutu", settingsOf("theirs"), []string{"cards"}))
	w.done(w.a.EnableAcquirer(t.Context(), operator, w.org, w.app.ID, "lypay", false))
	want("lypay", "plutu")
	w.done(w.a.RemoveAcquirer(t.Context(), operator, w.org, w.app.ID, "lypay"))
	w.done(w.a.RemoveAcquirer(t.Context(), operator, w.org, w.app.ID, "plutu"))
	want("plutu") // the other shop's
}

// changes are the methods that change an account with an acquirer.
func changes(a *accounts.Accounts, org accounts.OrganizationID, app domain.ApplicationID) map[string]func(ctx context.Context, by accounts.Actor) error {
	return map[string]func(ctx context.Context, by accounts.Actor) error{
		"set": func(ctx context.Context, by accounts.Actor) error {
			return a.SetAcquirer(ctx, by, org, app, "plutu", settingsOf("of-an-intruder"), []string{"tlync"})
		},
		"set another": func(ctx context.Context, by accounts.Actor) error {
			return a.SetAcquirer(ctx, by, org, app, "lypay", settingsOf("of-an-intruder"), []string{"lypay"})
		},
		"set order": func(ctx context.Context, by accounts.Actor) error {
			return a.OrderAcquirers(ctx, by, org, app, []string{"plutu"})
		},
		"replace": func(ctx context.Context, by accounts.Actor) error {
			return a.ReplaceAcquirerSettings(ctx, by, org, app, "plutu", settingsOf("of-an-intruder"))
		},
		"methods": func(ctx context.Context, by accounts.Actor) error {
			return a.OfferMethods(ctx, by, org, app, "plutu", []string{"tlync"})
		},
		"limits": func(ctx context.Context, by accounts.Actor) error {
			return a.LimitMethod(ctx, by, org, app, "plutu", "adfali", accounts.AmountLimits{Max: 9_000})
		},
		"disable": func(ctx context.Context, by accounts.Actor) error {
			return a.EnableAcquirer(ctx, by, org, app, "plutu", false)
		},
		"enable": func(ctx context.Context, by accounts.Actor) error {
			return a.EnableAcquirer(ctx, by, org, app, "plutu", true)
		},
		"remove": func(ctx context.Context, by accounts.Actor) error {
			return a.RemoveAcquirer(ctx, by, org, app, "plutu")
		},
	}
}

// An owner of another organisation reaches no account, under the name of either organisation.
func TestAcquirerAccountsOfOthersDoNotExist(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := newShop(t, w.a)
	stranger := by(w.person("stranger", other.org, accounts.RoleOwner))
	w.acquirer("plutu", "adfali")
	before := w.trail(w.org, 100)
	for what, do := range changes(w.a, other.org, w.app.ID) {
		want := accounts.ErrNoAcquirerAccount
		if strings.HasPrefix(what, "set") {
			want = accounts.ErrNoApplication
		}
		if err := do(t.Context(), stranger); !errors.Is(err, want) {
			t.Errorf("%s, as if it were one of theirs: %v, want %v", what, err, want)
		}
	}
	for what, do := range changes(w.a, w.org, w.app.ID) {
		if err := do(t.Context(), stranger); !errors.Is(err, accounts.ErrNoOrganization) {
			t.Errorf("%s: %v, want ErrNoOrganization", what, err)
		}
	}
	w.wantAcquirers(`plutu [adfali] true {"secret_key":"value-of-a-setting-plutu"}`)
	if all := w.acquirers(other.app.ID); len(all) > 0 {
		t.Errorf("the stranger's application has got %v", all)
	}
	if diff := cmp.Diff(before, w.trail(w.org, 100)); diff != "" {
		t.Errorf("a stranger has written in the trail:\n%s", diff)
	}
	if n := w.count(`SELECT count(*) FROM audit_records WHERE action LIKE 'acquirer.%'`); n != 1 {
		t.Errorf("%d records of changes, want that of the account alone", n)
	}
}

// Who may not change credentials changes no account, and the refusal is recorded.
func TestAcquirerAccountsNeedChangeCredentials(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.acquirer("plutu", "adfali")
	viewer := w.person("viewer", w.org, accounts.RoleViewer)
	for what, do := range changes(w.a, w.org, w.app.ID) {
		if err := do(t.Context(), by(viewer)); !errors.Is(err, accounts.ErrForbidden) {
			t.Errorf("%s by a viewer: %v, want ErrForbidden", what, err)
		}
		records, err := w.a.Trail(t.Context(), operator, w.org, accounts.TrailFilter{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		last := records[0]
		if last.Actor != viewer.Email || last.Action != accounts.ActionAccess || last.Outcome != accounts.Denied || last.Detail["permission"] != string(accounts.ChangeCredentials) {
			t.Errorf("%s by a viewer is recorded as %+v", what, last)
		}
	}
	w.wantAcquirers(`plutu [adfali] true {"secret_key":"value-of-a-setting-plutu"}`)
	for _, role := range []accounts.Role{accounts.RoleDeveloper, accounts.RoleOwner} {
		if err := changes(w.a, w.org, w.app.ID)["disable"](t.Context(), by(w.person(string(role), w.org, role))); err != nil {
			t.Errorf("disable by a %s: %v", role, err)
		}
	}
}

// The trail names acquirer and methods, and never a setting's value. Where nothing can be
// recorded nothing is done.
func TestAcquirerChangesAreRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.person("owner", w.org, accounts.RoleOwner)
	ctx, app := t.Context(), w.app.ID
	w.done(w.a.SetAcquirer(ctx, by(owner), w.org, app, "plutu", settingsOf(settingValue), []string{"adfali", "cards"}))
	w.done(w.a.EnableAcquirer(ctx, by(owner), w.org, app, "plutu", false))
	w.done(w.a.EnableAcquirer(ctx, by(owner), w.org, app, "plutu", true))
	w.done(w.a.RemoveAcquirer(ctx, by(owner), w.org, app, "plutu"))
	records, err := w.a.Trail(ctx, operator, w.org, accounts.TrailFilter{Limit: 4})
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]any{"name": "Web", "acquirer": "plutu"}
	for n, want := range []struct {
		action accounts.Action
		detail map[string]any
	}{
		{accounts.ActionRemoveAcquirer, named},
		{accounts.ActionEnableAcquirer, named},
		{accounts.ActionDisableAcquirer, named},
		{accounts.ActionSetAcquirer, map[string]any{"name": "Web", "acquirer": "plutu", "methods": []any{"adfali", "cards"}}},
	} {
		r := records[n]
		if r.Action != want.action || r.Actor != owner.Email || r.Subject != "application" || domain.ApplicationID(r.SubjectID) != app || r.Outcome != accounts.Done {
			t.Errorf("record %+v, want %s", r, want.action)
		}
		if diff := cmp.Diff(want.detail, r.Detail); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want.action, diff)
		}
	}
	w.acquirer("plutu", "adfali")
	mend := w.refuseRecords()
	for what, do := range changes(w.a, w.org, app) {
		if err := do(ctx, by(owner)); err == nil || strings.Contains(err.Error(), "of-an-intruder") {
			t.Errorf("%s without a record: %v", what, err)
		}
	}
	mend()
	w.wantAcquirers(`plutu [adfali] true {"secret_key":"value-of-a-setting-plutu"}`)
	if n := w.count(`SELECT count(*) FROM audit_records r WHERE r::text LIKE '%' || $1 || '%'`, settingValue); n != 0 {
		t.Errorf("%d records have the value of a setting", n)
	}
}

// Settings open for the application and the acquirer that they were sealed for: a row that
// somebody copied in the database gives nobody another's account.
func TestSettingsAreSealedForTheirAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := shopOf(t, w.a, w.org)
	w.acquirer("plutu", "adfali")
	if n := w.count(`SELECT count(*) FROM acquirer_accounts WHERE strpos(encode(settings, 'escape'), $1) > 0 OR strpos(methods::text, $1) > 0`, settingValue); n != 0 {
		t.Error("the settings are in clear")
	}
	const copySQL = `INSERT INTO acquirer_accounts (application_uuid, acquirer, settings, methods, enabled, position, created_at, changed_at)
SELECT $1, $2, settings, methods, enabled, position, created_at, changed_at FROM acquirer_accounts WHERE application_uuid = $3 AND acquirer = 'plutu'`
	for name, to := range map[string]domain.ApplicationID{"plutu": other.app.ID, "lypay": w.app.ID} {
		if _, err := w.pool.Exec(t.Context(), copySQL, to, name, w.app.ID); err != nil {
			t.Fatal(err)
		}
		for _, s := range w.acquirers(to) {
			if s.Acquirer != name {
				continue
			}
			if got, err := w.a.AcquirerSettings(s); err == nil || got != nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), settingValue) {
				t.Errorf("copied to %s of %s: %q, %v", name, to, got, err)
			}
		}
	}
	if _, err := w.a.CheckSecretKey(t.Context()); err == nil {
		t.Error("the check of the secret key opens a copied row")
	}
}

// Without a secret key nothing is kept and nothing is opened; the list needs none.
func TestAcquirersWithoutSecretKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.acquirer("plutu", "adfali")
	keyless := accounts.New(w.pool, accounts.Options{Now: w.now.Now, CheapPasswords: true})
	if err := changes(keyless, w.org, w.app.ID)["set"](t.Context(), operator); !errors.Is(err, accounts.ErrNoSecretKey) || strings.Contains(err.Error(), "of-an-intruder") {
		t.Errorf("set: %v, want ErrNoSecretKey", err)
	}
	all, err := keyless.AcquirerAccounts(t.Context(), w.app.ID)
	if err != nil || len(all) != 1 {
		t.Fatalf("list: %v, %v", all, err)
	}
	if _, err := keyless.AcquirerSettings(all[0]); !errors.Is(err, accounts.ErrNoSecretKey) {
		t.Errorf("settings: %v, want ErrNoSecretKey", err)
	}
	if _, err := keyless.CheckSecretKey(t.Context()); !errors.Is(err, accounts.ErrNoSecretKey) {
		t.Errorf("check: %v, want ErrNoSecretKey", err)
	}
	w.wantAcquirers(`plutu [adfali] true {"secret_key":"value-of-a-setting-plutu"}`)
}

// The auditors' role reads no account, sealed or not, and nothing that a payer pays with. The
// service's role makes every change.
func TestAuditorsCannotReadAcquirerAccounts(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	a := open(t, db.Pool(t), newClock().Now) // as the service's role
	s := newShop(t, a)
	auditor := pgtest.Open(t, db.SuperuserURL(), postgres.Options{RuntimeParams: map[string]string{"role": "daftar_auditor"}})
	for _, statement := range []string{
		`SELECT settings FROM acquirer_accounts`, `SELECT acquirer FROM acquirer_accounts`, `SELECT count(*) FROM acquirer_accounts`,
		`UPDATE acquirer_accounts SET enabled = false`, `DELETE FROM acquirer_accounts`, `SELECT presented, memo FROM checkout_attempts`,
	} {
		if _, err := auditor.Exec(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "42501") {
			t.Errorf("%s: %v, want no permission", statement, err)
		}
	}
	if _, err := auditor.Exec(t.Context(), `SELECT count(*) FROM audit_records`); err != nil {
		t.Errorf("the auditor may not read the trail: %v", err)
	}
	for _, what := range []string{"set", "replace", "methods", "limits", "set order", "disable", "enable", "remove"} {
		if err := changes(a, s.org, s.app.ID)[what](t.Context(), operator); err != nil {
			t.Errorf("the service may not %s: %v", what, err)
		}
	}
	if _, err := db.Pool(t).Exec(t.Context(), `TRUNCATE acquirer_accounts`); err == nil {
		t.Error("the service may empty the table")
	}
}
