package accounts_test

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"daftar/accounts"
)

func TestEmails(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a@b.ly": "a@b.ly", "  Salma.M@Shop.LY\n": "Salma.M@shop.ly", "a+b@c": "a+b@c", "سلمى@متجر.ليبيا": "سلمى@متجر.ليبيا",
	} {
		if got, err := accounts.NormalizeEmail(in); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", in, got, err, want)
		}
	}
	for _, deny := range []string{
		"", "a", "@", "a@", "@b", "a b@c", "a@b c", "Salma <a@b.ly>", "<a@b>", `"a b"@c`, "a@b\x00", "a@\xff", "a@b, c@d", strings.Repeat("a", 254) + "@b",
	} {
		if got, err := accounts.NormalizeEmail(deny); !errors.Is(err, accounts.ErrInvalid) {
			t.Errorf("%q is taken as %q, %v", deny, got, err)
		}
	}
}

func TestPasswordRules(t *testing.T) {
	t.Parallel()
	if len(accounts.Common) < 3000 {
		t.Errorf("the list has %d common passwords", len(accounts.Common))
	}
	const email = "Salma@shop.example"
	for _, allow := range []string{
		password, "qzxjvkwp", strings.Repeat("ق", 8) + "x", strings.Repeat("🛒", 128), "        x", "no composition rules",
	} {
		if err := accounts.CheckPassword(allow, email); err != nil {
			t.Errorf("%q is refused: %v", allow, err)
		}
	}
	for deny, want := range map[string]accounts.PasswordProblem{
		"": accounts.PasswordTooShort, "قققققق7": accounts.PasswordTooShort, "1234567": accounts.PasswordTooShort,
		strings.Repeat("x", 129): accounts.PasswordTooLong, "password": accounts.PasswordCommon, "PassWord1": accounts.PasswordCommon,
		"qwertyuiop": accounts.PasswordCommon, "salma@SHOP.example": accounts.PasswordIsEmail, "bad text \xff": accounts.PasswordUnusable,
	} {
		err := accounts.CheckPassword(deny, email)
		if !errors.Is(err, want) || !errors.Is(err, accounts.ErrInvalid) || deny != "" && strings.Contains(err.Error(), deny) && deny != "password" {
			t.Errorf("%q: %v, want %v", deny, err, want)
		}
	}
}

func TestCreateUser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := newShop(t, w.a)
	u := w.person("Salma", w.org, accounts.RoleOwner)
	create := func(org accounts.OrganizationID, email string, role accounts.Role, password string) (accounts.User, bool, error) {
		return w.a.CreateUser(t.Context(), operator, org, email, role, password)
	}
	both, existed, err := create(other.org, "SALMA@shop.example", accounts.RoleViewer, "")
	if err != nil || !existed || both.ID != u.ID || both.Role(other.org) != accounts.RoleViewer || both.Role(w.org) != accounts.RoleOwner {
		t.Errorf("in a second organisation: %+v, existed %t, %v", both, existed, err)
	}
	w.wantSignIn("with the first password", nil, u.Email, password, home)
	_, _, again := create(w.org, u.Email, accounts.RoleViewer, "")
	_, _, role := create(w.org, "x@shop.example", "admin", password)
	_, _, weak := create(w.org, "x@shop.example", accounts.RoleOwner, "password")
	_, _, email := create(w.org, "x", accounts.RoleOwner, password)
	_, _, nowhere := create(accounts.OrganizationID{1}, "x@shop.example", accounts.RoleOwner, password)
	_, _, byOwner := w.a.CreateUser(t.Context(), by(u), w.org, "x@shop.example", accounts.RoleOwner, password)
	_, byUser := w.a.CreateOrganization(t.Context(), by(u), "Mine")
	for _, row := range []struct {
		what      string
		got, want error
	}{
		{"a member already", again, accounts.ErrAlreadyMember},
		{"no role", role, accounts.ErrInvalid},
		{"weak password", weak, accounts.ErrInvalid},
		{"no address", email, accounts.ErrInvalid},
		{"no organisation", nowhere, accounts.ErrNoOrganization},
		{"by an owner", byOwner, accounts.ErrForbidden},
		{"an organisation, by an owner", byUser, accounts.ErrForbidden},
	} {
		if !errors.Is(row.got, row.want) {
			t.Errorf("%s: %v, want %v", row.what, row.got, row.want)
		}
	}
	if n := w.count(`SELECT count(*) FROM users`); n != 1 {
		t.Errorf("%d users, want 1", n)
	}
}

func TestMembers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner, viewer := w.person("owner", w.org, accounts.RoleOwner), w.person("viewer", w.org, accounts.RoleViewer)
	list := func() []accounts.Member {
		t.Helper()
		all, err := w.a.Members(t.Context(), by(owner), w.org)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	want := []accounts.Member{
		{ID: owner.ID, Email: owner.Email, Role: accounts.RoleOwner, Since: noon},
		{ID: viewer.ID, Email: viewer.Email, Role: accounts.RoleViewer, Since: noon},
	}
	if diff := cmp.Diff(want, list()); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
	if err := w.a.ChangeRole(t.Context(), by(owner), w.org, viewer.ID, accounts.RoleDeveloper); err != nil {
		t.Fatal(err)
	}
	if _, err := w.a.Tokens(t.Context(), by(viewer), w.org); err != nil {
		t.Errorf("the new role does not count at once: %v", err)
	}
	if err := w.a.ChangeRole(t.Context(), by(owner), w.org, viewer.ID, "admin"); !errors.Is(err, accounts.ErrInvalid) {
		t.Errorf("no role: %v", err)
	}
	for what, err := range map[string]error{
		"demote": w.a.ChangeRole(t.Context(), by(owner), w.org, owner.ID, accounts.RoleViewer),
		"remove": w.a.RemoveMember(t.Context(), by(owner), w.org, owner.ID),
	} {
		if !errors.Is(err, accounts.ErrLastOwner) {
			t.Errorf("%s the last owner: %v", what, err)
		}
	}
	if err := w.a.RemoveMember(t.Context(), by(owner), w.org, viewer.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.a.Applications(t.Context(), by(viewer), w.org); !errors.Is(err, accounts.ErrNotFound) {
		t.Errorf("who was removed still sees: %v", err)
	}
	if len(list()) != 1 {
		t.Errorf("members %+v", list())
	}
}

// Owners demote and remove each other at the same time, in any order: one is
// always left. TestLongAnOwnerIsAlwaysLeft does it as often as rapid wants.
func TestAnOwnerIsAlwaysLeft(t *testing.T) {
	t.Parallel()
	ownersAgainstEachOther(t, 20)
}

func ownersAgainstEachOther(t *testing.T, rounds int) {
	t.Helper()
	w := newWorld(t)
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		if n++; n > rounds {
			return
		}
		org, err := w.a.CreateOrganization(t.Context(), operator, "Shop")
		if err != nil {
			r.Fatal(err)
		}
		owners := make([]accounts.User, rapid.IntRange(2, 4).Draw(r, "owners"))
		for i := range owners {
			u, _, err := w.a.CreateUser(t.Context(), operator, org.ID, strings.Repeat("o", i+1)+"@shop.example", accounts.RoleOwner, password)
			if err != nil {
				r.Fatal(err)
			}
			owners[i] = u
		}
		var wg sync.WaitGroup
		var unexpected atomic.Value
		for i := range owners {
			target := owners[rapid.IntRange(0, len(owners)-1).Draw(r, "target")]
			remove := rapid.Bool().Draw(r, "remove")
			wg.Go(func() {
				var err error
				if remove {
					err = w.a.RemoveMember(t.Context(), by(owners[i]), org.ID, target.ID)
				} else {
					err = w.a.ChangeRole(t.Context(), by(owners[i]), org.ID, target.ID, accounts.RoleViewer)
				}
				if err != nil && !errors.Is(err, accounts.ErrLastOwner) && !errors.Is(err, accounts.ErrForbidden) && !errors.Is(err, accounts.ErrNotFound) {
					unexpected.Store(err)
				}
			})
		}
		wg.Wait()
		if err := unexpected.Load(); err != nil {
			r.Fatalf("unexpected: %v", err)
		}
		if left := w.count(`SELECT count(*) FROM memberships WHERE organization_uuid = $1 AND role = 'owner'`, org.ID); left < 1 {
			r.Fatalf("no owner is left")
		}
	})
	if n < 10 {
		t.Errorf("only %d rounds", n)
	}
}

func TestInvitations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.person("owner", w.org, accounts.RoleOwner)
	invite := func(email string) (accounts.Invitation, string) {
		t.Helper()
		i, token, err := w.a.Invite(t.Context(), by(owner), w.org, email, accounts.RoleDeveloper)
		if err != nil || len(token) < 22 {
			t.Fatalf("invite: %v, a token of %d characters", err, len(token))
		}
		return i, token
	}
	gone := func(what, token string) {
		t.Helper()
		_, look := w.a.Invitation(t.Context(), token)
		_, accept := w.a.AcceptInvitation(t.Context(), by(owner), token)
		_, asNew := w.a.AcceptInvitationAsNew(t.Context(), token, password, home, "")
		for how, err := range map[string]error{"look": look, "accept": accept, "as new": asNew} {
			if !errors.Is(err, accounts.ErrNoInvitation) {
				t.Errorf("%s: %s: %v, want ErrNoInvitation", what, how, err)
			}
		}
	}
	made, token := invite("New@Shop.example")
	seen, err := w.a.Invitation(t.Context(), token)
	if err != nil || seen.Email != "New@shop.example" || seen.OrganizationName != "Shop" || seen.Role != accounts.RoleDeveloper || seen.HasAccount ||
		!seen.ExpiresAt.Equal(noon.AddDate(0, 0, 7)) || seen.InvitedBy != owner.Email {
		t.Errorf("invitation %+v, %v", seen, err)
	}
	if all, err := w.a.Invitations(t.Context(), by(owner), w.org); err != nil || len(all) != 1 || all[0].ID != made.ID {
		t.Errorf("invitations %+v, %v", all, err)
	}
	_, renewed := invite("new@shop.example")
	gone("replaced", token)
	if _, err := w.a.AcceptInvitation(t.Context(), by(owner), renewed); !errors.Is(err, accounts.ErrOtherEmail) {
		t.Errorf("accepted by another: %v", err)
	}
	if _, err := w.a.AcceptInvitationAsNew(t.Context(), renewed, "password", home, ""); !errors.Is(err, accounts.PasswordCommon) {
		t.Errorf("with a common password: %v", err)
	}
	u, err := w.a.AcceptInvitationAsNew(t.Context(), renewed, password, home, "")
	if err != nil || u.Role(w.org) != accounts.RoleDeveloper {
		t.Fatalf("accept: %+v, %v", u, err)
	}
	if _, err := w.a.SessionUser(t.Context(), u.ID, u.Epoch); err != nil {
		t.Errorf("the new user's session: %v", err)
	}
	gone("used", renewed)
	if _, _, err := w.a.Invite(t.Context(), by(owner), w.org, "NEW@shop.example", accounts.RoleViewer); !errors.Is(err, accounts.ErrAlreadyMember) {
		t.Errorf("inviting a member: %v", err)
	}
	revoked, token := invite("third@shop.example")
	if err := w.a.RevokeInvitation(t.Context(), by(owner), w.org, revoked.ID); err != nil {
		t.Fatal(err)
	}
	gone("revoked", token)
	if err := w.a.RevokeInvitation(t.Context(), by(owner), w.org, revoked.ID); !errors.Is(err, accounts.ErrNoInvitation) {
		t.Errorf("revoked twice: %v", err)
	}
	gone("never made", "x")
	// Who has an account accepts by signing in, and keeps the password.
	elsewhere := w.person("elsewhere", newShop(t, w.a).org, accounts.RoleOwner)
	_, token = invite(elsewhere.Email)
	if seen, err := w.a.Invitation(t.Context(), token); err != nil || !seen.HasAccount {
		t.Errorf("to a user: %+v, %v", seen, err)
	}
	if _, err := w.a.AcceptInvitationAsNew(t.Context(), token, "another password", home, ""); !errors.Is(err, accounts.ErrEmailTaken) {
		t.Errorf("as new, by a user: %v", err)
	}
	if u, err := w.a.AcceptInvitation(t.Context(), by(elsewhere), token); err != nil || len(u.Memberships) != 2 {
		t.Errorf("by a user: %+v, %v", u, err)
	}
	_, token = invite("late@shop.example")
	w.later(7 * 24 * time.Hour)
	gone("expired", token)
	if n := w.count(`SELECT count(*) FROM invitations i WHERE i::text LIKE '%' || $1 || '%'`, token); n != 0 {
		t.Error("the token is in clear")
	}
}

func TestAnInvitationIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, token, err := w.a.Invite(t.Context(), operator, w.org, "new@shop.example", accounts.RoleOwner)
	if err != nil {
		t.Fatal(err)
	}
	var accepted atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			_, err := w.a.AcceptInvitationAsNew(t.Context(), token, password, home, "")
			switch {
			case err == nil:
				accepted.Add(1)
			case !errors.Is(err, accounts.ErrNoInvitation) && !errors.Is(err, accounts.ErrEmailTaken):
				t.Errorf("accept: %v", err)
			}
		})
	}
	wg.Wait()
	if n := w.count(`SELECT count(*) FROM users`); accepted.Load() != 1 || n != 1 {
		t.Errorf("accepted %d times, by %d users", accepted.Load(), n)
	}
}
