package people_test

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
	"daftar/accounts/accountstest"
	"daftar/accounts/people"
	"daftar/domain"
)

func TestEmails(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a@b.ly": "a@b.ly", "  Salma.M@Shop.LY\n": "Salma.M@shop.ly", "a+b@c": "a+b@c",
		"سلمى@متجر.ليبيا": "سلمى@متجر.ليبيا",
	} {
		if got, err := people.NormalizeEmail(in); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", in, got, err, want)
		}
	}
	for _, deny := range []string{
		"", "a", "@", "a@", "@b", "a b@c", "a@b c", "Salma <a@b.ly>", "<a@b>", `"a b"@c`, "a@b\x00", "a@\xff",
		"a@b, c@d", strings.Repeat("a", 254) + "@b",
	} {
		if got, err := people.NormalizeEmail(deny); !errors.Is(err, accounts.ErrInvalid) {
			t.Errorf("%q is taken as %q, %v", deny, got, err)
		}
	}
}

func TestPasswordRules(t *testing.T) {
	t.Parallel()
	const email = "Salma@shop.example"
	for _, allow := range []string{
		password, "qzxjvkwp", strings.Repeat("ق", 8) + "x", strings.Repeat("🛒", 128), "        x",
		"no composition rules",
	} {
		if err := people.CheckPassword(allow, email); err != nil {
			t.Errorf("%q is refused: %v", allow, err)
		}
	}
	for deny, want := range map[string]people.PasswordProblem{
		"": people.PasswordTooShort, "قققققق7": people.PasswordTooShort, "1234567": people.PasswordTooShort,
		strings.Repeat("x", 129): people.PasswordTooLong, "password": people.PasswordCommon,
		"PassWord1": people.PasswordCommon, "qwertyuiop": people.PasswordCommon,
		"salma@SHOP.example": people.PasswordIsEmail, "bad text \xff": people.PasswordUnusable,
	} {
		err := people.CheckPassword(deny, email)
		if !errors.Is(err, want) || !errors.Is(err, accounts.ErrInvalid) ||
			deny != "" && strings.Contains(err.Error(), deny) && deny != "password" {
			t.Errorf("%q: %v, want %v", deny, err, want)
		}
	}
}

func TestCreateUser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := accountstest.NewShop(t, w.Accounts)
	u := w.Person("Salma", w.Org, accounts.RoleOwner)
	create := func(org accounts.OrganizationID, email string, role accounts.Role, password string) error {
		_, err := w.People.CreateUser(t.Context(), operator, org, email, role, password)
		return err
	}
	_, byOwner := w.People.CreateUser(t.Context(), by(u), w.Org, "x@shop.example",
		accounts.RoleOwner, password)
	_, byUser := w.Accounts.CreateOrganization(t.Context(), by(u), "Mine")
	_, found := w.People.FindUser(t.Context(), by(u), u.Email)
	for _, row := range []struct {
		what      string
		got, want error
	}{
		{"an account of another organisation",
			create(other.Org, "SALMA@shop.example", accounts.RoleViewer, password), people.ErrEmailTaken},
		{"a member already", create(w.Org, u.Email, accounts.RoleViewer, ""), people.ErrEmailTaken},
		{"no role", create(w.Org, "x@shop.example", "admin", password), accounts.ErrInvalid},
		{"weak password", create(w.Org, "x@shop.example", accounts.RoleOwner, "password"),
			accounts.ErrInvalid},
		{"no address", create(w.Org, "x", accounts.RoleOwner, password), accounts.ErrInvalid},
		{"no organisation", create(accounts.OrganizationID{1}, "x@shop.example", accounts.RoleOwner, password),
			accounts.ErrNoOrganization},
		{"by an owner", byOwner, accounts.ErrForbidden},
		{"an organisation, by an owner", byUser, accounts.ErrForbidden},
		{"the user of an address, by an owner", found, accounts.ErrForbidden},
	} {
		if !errors.Is(row.got, row.want) {
			t.Errorf("%s: %v, want %v", row.what, row.got, row.want)
		}
	}
	again, err := w.People.FindUser(t.Context(), operator, "SALMA@shop.example")
	if err != nil || again.ID != u.ID || len(again.Memberships) != 1 {
		t.Errorf("the account is %+v, %v", again, err)
	}
	if n := w.Count(`SELECT count(*) FROM users`); n != 1 {
		t.Errorf("%d users, want 1", n)
	}
}

func TestMembers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.Person("owner", w.Org, accounts.RoleOwner)
	viewer := w.Person("viewer", w.Org, accounts.RoleViewer)
	list := func() []people.Member {
		t.Helper()
		all, err := w.People.Members(t.Context(), by(owner), w.Org)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	want := []people.Member{
		{ID: owner.ID, Email: owner.Email, Role: accounts.RoleOwner, Since: accountstest.Noon},
		{ID: viewer.ID, Email: viewer.Email, Role: accounts.RoleViewer, Since: accountstest.Noon},
	}
	if diff := cmp.Diff(want, list()); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
	err := w.People.ChangeRole(t.Context(), by(owner), w.Org, viewer.ID, accounts.RoleDeveloper)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Accounts.Tokens(t.Context(), by(viewer), w.Org); err != nil {
		t.Errorf("the new role does not count at once: %v", err)
	}
	err = w.People.ChangeRole(t.Context(), by(owner), w.Org, viewer.ID, "admin")
	if !errors.Is(err, accounts.ErrInvalid) {
		t.Errorf("no role: %v", err)
	}
	for what, err := range map[string]error{
		"demote": w.People.ChangeRole(t.Context(), by(owner), w.Org, owner.ID, accounts.RoleViewer),
		"remove": w.People.RemoveMember(t.Context(), by(owner), w.Org, owner.ID),
	} {
		if !errors.Is(err, people.ErrLastOwner) {
			t.Errorf("%s the last owner: %v", what, err)
		}
	}
	if err := w.People.RemoveMember(t.Context(), by(owner), w.Org, viewer.ID); err != nil {
		t.Fatal(err)
	}
	_, err = w.Accounts.Applications(t.Context(), by(viewer), w.Org.In(domain.ModeLive))
	if !errors.Is(err, accounts.ErrNotFound) {
		t.Errorf("a removed member still has access: %v", err)
	}
	if len(list()) != 1 {
		t.Errorf("members %+v", list())
	}
}

// Owners demote and remove each other at the same time, in any order: one always remains.
// TestLongAnOwnerIsAlwaysLeft runs all rounds of rapid.
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
		org, err := w.Accounts.CreateOrganization(t.Context(), operator, "Shop")
		if err != nil {
			r.Fatal(err)
		}
		owners := make([]people.User, rapid.IntRange(2, 4).Draw(r, "owners"))
		for i := range owners {
			u, err := w.People.CreateUser(t.Context(), operator, org.ID,
				fmt.Sprintf("o%d-%d@shop.example", n, i), accounts.RoleOwner, password)
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
					err = w.People.RemoveMember(t.Context(), by(owners[i]), org.ID, target.ID)
				} else {
					err = w.People.ChangeRole(t.Context(), by(owners[i]), org.ID, target.ID,
						accounts.RoleViewer)
				}
				if err != nil && !errors.Is(err, people.ErrLastOwner) &&
					!errors.Is(err, accounts.ErrForbidden) && !errors.Is(err, accounts.ErrNotFound) {
					unexpected.Store(err)
				}
			})
		}
		wg.Wait()
		if err := unexpected.Load(); err != nil {
			r.Fatalf("unexpected: %v", err)
		}
		left := w.Count(`SELECT count(*) FROM memberships WHERE organization_uuid = $1 AND role = 'owner'`, org.ID)
		if left < 1 {
			r.Fatalf("no owner is left")
		}
	})
	if n < 10 {
		t.Errorf("only %d rounds", n)
	}
}
