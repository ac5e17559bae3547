package people_test

import (
	"errors"
	"testing"

	"daftar/accounts"
	"daftar/accounts/people"
)

// open are the roles of the organisation's open invitations, by their addresses.
func (w *world) open() map[string]accounts.Role {
	w.T.Helper()
	all, err := w.People.Invitations(w.T.Context(), operator, w.Org)
	if err != nil {
		w.T.Fatal(err)
	}
	open := make(map[string]accounts.Role)
	for _, i := range all {
		open[i.Email] = i.Role
	}
	return open
}

// gone fails unless a link is invalid for every use.
func (w *world) gone(what string, u people.User, token string) {
	w.T.Helper()
	_, look := w.People.Invitation(w.T.Context(), token)
	for how, err := range map[string]error{
		"look": look, "accept": w.accept(u, token),
		"choose": w.People.ChoosePassword(w.T.Context(), token, password, home, ""),
	} {
		if !errors.Is(err, people.ErrNoInvitation) {
			w.T.Errorf("%s: %s: %v, want ErrNoInvitation", what, how, err)
		}
	}
}

// The invitations of a member that is removed, or may no longer invite, end: for every role.
func TestInvitationsEndWithTheirInviter(t *testing.T) {
	t.Parallel()
	for _, to := range []accounts.Role{
		"", accounts.RoleDeveloper, accounts.RoleFinance, accounts.RoleSupport, accounts.RoleViewer,
	} {
		t.Run("to "+string(to), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			stays := w.Person("stays", w.Org, accounts.RoleOwner)
			goes := w.Person("goes", w.Org, accounts.RoleOwner)
			guest := w.Person("guest", w.elsewhere(), accounts.RoleViewer)
			invite := func(inviter accounts.Actor, email string, role accounts.Role) string {
				t.Helper()
				_, token, err := w.People.Invite(t.Context(), inviter, w.Org, email, role)
				if err != nil {
					t.Fatal(err)
				}
				return token
			}
			owner := invite(by(goes), guest.Email, accounts.RoleOwner)
			viewer := invite(by(goes), "second@shop.example", accounts.RoleViewer)
			kept := invite(by(stays), "kept@shop.example", accounts.RoleViewer)
			invite(operator, "operators@shop.example", accounts.RoleViewer)

			change := func(to accounts.Role) {
				t.Helper()
				err := w.People.ChangeRole(t.Context(), by(stays), w.Org, goes.ID, to)
				if to == "" {
					err = w.People.RemoveMember(t.Context(), by(stays), w.Org, goes.ID)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			change(accounts.RoleOwner) // no change
			if len(w.open()) != 4 {
				t.Errorf("open: %v", w.open())
			}
			change(to)
			w.gone("owner", guest, owner)
			w.gone("viewer", guest, viewer)
			got := w.open()
			if len(got) != 2 || got["kept@shop.example"] == "" || got["operators@shop.example"] == "" {
				t.Errorf("open: %v", got)
			}
			if _, err := w.People.Invitation(t.Context(), kept); err != nil {
				t.Errorf("of the owner that stays: %v", err)
			}
			record, err := w.Accounts.Trail(t.Context(), operator, w.Org, accounts.TrailFilter{Limit: 1})
			if err != nil || record[0].Detail["invitations"] != 2. {
				t.Errorf("recorded %+v, %v", record, err)
			}
			// They have ended for good, also where the member gets the role again.
			if to != "" {
				change(accounts.RoleOwner)
				w.gone("after all", guest, owner)
			}
		})
	}
}

// elsewhere is another organisation.
func (w *world) elsewhere() accounts.OrganizationID {
	w.T.Helper()
	o, err := w.Accounts.CreateOrganization(w.T.Context(), operator, "Elsewhere")
	if err != nil {
		w.T.Fatal(err)
	}
	return o.ID
}

// Servers of the previous release end no invitations, so the inviter's role is checked again when
// an invitation is accepted.
func TestAcceptanceAsksForTheInvitersRole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Person("stays", w.Org, accounts.RoleOwner)
	goes := w.Person("goes", w.Org, accounts.RoleOwner)
	guest := w.Person("guest", w.elsewhere(), accounts.RoleViewer)
	_, token, err := w.People.Invite(t.Context(), by(goes), w.Org, guest.Email, accounts.RoleOwner)
	if err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{
		`UPDATE memberships SET role = 'developer' WHERE user_uuid = $1`,
		`DELETE FROM memberships WHERE user_uuid = $1`,
		// An owner of another organisation has no role here.
		`
INSERT INTO memberships (user_uuid, organization_uuid, role, created_at)
SELECT $1, uuid, 'owner', now()
FROM organizations
WHERE name = 'Elsewhere'`,
	} {
		if _, err := w.Owner.Exec(t.Context(), sql, goes.ID); err != nil {
			t.Fatal(err)
		}
		w.gone(sql, guest, token)
		if got := w.open(); len(got) != 0 {
			t.Errorf("%s: open: %v", sql, got)
		}
	}
	if w.Count(`SELECT count(*) FROM memberships WHERE user_uuid = $1 AND organization_uuid = $2`,
		guest.ID, w.Org) != 0 {
		t.Error("the guest is a member")
	}
}

// The mail of an invitation that has ended is not sent.
func TestMailsOfEndedInvitationsAreWithdrawn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, _ := w.mailing()
	stays, goes := w.Person("stays", w.Org, accounts.RoleOwner), w.Person("goes", w.Org, accounts.RoleOwner)
	_, _, err := a.Invite(t.Context(), by(goes), w.Org, "guest@shop.example", accounts.RoleViewer)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.RemoveMember(t.Context(), by(stays), w.Org, goes.ID); err != nil {
		t.Fatal(err)
	}
	if n := w.Count(`SELECT count(*) FROM mails`); n != 0 {
		t.Errorf("%d mails wait", n)
	}
}

// A user that was invited, became a member in another way and was removed cannot come back by the
// old link.
func TestARemovedMemberHasNoInvitationLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.Person("owner", w.Org, accounts.RoleOwner)
	_, token, err := w.People.Invite(t.Context(), by(owner), w.Org, "Guest@shop.example", accounts.RoleOwner)
	if err != nil {
		t.Fatal(err)
	}
	guest := w.Person("guest", w.Org, accounts.RoleViewer)
	if err := w.accept(guest, token); !errors.Is(err, people.ErrAlreadyMember) {
		t.Errorf("accept as a member: %v", err)
	}
	if err := w.People.RemoveMember(t.Context(), by(owner), w.Org, guest.ID); err != nil {
		t.Fatal(err)
	}
	w.gone("removed", guest, token)
}

// Of a demotion and an acceptance at the same time, the second one finds the result of the first.
func TestADemotionWaitsForAnAcceptance(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stays, goes := w.Person("stays", w.Org, accounts.RoleOwner), w.Person("goes", w.Org, accounts.RoleOwner)
	guest := w.Person("guest", w.elsewhere(), accounts.RoleViewer)
	_, token, err := w.People.Invite(t.Context(), by(goes), w.Org, guest.Email, accounts.RoleOwner)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := w.Owner.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(t.Context()) }()
	// The demotion waits for the lock of the invitation.
	_, err = tx.Exec(t.Context(), `SELECT FROM invitations WHERE invited_by = $1 FOR UPDATE`, goes.Email)
	if err != nil {
		t.Fatal(err)
	}
	demoted, accepted := make(chan error, 1), make(chan error, 1)
	go func() { demoted <- w.People.RemoveMember(t.Context(), by(stays), w.Org, goes.ID) }()
	w.WaitForLock()
	go func() { accepted <- w.accept(guest, token) }()
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-demoted; err != nil {
		t.Error(err)
	}
	err = <-accepted
	members := w.Count(`SELECT count(*) FROM memberships WHERE user_uuid = $1 AND organization_uuid = $2`,
		guest.ID, w.Org)
	if in := err == nil; in != (members == 1) || !in && !errors.Is(err, people.ErrNoInvitation) {
		t.Errorf("accepted: %v, memberships: %d", err, members)
	}
	if got := w.open(); len(got) != 0 {
		t.Errorf("open: %v", got)
	}
}
