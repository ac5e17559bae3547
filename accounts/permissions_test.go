package accounts_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/accounts/people"
	"daftar/accounts/settings"
	"daftar/domain"
)

func TestWhatRolesAllow(t *testing.T) {
	t.Parallel()
	const o, d, f = accounts.RoleOwner, accounts.RoleDeveloper, accounts.RoleFinance
	const s, v = accounts.RoleSupport, accounts.RoleViewer
	type roles = []accounts.Role
	all := []struct {
		p           accounts.Permission
		allow, deny roles
	}{
		// Every role reads payments; support reads them one by one.
		{accounts.SeePayments, roles{o, d, f, s, v}, roles{}},
		{accounts.SeeMoney, roles{o, d, f, v}, roles{s}},
		{accounts.ExportPayments, roles{o, d, f, v}, roles{s}},
		// A payment link acts for the shop, as its server does.
		{accounts.CreatePayments, roles{o, d}, roles{f, s, v}},
		// Finance decides; only owners refund.
		{accounts.DecidePayments, roles{o, d, f}, roles{s, v}},
		{accounts.RefundPayments, roles{o}, roles{d, f, s, v}},
		{accounts.SettleOutcomes, roles{o, f}, roles{d, s, v}},
		{accounts.KeepBooks, roles{o, f}, roles{d, s, v}},
		// Roles that answer customers write notes, and send receipts.
		{accounts.WriteNotes, roles{o, d, f, s}, roles{v}},
		{accounts.ShareReceipts, roles{o, d, f, s}, roles{v}},
		// Support sends one webhook again, and changes nothing about endpoints.
		{accounts.SeeWebhooks, roles{o, d, f, s, v}, roles{}},
		{accounts.ResendWebhooks, roles{o, d, s}, roles{f, v}},
		{accounts.SendWebhooks, roles{o, d}, roles{f, s, v}},
		// Keys, tokens, secrets and settings are for developers and owners.
		{accounts.SeeDevelopers, roles{o, d}, roles{f, s, v}},
		{accounts.SeeCredentials, roles{o, d}, roles{f, s, v}},
		{accounts.ChangeCredentials, roles{o, d}, roles{f, s, v}},
		// Nobody grants what they may not do.
		{accounts.GrantRefunds, roles{o}, roles{d, f, s, v}},
		{accounts.SeePeople, roles{o, d}, roles{f, s, v}},
		{accounts.SeeAudit, roles{o, d}, roles{f, s, v}},
		{accounts.ManagePeople, roles{o}, roles{d, f, s, v}},
	}
	if len(all) != len(accounts.Permissions) {
		t.Errorf("%d permissions have a row, of %d", len(all), len(accounts.Permissions))
	}
	for _, r := range all {
		if got := len(r.allow) + len(r.deny); got != len(accounts.Roles) {
			t.Errorf("%s: %d roles are named, of %d", r.p, got, len(accounts.Roles))
		}
		for _, role := range r.allow {
			if !role.Allows(r.p) {
				t.Errorf("%s may not %s", role, r.p)
			}
		}
		for _, role := range append(r.deny, "", "admin", "OWNER", "Finance") {
			if role.Allows(r.p) {
				t.Errorf("%q may %s", role, r.p)
			}
		}
	}
}

// The table of SECURITY.md names the roles that have each permission.
func TestSecurityTableIsTrue(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text),
		"| permission | covers | owner | developer | finance | support | viewer |\n|---|---|---|---|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var named []accounts.Permission
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(line, "|\n"), "|")
		if len(cells) != 2+len(accounts.Roles) {
			t.Fatalf("a row of %d cells: %s", len(cells), line)
		}
		p := accounts.Permission(strings.TrimSpace(cells[0]))
		named = append(named, p)
		for n, role := range accounts.Roles {
			if says := strings.TrimSpace(cells[2+n]) == "yes"; says != role.Allows(p) {
				t.Errorf("%s: the table says %v of the role %s", p, says, role)
			}
		}
	}
	if !slices.Equal(named, accounts.Permissions) {
		t.Errorf("the table has %q, want %q", named, accounts.Permissions)
	}
}

// act is a method that needs a permission, called for the world's organisation.
type act struct {
	name string
	p    accounts.Permission
	do   func(ctx context.Context, by accounts.Actor) error
}

// acts are all methods that touch an organisation's data.
func (w *world) acts(someone people.User) []act {
	a, org, app := w.Accounts, w.Org, w.App.ID
	must := func(name string) accounts.UserID { return w.Person(name, org, accounts.RoleViewer).ID }
	n := 0
	return []act{
		{"list applications", accounts.SeePayments, func(ctx context.Context, by accounts.Actor) error {
			_, err := a.Applications(ctx, by, org.In(domain.ModeLive))
			return err
		}},
		{"list credentials", accounts.SeeCredentials, func(ctx context.Context, by accounts.Actor) error {
			_, err := a.AllCredentials(ctx, by, org.In(domain.ModeLive))
			return err
		}},
		{"find credentials", accounts.SeeCredentials, func(ctx context.Context, by accounts.Actor) error {
			_, err := a.CredentialsOf(ctx, by, org, app)
			return err
		}},
		{"list tokens", accounts.SeeCredentials, func(ctx context.Context, by accounts.Actor) error {
			_, err := a.Tokens(ctx, by, org)
			return err
		}},
		{"list members", accounts.SeePeople, func(ctx context.Context, by accounts.Actor) error {
			_, err := w.People.Members(ctx, by, org)
			return err
		}},
		{"list invitations", accounts.SeePeople, func(ctx context.Context, by accounts.Actor) error {
			_, err := w.People.Invitations(ctx, by, org)
			return err
		}},
		{"trail", accounts.SeeAudit, func(ctx context.Context, by accounts.Actor) error {
			_, err := a.Trail(ctx, by, org, accounts.TrailFilter{})
			return err
		}},
		{"create application", accounts.ChangeCredentials, func(ctx context.Context, by accounts.Actor) error {
			_, err := a.CreateApplication(ctx, by, org, accounts.Draft{Name: "Web"})
			return err
		}},
		{"rename", accounts.ChangeCredentials, func(ctx context.Context, by accounts.Actor) error {
			return a.Rename(ctx, by, org, app, "Other")
		}},
		{"roll key", accounts.ChangeCredentials, func(ctx context.Context, by accounts.Actor) error {
			_, err := a.RollAPIKey(ctx, by, org, app, time.Time{})
			return err
		}},
		{"roll secret", accounts.ChangeCredentials, func(ctx context.Context, by accounts.Actor) error {
			_, err := a.RollWebhookSecret(ctx, by, org, app, time.Time{})
			return err
		}},
		{"activate", accounts.ChangeCredentials, func(ctx context.Context, by accounts.Actor) error {
			return a.SetActive(ctx, by, org, app, true)
		}},
		{"stop checkouts", accounts.ChangeCredentials, func(ctx context.Context, by accounts.Actor) error {
			return a.StopCheckouts(ctx, by, org, app)
		}},
		{"webhook URL", accounts.ChangeCredentials, func(ctx context.Context, by accounts.Actor) error {
			return a.SetWebhookURL(ctx, by, org, app, "https://shop.example/")
		}},
		{"set acquirer", accounts.ChangeCredentials, func(ctx context.Context, by accounts.Actor) error {
			return w.Settings.SetAcquirer(ctx, by, org, app, "plutu", accountstest.SettingsOf("of-a-role"),
				[]string{"adfali"})
		}},
		{"replace acquirer's settings", accounts.ChangeCredentials,
			func(ctx context.Context, by accounts.Actor) error {
				return w.Settings.ReplaceAcquirerSettings(ctx, by, org, app, "plutu",
					accountstest.SettingsOf("of-a-role"))
			}},
		{"check acquirer", accounts.ChangeCredentials, func(ctx context.Context, by accounts.Actor) error {
			return w.Settings.BeginCheck(ctx, by, org, app, "plutu")
		}},
		{"enable acquirer", accounts.ChangeCredentials, func(ctx context.Context, by accounts.Actor) error {
			return w.Settings.EnableAcquirer(ctx, by, org, app, "plutu", true)
		}},
		{"disable acquirer", accounts.ChangeCredentials, func(ctx context.Context, by accounts.Actor) error {
			return w.Settings.EnableAcquirer(ctx, by, org, app, "plutu", false)
		}},
		{"offer methods", accounts.ChangeCredentials, func(ctx context.Context, by accounts.Actor) error {
			return w.Settings.OfferMethods(ctx, by, org, app, "plutu", []string{"adfali", "cards"})
		}},
		{"limit method", accounts.ChangeCredentials, func(ctx context.Context, by accounts.Actor) error {
			return w.Settings.LimitMethod(ctx, by, org, app, "plutu", "adfali",
				settings.AmountLimits{Min: 5_000})
		}},
		{"order acquirers", accounts.ChangeCredentials, func(ctx context.Context, by accounts.Actor) error {
			return w.Settings.OrderAcquirers(ctx, by, org, app, []string{"plutu"})
		}},
		{"remove acquirer", accounts.ChangeCredentials, func(ctx context.Context, by accounts.Actor) error {
			w.Acquirer("plutu", "adfali")
			return w.Settings.RemoveAcquirer(ctx, by, org, app, "plutu")
		}},
		{"create token", accounts.ChangeCredentials, func(ctx context.Context, by accounts.Actor) error {
			_, _, err := a.CreateToken(ctx, by, org, accounts.TokenDraft{Name: "x"})
			return err
		}},
		{"create token that refunds", accounts.GrantRefunds, func(ctx context.Context, by accounts.Actor) error {
			scopes := []accounts.Scope{accounts.ScopePayments, accounts.ScopeRefunds}
			_, _, err := a.CreateToken(ctx, by, org, accounts.TokenDraft{Name: "x", Scopes: scopes})
			return err
		}},
		{"revoke token", accounts.ChangeCredentials, func(ctx context.Context, by accounts.Actor) error {
			return a.RevokeToken(ctx, by, org, w.Token.ID)
		}},
		{"change role", accounts.ManagePeople, func(ctx context.Context, by accounts.Actor) error {
			return w.People.ChangeRole(ctx, by, org, someone.ID, accounts.RoleDeveloper)
		}},
		{"remove member", accounts.ManagePeople, func(ctx context.Context, by accounts.Actor) error {
			n++
			return w.People.RemoveMember(ctx, by, org, must(fmt.Sprintf("leaver%d", n)))
		}},
		{"invite", accounts.ManagePeople, func(ctx context.Context, by accounts.Actor) error {
			_, _, err := w.People.Invite(ctx, by, org, "new@shop.example", accounts.RoleViewer)
			return err
		}},
		{"revoke invitation", accounts.ManagePeople, func(ctx context.Context, by accounts.Actor) error {
			i, _, err := w.People.Invite(ctx, operator, org, "gone@shop.example", accounts.RoleViewer)
			if err != nil {
				return err
			}
			return w.People.RevokeInvitation(ctx, by, org, i.ID)
		}},
	}
}

// Every role and every method: a role with the permission succeeds, any other is refused and
// recorded.
func TestMethodsAskForTheirPermission(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	someone := w.Person("someone", w.Org, accounts.RoleViewer)
	people := map[accounts.Role]people.User{}
	for _, role := range accounts.Roles {
		people[role] = w.Person(string(role), w.Org, role)
	}
	other := accountstest.NewShop(t, w.Accounts)
	stranger := w.Person("stranger", other.Org, accounts.RoleOwner)
	for _, act := range w.acts(someone) {
		for role, u := range people {
			want := accounts.ErrForbidden
			if role.Allows(act.p) {
				want = nil
			}
			denied := w.Count(`SELECT count(*) FROM audit_records WHERE outcome = 'denied'`)
			if err := act.do(t.Context(), by(u)); !errors.Is(err, want) {
				t.Errorf("%s: %s: %v, want %v", role, act.name, err, want)
			}
			if want != nil {
				denied++
			}
			if got := w.Count(`SELECT count(*) FROM audit_records WHERE outcome = 'denied'`); got != denied {
				t.Errorf("%s: %s: %d denials recorded, want %d", role, act.name, got, denied)
			}
		}
		if err := act.do(t.Context(), by(stranger)); !errors.Is(err, accounts.ErrNotFound) {
			t.Errorf("stranger: %s: %v, want ErrNotFound", act.name, err)
		}
		if err := act.do(t.Context(), accounts.Actor{}); !errors.Is(err, accounts.ErrSessionEnded) {
			t.Errorf("the zero actor: %s: %v, want ErrSessionEnded", act.name, err)
		}
	}
	if accountstest.Contains(w.Trail(w.Org, 500), stranger.Email) {
		t.Error("a stranger has written in the organisation's trail")
	}
}

// The owner of an organisation has no access to another, even with the right ids.
func TestThingsOfOthersDoNotExist(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := by(w.Person("owner", w.Org, accounts.RoleOwner))
	other := accountstest.NewShop(t, w.Accounts)
	theirs := w.Person("theirs", other.Org, accounts.RoleOwner)
	invited, _, err := w.People.Invite(t.Context(), operator, other.Org, "x@shop.example",
		accounts.RoleViewer)
	if err != nil {
		t.Fatal(err)
	}
	before := w.Count(`SELECT count(*) FROM audit_records`)
	_, credentials := w.Accounts.CredentialsOf(t.Context(), owner, w.Org, other.App.ID)
	_, key := w.Accounts.RollAPIKey(t.Context(), owner, w.Org, other.App.ID, time.Time{})
	_, secret := w.Accounts.RollWebhookSecret(t.Context(), owner, w.Org, other.App.ID, time.Time{})
	for what, err := range map[string]error{
		"credentials": credentials, "roll key": key, "roll secret": secret,
		"rename":            w.Accounts.Rename(t.Context(), owner, w.Org, other.App.ID, "Mine"),
		"deactivate":        w.Accounts.SetActive(t.Context(), owner, w.Org, other.App.ID, false),
		"webhook URL":       w.Accounts.SetWebhookURL(t.Context(), owner, w.Org, other.App.ID, ""),
		"revoke token":      w.Accounts.RevokeToken(t.Context(), owner, w.Org, other.Token.ID),
		"change role":       w.People.ChangeRole(t.Context(), owner, w.Org, theirs.ID, accounts.RoleViewer),
		"remove":            w.People.RemoveMember(t.Context(), owner, w.Org, theirs.ID),
		"revoke invitation": w.People.RevokeInvitation(t.Context(), owner, w.Org, invited.ID),
		"no such":           w.People.RemoveMember(t.Context(), owner, w.Org, accounts.UserID(uuid.New())),
	} {
		if !errors.Is(err, accounts.ErrNotFound) {
			t.Errorf("%s: %v, want ErrNotFound", what, err)
		}
	}
	if after := w.Count(`SELECT count(*) FROM audit_records`); after != before {
		t.Errorf("%d records of refused changes", after-before)
	}
	other.Enter(t, w.Accounts)
	apps, err := w.Accounts.Applications(t.Context(), owner, w.Org.In(domain.ModeLive))
	if err != nil || len(apps) != 1 || apps[0].ID != w.App.ID {
		t.Errorf("applications %+v, %v", apps, err)
	}
}

// The withdrawal of a role and an action at the same time run one after the other: here the
// action is second, and is refused.
func TestWithdrawnRoleDoesNotAct(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("developer", w.Org, accounts.RoleDeveloper)
	tx, err := w.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.Background())
	_, err = tx.Exec(t.Context(), `UPDATE memberships SET role = 'viewer' WHERE user_uuid = $1`, u.ID)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := w.Accounts.RollAPIKey(t.Context(), by(u), w.Org, w.App.ID, time.Time{})
		done <- err
	}()
	w.WaitForLock()
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("with a role that was withdrawn: %v, want ErrForbidden", err)
	}
	w.Enter(t, w.Accounts)
}
