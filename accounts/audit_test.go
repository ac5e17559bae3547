package accounts_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

func TestTrailIsAppendOnly(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	newShop(t, open(t, db.Pool(t), nil))
	super := pgtest.Open(t, db.SuperuserURL(), postgres.Options{MaxConns: 1})
	for _, sql := range []string{
		`UPDATE audit_records SET actor = 'x'`, `UPDATE audit_records SET actor = 'x' WHERE false`, `DELETE FROM audit_records`,
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
	if err := db.Pool(t).QueryRow(t.Context(), `SELECT count(*) FROM audit_records WHERE actor = 'operator:test'`).Scan(&n); err != nil || n != 3 {
		t.Errorf("%d records are left, %v; want 3", n, err)
	}
}

// What auditors may read of the people, and what they may not.
func TestAuditorsReadTheTrailOnly(t *testing.T) {
	t.Parallel()
	super := pgtest.Open(t, pgtest.Database(t).SuperuserURL(), postgres.Options{RuntimeParams: map[string]string{"role": "daftar_auditor"}})
	if _, err := super.Exec(t.Context(), `SELECT position, actor, detail FROM audit_records`); err != nil {
		t.Errorf("the trail: %v", err)
	}
	for _, table := range []string{"users", "recovery_codes", "memberships", "invitations", "sessions", "sign_in_failures"} {
		if _, err := super.Exec(t.Context(), `SELECT FROM `+table); err == nil || !strings.Contains(err.Error(), "42501") {
			t.Errorf("%s: %v, want no permission", table, err)
		}
	}
	if _, err := super.Exec(t.Context(), `INSERT INTO audit_records (at, actor, action, detail, address, request_id, outcome)
		VALUES (now(), 'x', 'x', '{}', '', '', 'done')`); err == nil {
		t.Error("an auditor writes in the trail")
	}
}

// No record, no action: everything that changes something, while the trail cannot
// be written.
func TestNothingHappensWithoutARecord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner, someone := w.person("owner", w.org, accounts.RoleOwner), w.person("someone", w.org, accounts.RoleViewer)
	second := w.person("second", w.org, accounts.RoleOwner)
	app, codes := w.enrol(second)
	w.later(time.Minute)
	invited, token, err := w.a.Invite(t.Context(), operator, w.org, "new@shop.example", accounts.RoleOwner)
	if err != nil {
		t.Fatal(err)
	}
	guest := w.person("guest", newShop(t, w.a).org, accounts.RoleViewer)
	_, theirs, err := w.a.Invite(t.Context(), operator, w.org, guest.Email, accounts.RoleViewer)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.a.BeginSecondFactor(t.Context(), by(owner)); err != nil {
		t.Fatal(err)
	}
	state := func() (text string) {
		const sql = `
SELECT concat((SELECT json_agg(x ORDER BY uuid) FROM users x), (SELECT json_agg(x ORDER BY uuid) FROM applications x),
  (SELECT json_agg(x ORDER BY uuid) FROM access_tokens x), (SELECT json_agg(x ORDER BY user_uuid) FROM memberships x),
  (SELECT json_agg(x ORDER BY uuid) FROM invitations x), (SELECT json_agg(x ORDER BY code_hash) FROM recovery_codes x),
  (SELECT json_agg(x ORDER BY uuid) FROM organizations x))`
		if err := w.owner.QueryRow(t.Context(), sql).Scan(&text); err != nil {
			t.Fatal(err)
		}
		return text
	}
	before := state()
	mend := w.refuseRecords()
	ctx := t.Context()
	for name, do := range map[string]func() error{
		"create organisation": func() error { _, err := w.a.CreateOrganization(ctx, operator, "x"); return err },
		"create application":  func() error { _, err := w.a.CreateApplication(ctx, by(owner), w.org, "x", ""); return err },
		"rename":              func() error { return w.a.Rename(ctx, by(owner), w.org, w.app.ID, "x") },
		"roll key":            func() error { _, err := w.a.RollAPIKey(ctx, by(owner), w.org, w.app.ID, time.Time{}); return err },
		"roll secret": func() error {
			_, err := w.a.RollWebhookSecret(ctx, by(owner), w.org, w.app.ID, time.Time{})
			return err
		},
		"deactivate":    func() error { return w.a.SetActive(ctx, by(owner), w.org, w.app.ID, false) },
		"stop":          func() error { return w.a.StopCheckouts(ctx, by(owner), w.org, w.app.ID) },
		"webhook URL":   func() error { return w.a.SetWebhookURL(ctx, by(owner), w.org, w.app.ID, "https://x.example/") },
		"create token":  func() error { _, _, err := w.a.CreateToken(ctx, by(owner), w.org, "x", nil); return err },
		"revoke token":  func() error { return w.a.RevokeToken(ctx, by(owner), w.org, w.token.ID) },
		"change role":   func() error { return w.a.ChangeRole(ctx, by(owner), w.org, someone.ID, accounts.RoleOwner) },
		"remove member": func() error { return w.a.RemoveMember(ctx, by(owner), w.org, someone.ID) },
		"invite": func() error {
			_, _, err := w.a.Invite(ctx, by(owner), w.org, "x@x.example", accounts.RoleViewer)
			return err
		},
		"revoke invitation": func() error { return w.a.RevokeInvitation(ctx, by(owner), w.org, invited.ID) },
		"choose password":   func() error { return w.a.ChoosePassword(ctx, token, password, home, "") },
		"accept":            func() error { _, err := w.a.AcceptInvitation(ctx, by(guest), theirs); return err },
		"create user": func() error {
			_, err := w.a.CreateUser(ctx, operator, w.org, "y@x.example", accounts.RoleViewer, password)
			return err
		},
		"change password": func() error { _, err := w.a.ChangePassword(ctx, by(owner), password, password+"x"); return err },
		"set password":    func() error { _, err := w.a.SetPassword(ctx, operator, owner.Email, password+"x"); return err },
		"enrol":           func() error { _, err := w.a.ConfirmSecondFactor(ctx, by(owner), app.code(w.now.Now())); return err },
		"reset factor":    func() error { _, err := w.a.ResetSecondFactor(ctx, operator, second.Email); return err },
		"disable factor":  func() error { return w.a.DisableSecondFactor(ctx, by(second)) },
		"new codes":       func() error { _, err := w.a.NewRecoveryCodes(ctx, by(second)); return err },
		"use a code":      func() error { _, err := w.a.CheckSecondFactor(ctx, by(second), codes[0]); return err },
		"sign in":         func() error { _, _, err := w.signIn(someone.Email, password, home); return err },
	} {
		if err := do(); err == nil {
			t.Errorf("%s: done", name)
		}
		if after := state(); after != before {
			t.Errorf("%s: it happened", name)
			before = after
		}
	}
	mend()
	if _, err := w.a.RollAPIKey(ctx, by(owner), w.org, w.app.ID, time.Time{}); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestTrail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.person("owner", w.org, accounts.RoleOwner)
	other := newShop(t, w.a)
	for n := range 5 {
		w.later(time.Hour)
		if err := w.a.SetActive(t.Context(), by(owner), w.org, w.app.ID, n%2 == 0); err != nil {
			t.Fatal(err)
		}
	}
	list := func(f accounts.TrailFilter) []accounts.AuditRecord {
		t.Helper()
		all, err := w.a.Trail(t.Context(), by(owner), w.org, f)
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
		"by time":    {accounts.TrailFilter{Since: noon.Add(2 * time.Hour), Until: noon.Add(4 * time.Hour)}, 2},
	} {
		if got := len(list(row.f)); got != row.want {
			t.Errorf("%s: %d records, want %d", what, got, row.want)
		}
	}
	r := all[0]
	if r.Action != accounts.ActionActivate || r.Subject != "application" || r.SubjectID.String() != w.app.ID.String() ||
		r.Detail["name"] != "Web" || r.Address != home || r.RequestID != "request-1" || r.User != owner.ID || r.Outcome != accounts.Done {
		t.Errorf("record %+v", r)
	}
	if got, err := w.a.Trail(t.Context(), operator, other.org, accounts.TrailFilter{}); err != nil || len(got) != 3 {
		t.Errorf("%d records of the other organisation, %v", len(got), err)
	}
	for _, secret := range []string{w.app.APIKey, w.app.WebhookSecret, w.value} {
		if n := w.count(`SELECT count(*) FROM audit_records r WHERE r::text LIKE '%' || $1 || '%'`, secret); n != 0 {
			t.Error("the trail has a secret")
		}
	}
}

// Others record through Do and Record, in their own transactions.
func TestDoIsForOthersToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.person("developer", w.org, accounts.RoleDeveloper)
	err := w.a.Do(t.Context(), by(u), w.org, accounts.SendWebhooks, func(pgx.Tx) (accounts.Entry, error) {
		return accounts.Entry{Action: "webhook.resend", Detail: map[string]any{"count": 3}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = pgx.BeginFunc(t.Context(), w.pool, func(tx pgx.Tx) error {
		return accounts.Record(t.Context(), tx, by(u), w.org, accounts.Entry{Action: "webhook.replay"})
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := w.trail(w.org, 2); got[0] != "developer@shop.example webhook.replay done" || got[1] != "developer@shop.example webhook.resend done" {
		t.Errorf("trail %q", got)
	}
	err = w.a.SignedOut(context.WithoutCancel(t.Context()), by(u))
	if got := w.trail(w.org, 1); err != nil || got[0] != "developer@shop.example sign_out done" {
		t.Errorf("signed out: %q, %v", got, err)
	}
}
