package accounts_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

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
	create := func(org accounts.OrganizationID, email string, role accounts.Role, password string) error {
		_, err := w.a.CreateUser(t.Context(), operator, org, email, role, password)
		return err
	}
	_, byOwner := w.a.CreateUser(t.Context(), by(u), w.org, "x@shop.example", accounts.RoleOwner, password)
	_, byUser := w.a.CreateOrganization(t.Context(), by(u), "Mine")
	_, found := w.a.FindUser(t.Context(), by(u), u.Email)
	for _, row := range []struct {
		what      string
		got, want error
	}{
		{"an account of another organisation", create(other.org, "SALMA@shop.example", accounts.RoleViewer, password), accounts.ErrEmailTaken},
		{"a member already", create(w.org, u.Email, accounts.RoleViewer, ""), accounts.ErrEmailTaken},
		{"no role", create(w.org, "x@shop.example", "admin", password), accounts.ErrInvalid},
		{"weak password", create(w.org, "x@shop.example", accounts.RoleOwner, "password"), accounts.ErrInvalid},
		{"no address", create(w.org, "x", accounts.RoleOwner, password), accounts.ErrInvalid},
		{"no organisation", create(accounts.OrganizationID{1}, "x@shop.example", accounts.RoleOwner, password), accounts.ErrNoOrganization},
		{"by an owner", byOwner, accounts.ErrForbidden},
		{"an organisation, by an owner", byUser, accounts.ErrForbidden},
		{"who has an address, by an owner", found, accounts.ErrForbidden},
	} {
		if !errors.Is(row.got, row.want) {
			t.Errorf("%s: %v, want %v", row.what, row.got, row.want)
		}
	}
	if again, err := w.a.FindUser(t.Context(), operator, "SALMA@shop.example"); err != nil || again.ID != u.ID || len(again.Memberships) != 1 {
		t.Errorf("the account is %+v, %v", again, err)
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
			u, err := w.a.CreateUser(t.Context(), operator, org.ID, fmt.Sprintf("o%d-%d@shop.example", n, i), accounts.RoleOwner, password)
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
