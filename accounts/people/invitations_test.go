package people_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/accounts/people"
)

// invite creates an invitation of an organisation, and returns the token of its link.
func (w *world) invite(a *people.People, org accounts.OrganizationID, email string,
	role accounts.Role,
) (people.Invitation, string) {
	w.T.Helper()
	i, token, err := a.Invite(w.T.Context(), operator, org, email, role)
	if err != nil || len(token) < 22 && !i.ByMail {
		w.T.Fatalf("invite %s: %v, a token of %d characters", email, err, len(token))
	}
	return i, token
}

// choose sets the password of the invited address, unless its account keeps the old one.
func (w *world) choose(token, password string) {
	w.T.Helper()
	if err := w.People.ChoosePassword(w.T.Context(), token, password, home, "request-3"); err != nil {
		w.T.Fatal(err)
	}
}

// signedIn signs in; a refusal ends the test.
func (w *world) signedIn(email, password string) people.User {
	w.T.Helper()
	u, _, err := w.SignIn(email, password, home)
	if err != nil {
		w.T.Fatalf("sign in as %s: %v", email, err)
	}
	return u
}

func (w *world) accept(u people.User, token string) error {
	_, err := w.People.AcceptInvitation(w.T.Context(), by(u), token)
	return err
}

func TestInvitations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.Person("owner", w.Org, accounts.RoleOwner)
	invite := func(email string) (people.Invitation, string) {
		t.Helper()
		i, token, err := w.People.Invite(t.Context(), by(owner), w.Org, email, accounts.RoleDeveloper)
		if err != nil {
			t.Fatal(err)
		}
		return i, token
	}
	gone := func(what, token string) {
		t.Helper()
		_, look := w.People.Invitation(t.Context(), token)
		for how, err := range map[string]error{
			"look": look, "accept": w.accept(owner, token),
			"choose": w.People.ChoosePassword(t.Context(), token, password, home, ""),
		} {
			if !errors.Is(err, people.ErrNoInvitation) {
				t.Errorf("%s: %s: %v, want ErrNoInvitation", what, how, err)
			}
		}
	}
	made, token := invite("New@Shop.example")
	seen, err := w.People.Invitation(t.Context(), token)
	if err != nil || seen.Email != "New@shop.example" || seen.OrganizationName != "Shop" ||
		seen.Role != accounts.RoleDeveloper || seen.ByMail ||
		!seen.ExpiresAt.Equal(accountstest.Noon.AddDate(0, 0, 7)) || seen.InvitedBy != owner.Email {
		t.Errorf("invitation %+v, %v", seen, err)
	}
	all, err := w.People.Invitations(t.Context(), by(owner), w.Org)
	if err != nil || len(all) != 1 || all[0].ID != made.ID {
		t.Errorf("invitations %+v, %v", all, err)
	}
	_, renewed := invite("new@shop.example")
	gone("replaced", token)
	if err := w.accept(owner, renewed); !errors.Is(err, people.ErrOtherEmail) {
		t.Errorf("accepted by another: %v", err)
	}
	err = w.People.ChoosePassword(t.Context(), renewed, "password", home, "")
	if !errors.Is(err, people.PasswordCommon) {
		t.Errorf("a common password: %v", err)
	}
	w.choose(renewed, password)
	w.choose(renewed, "a second thought") // too late
	u := w.signedIn("new@shop.example", password)
	if len(u.Memberships) != 0 {
		t.Errorf("a member before accepting: %+v", u)
	}
	if err := w.accept(u, renewed); err != nil {
		t.Fatal(err)
	}
	gone("used", renewed)
	_, _, err = w.People.Invite(t.Context(), by(owner), w.Org, "NEW@shop.example", accounts.RoleViewer)
	if !errors.Is(err, people.ErrAlreadyMember) {
		t.Errorf("inviting a member: %v", err)
	}
	revoked, token := invite("third@shop.example")
	if err := w.People.RevokeInvitation(t.Context(), by(owner), w.Org, revoked.ID); err != nil {
		t.Fatal(err)
	}
	gone("revoked", token)
	gone("revoked", token)
	err = w.People.RevokeInvitation(t.Context(), by(owner), w.Org, revoked.ID)
	if !errors.Is(err, people.ErrNoInvitation) {
		t.Errorf("revoked twice: %v", err)
	}
	gone("never made", "x")
	_, token = invite("late@shop.example")
	w.Later(7 * 24 * time.Hour)
	gone("expired", token)
	if n := w.Count(`SELECT count(*) FROM invitations i WHERE i::text LIKE '%' || $1 || '%'`, token); n != 0 {
		t.Error("the token is in clear")
	}
}

func TestAnInvitationIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, token := w.invite(w.People, w.Org, "new@shop.example", accounts.RoleOwner)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { w.choose(token, password) })
	}
	wg.Wait()
	u := w.signedIn("new@shop.example", password)
	var accepted atomic.Int64
	for range 8 {
		wg.Go(func() {
			switch err := w.accept(u, token); {
			case err == nil:
				accepted.Add(1)
			case !errors.Is(err, people.ErrNoInvitation):
				t.Errorf("accept: %v", err)
			}
		})
	}
	wg.Wait()
	if n := w.Count(`SELECT count(*) FROM users`); accepted.Load() != 1 || n != 1 {
		t.Errorf("accepted %d times, by %d users", accepted.Load(), n)
	}
}

// claimed is an account that a thief has created for the address of another person: in the
// thief's shop, by a link that the thief was shown.
func (w *world) claimed(address, chosen string) (thiefs accountstest.Shop, thief people.User) {
	w.T.Helper()
	thiefs = accountstest.NewShop(w.T, w.Accounts)
	_, link := w.invite(w.People, thiefs.Org, address, accounts.RoleViewer)
	w.choose(link, chosen)
	thief = w.signedIn(address, chosen)
	if err := w.accept(thief, link); err != nil {
		w.T.Fatal(err)
	}
	return thiefs, thief
}

// A thief invites the address of another person and opens the link that is shown to the inviter.
// The thief can sign in to that account, but gets into no other organisation: neither when an
// operator creates a user with that address, nor when an owner invites it.
func TestAnAddressClaimedInAdvanceOpensNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const address, stolen = "ceo@big.example", "chosen by the thief"
	_, thief := w.claimed(address, stolen)
	_, err := w.People.CreateUser(t.Context(), operator, w.Org, "CEO@big.example", accounts.RoleOwner, password)
	if !errors.Is(err, people.ErrEmailTaken) {
		t.Errorf("created by the operator: %v", err)
	}
	_, handed := w.invite(w.People, w.Org, address, accounts.RoleOwner)
	if u := w.signedIn(address, stolen); u.Role(w.Org) != "" || len(u.Memberships) != 1 {
		t.Errorf("the thief is in %+v", u.Memberships)
	}
	// The person has the link and not the password: choosing one does not change it.
	w.choose(handed, password)
	w.WantSignIn("with a password that was chosen", people.ErrBadCredentials, address, password, home)
	// An operator can find out who the person is, and gives the new password to that person.
	renewed, err := w.People.SetPassword(t.Context(), operator, address, password)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.accept(thief, handed); !errors.Is(err, accounts.ErrSessionEnded) {
		t.Errorf("accepted in a session of the thief: %v", err)
	}
	if err := w.accept(renewed, handed); err != nil {
		t.Error(err)
	}
}

// Inviters and strangers see no difference between a known and an unknown address: in the
// invitation, the answer and the cost of choosing a password, and the trail.
func TestInvitationsDoNotTellWhoHasAnAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	known := w.Person("known", accountstest.NewShop(t, w.Accounts).Org, accounts.RoleOwner)
	type view struct {
		open   people.Invitation
		weak   error
		hashes int64
		trail  []string
	}
	look := func(email string) (v view) {
		t.Helper()
		shop := accountstest.NewShop(t, w.Accounts)
		_, token := w.invite(w.People, shop.Org, email, accounts.RoleViewer)
		open, err := w.People.Invitation(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		v.open = people.Invitation{
			OrganizationName: open.OrganizationName, Role: open.Role,
			InvitedBy: open.InvitedBy, ExpiresAt: open.ExpiresAt,
		}
		v.weak = w.People.ChoosePassword(t.Context(), token, "short", home, "")
		before := w.People.Hashes()
		w.choose(token, "a password to try")
		v.hashes = w.People.Hashes() - before
		for _, record := range w.Trail(shop.Org, 3) {
			if len(record) > len(email) && record[:len(email)] == email {
				record = record[len(email):]
			}
			v.trail = append(v.trail, record)
		}
		return v
	}
	alike := cmp.Comparer(errors.Is)
	d := cmp.Diff(look("unknown@shop.example"), look(known.Email), cmp.AllowUnexported(view{}), alike)
	if d != "" {
		t.Errorf("an unknown and a known address differ (-unknown +known):\n%s", d)
	}
	w.WantSignIn("the password stays", nil, known.Email, password, home)
}

// A failed sign-in of an unknown address is recorded like that of a user.
func TestFailedSignInsAreRecordedAlike(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	known := w.Person("known", w.Org, accounts.RoleOwner)
	for _, email := range []string{known.Email, "unknown@shop.example"} {
		before := w.Count(`SELECT count(*) FROM audit_records`)
		w.WantSignIn(email, people.ErrBadCredentials, email, "not the password", "198.51.100.7")
		if n := w.Count(`SELECT count(*) FROM audit_records`) - before; n != 1 {
			t.Errorf("%s: %d records", email, n)
		}
	}
}
