package accounts_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

func TestTrailIsAppendOnly(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	accountstest.NewShop(t, accountstest.Open(t, db.Pool(t), nil))
	super := pgtest.Open(t, db.SuperuserURL(), postgres.Options{MaxConns: 1})
	for _, sql := range []string{
		`UPDATE audit_records SET actor = 'x'`, `UPDATE audit_records SET actor = 'x' WHERE false`,
		`DELETE FROM audit_records`,
		`TRUNCATE audit_records`, `SET session_replication_role = replica; DELETE FROM audit_records`,
	} {
		_, err := super.Exec(t.Context(), sql)
		if err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s by a superuser: %v", sql, err)
		}
		if _, err := db.Pool(t).Exec(t.Context(), sql); err == nil {
			t.Errorf("%s by the service: done", sql)
		}
	}
	var n int
	err := db.Pool(t).QueryRow(t.Context(),
		`SELECT count(*) FROM audit_records WHERE actor = 'operator:test'`).Scan(&n)
	if err != nil || n != 3 {
		t.Errorf("%d records are left, %v; want 3", n, err)
	}
}

// Auditors may read the trail, and no table about people.
func TestAuditorsReadTheTrailOnly(t *testing.T) {
	t.Parallel()
	super := pgtest.Open(t, pgtest.Database(t).SuperuserURL(),
		postgres.Options{RuntimeParams: map[string]string{"role": "daftar_auditor"}})
	if _, err := super.Exec(t.Context(), `SELECT position, actor, detail FROM audit_records`); err != nil {
		t.Errorf("the trail: %v", err)
	}
	for _, table := range []string{
		"users", "recovery_codes", "memberships", "invitations", "sessions", "sign_in_failures",
	} {
		_, err := super.Exec(t.Context(), `SELECT FROM `+table)
		if err == nil || !strings.Contains(err.Error(), "42501") {
			t.Errorf("%s: %v, want no permission", table, err)
		}
	}
	_, err := super.Exec(t.Context(), `
INSERT INTO audit_records (at, actor, action, detail, address, request_id, outcome)
VALUES (now(), 'x', 'x', '{}', '', '', 'done')`)
	if err == nil {
		t.Error("an auditor writes in the trail")
	}
}

// No record, no action: every method that changes something fails while the trail cannot be
// written.
func TestNothingHappensWithoutARecord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.Person("owner", w.Org, accounts.RoleOwner)
	someone := w.Person("someone", w.Org, accounts.RoleViewer)
	second := w.Person("second", w.Org, accounts.RoleOwner)
	app, codes := w.Enrol(second)
	w.Later(time.Minute)
	invited, token, err := w.People.Invite(t.Context(), operator, w.Org, "new@shop.example",
		accounts.RoleOwner)
	if err != nil {
		t.Fatal(err)
	}
	guest := w.Person("guest", accountstest.NewShop(t, w.Accounts).Org, accounts.RoleViewer)
	_, theirs, err := w.People.Invite(t.Context(), operator, w.Org, guest.Email, accounts.RoleViewer)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.People.BeginSecondFactor(t.Context(), by(owner)); err != nil {
		t.Fatal(err)
	}
	state := func() (text string) {
		const sql = `
SELECT concat((SELECT json_agg(x ORDER BY uuid) FROM users x),
    (SELECT json_agg(x ORDER BY uuid) FROM applications x),
    (SELECT json_agg(x ORDER BY uuid) FROM access_tokens x),
    (SELECT json_agg(x ORDER BY user_uuid) FROM memberships x),
    (SELECT json_agg(x ORDER BY uuid) FROM invitations x),
    (SELECT json_agg(x ORDER BY code_hash) FROM recovery_codes x),
    (SELECT json_agg(x ORDER BY uuid) FROM organizations x))`
		if err := w.Owner.QueryRow(t.Context(), sql).Scan(&text); err != nil {
			t.Fatal(err)
		}
		return text
	}
	before := state()
	stopRefusing := w.RefuseRecords()
	ctx := t.Context()
	for name, do := range map[string]func() error{
		"create organisation": func() error {
			_, err := w.Accounts.CreateOrganization(ctx, operator, "x")
			return err
		},
		"create application": func() error {
			_, err := w.Accounts.CreateApplication(ctx, by(owner), w.Org, accounts.Draft{Name: "x"})
			return err
		},
		"rename": func() error { return w.Accounts.Rename(ctx, by(owner), w.Org, w.App.ID, "x") },
		"roll key": func() error {
			_, err := w.Accounts.RollAPIKey(ctx, by(owner), w.Org, w.App.ID, time.Time{})
			return err
		},
		"roll secret": func() error {
			_, err := w.Accounts.RollWebhookSecret(ctx, by(owner), w.Org, w.App.ID, time.Time{})
			return err
		},
		"deactivate": func() error { return w.Accounts.SetActive(ctx, by(owner), w.Org, w.App.ID, false) },
		"stop":       func() error { return w.Accounts.StopCheckouts(ctx, by(owner), w.Org, w.App.ID) },
		"webhook URL": func() error {
			return w.Accounts.SetWebhookURL(ctx, by(owner), w.Org, w.App.ID, "https://x.example/")
		},
		"create token": func() error {
			_, _, err := w.Accounts.CreateToken(ctx, by(owner), w.Org, accounts.TokenDraft{Name: "x"})
			return err
		},
		"revoke token": func() error { return w.Accounts.RevokeToken(ctx, by(owner), w.Org, w.Token.ID) },
		"change role": func() error {
			return w.People.ChangeRole(ctx, by(owner), w.Org, someone.ID, accounts.RoleOwner)
		},
		"remove member": func() error { return w.People.RemoveMember(ctx, by(owner), w.Org, someone.ID) },
		"invite": func() error {
			_, _, err := w.People.Invite(ctx, by(owner), w.Org, "x@x.example", accounts.RoleViewer)
			return err
		},
		"revoke invitation": func() error {
			return w.People.RevokeInvitation(ctx, by(owner), w.Org, invited.ID)
		},
		"choose password": func() error { return w.People.ChoosePassword(ctx, token, password, home, "") },
		"accept": func() error {
			_, err := w.People.AcceptInvitation(ctx, by(guest), theirs)
			return err
		},
		"create user": func() error {
			_, err := w.People.CreateUser(ctx, operator, w.Org, "y@x.example", accounts.RoleViewer, password)
			return err
		},
		"change password": func() error {
			_, err := w.People.ChangePassword(ctx, by(owner), password, password+"x")
			return err
		},
		"set password": func() error {
			_, err := w.People.SetPassword(ctx, operator, owner.Email, password+"x")
			return err
		},
		"enrol": func() error {
			_, err := w.People.ConfirmSecondFactor(ctx, by(owner), app.Code(w.Now.Now()))
			return err
		},
		"reset factor": func() error {
			_, err := w.People.ResetSecondFactor(ctx, operator, second.Email)
			return err
		},
		"disable factor": func() error { return w.People.DisableSecondFactor(ctx, by(second)) },
		"new codes":      func() error { _, err := w.People.NewRecoveryCodes(ctx, by(second)); return err },
		"use a code": func() error {
			_, err := w.People.CheckSecondFactor(ctx, by(second), codes[0])
			return err
		},
		"sign in": func() error {
			_, _, err := w.SignIn(someone.Email, password, home)
			return err
		},
	} {
		if err := do(); err == nil {
			t.Errorf("%s: done", name)
		}
		if after := state(); after != before {
			t.Errorf("%s: it happened", name)
			before = after
		}
	}
	stopRefusing()
	if _, err := w.Accounts.RollAPIKey(ctx, by(owner), w.Org, w.App.ID, time.Time{}); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestTrail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.Person("owner", w.Org, accounts.RoleOwner)
	other := accountstest.NewShop(t, w.Accounts)
	for n := range 5 {
		w.Later(time.Hour)
		if err := w.Accounts.SetActive(t.Context(), by(owner), w.Org, w.App.ID, n%2 == 0); err != nil {
			t.Fatal(err)
		}
	}
	list := func(f accounts.TrailFilter) []accounts.AuditRecord {
		t.Helper()
		all, err := w.Accounts.Trail(t.Context(), by(owner), w.Org, f)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	all := list(accounts.TrailFilter{})
	if len(all) != 3+1+5 { // organisation, application, token; user; changes
		t.Errorf("%d records", len(all))
	}
	for n := 1; n < len(all); n++ {
		if all[n].Position >= all[n-1].Position {
			t.Errorf("record %d does not come before %d", all[n].Position, all[n-1].Position)
		}
	}
	page := list(accounts.TrailFilter{Before: all[2].Position, Limit: 2})
	if len(page) != 2 || page[0].Position != all[3].Position {
		t.Errorf("page %+v", page)
	}
	for what, row := range map[string]struct {
		f    accounts.TrailFilter
		want int
	}{
		"by actor":   {accounts.TrailFilter{Actor: owner.Email}, 5},
		"by action":  {accounts.TrailFilter{Action: accounts.ActionActivate}, 3},
		"by outcome": {accounts.TrailFilter{Outcome: accounts.Denied}, 0},
		"by time": {accounts.TrailFilter{
			Since: accountstest.Noon.Add(2 * time.Hour), Until: accountstest.Noon.Add(4 * time.Hour),
		}, 2},
	} {
		if got := len(list(row.f)); got != row.want {
			t.Errorf("%s: %d records, want %d", what, got, row.want)
		}
	}
	r := all[0]
	if r.Action != accounts.ActionActivate || r.Subject != "application" ||
		r.SubjectID.String() != w.App.ID.String() || r.Detail["name"] != "Web" || r.Address != home ||
		r.RequestID != "request-1" || r.User != owner.ID || r.Outcome != accounts.Done {
		t.Errorf("record %+v", r)
	}
	// Who may do something sees what the others have done of it.
	latest, err := w.Accounts.Latest(t.Context(), by(w.Person("dev", w.Org, accounts.RoleDeveloper)), w.Org,
		accounts.ChangeCredentials, accounts.ActionActivate, 2)
	if err != nil || len(latest) != 2 || latest[0].Position != all[0].Position ||
		latest[1].Position != all[2].Position {
		t.Errorf("the latest are %+v, %v", latest, err)
	}
	_, err = w.Accounts.Latest(t.Context(), by(w.Person("viewer", w.Org, accounts.RoleViewer)), w.Org,
		accounts.ChangeCredentials, accounts.ActionActivate, 2)
	if !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("a viewer: %v", err)
	}
	got, err := w.Accounts.Trail(t.Context(), operator, other.Org, accounts.TrailFilter{})
	if err != nil || len(got) != 3 {
		t.Errorf("%d records of the other organisation, %v", len(got), err)
	}
	for _, secret := range []string{w.App.APIKey, w.App.WebhookSecret, w.Value} {
		n := w.Count(`SELECT count(*) FROM audit_records r WHERE r::text LIKE '%' || $1 || '%'`, secret)
		if n != 0 {
			t.Error("the trail has a secret")
		}
	}
}

// Other packages record through Do, or through Record in their own transactions.
func TestOtherPackagesRecord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("developer", w.Org, accounts.RoleDeveloper)
	err := w.Accounts.Do(t.Context(), by(u), w.Org, accounts.SendWebhooks,
		func(pgx.Tx) (accounts.Entry, error) {
			return accounts.Entry{Action: "webhook.resend", Detail: map[string]any{"count": 3}}, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	err = pgx.BeginFunc(t.Context(), w.Pool, func(tx pgx.Tx) error {
		return accounts.Record(t.Context(), tx, by(u), w.Org, accounts.Entry{Action: "webhook.replay"})
	})
	if err != nil {
		t.Fatal(err)
	}
	got := w.Trail(w.Org, 2)
	if got[0] != "developer@shop.example webhook.replay done" ||
		got[1] != "developer@shop.example webhook.resend done" {
		t.Errorf("trail %q", got)
	}
	err = w.People.SignedOut(context.WithoutCancel(t.Context()), by(u))
	if got := w.Trail(w.Org, 1); err != nil || got[0] != "developer@shop.example sign_out done" {
		t.Errorf("signed out: %q, %v", got, err)
	}
}
