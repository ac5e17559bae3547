package people_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/accounts/people"
	"daftar/domain"
	"daftar/internal/locale"
)

// signUp requests a link for the address from a network, and returns what went to it by mail.
func (w *world) signUp(a *people.People, sent post, email, from string) (token string, err error) {
	w.T.Helper()
	delete(sent, email)
	err = a.RequestSignUp(w.T.Context(), stranger(from), email, locale.English)
	return sent[email], err
}

// The latest link opens one organisation, whose owner has proved the address. It has a test
// application and can have no live one, until the operator makes it live.
func TestSignUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, sent := w.mailing()
	const email, shop = "Nuri@new.example", "متجر نوري"
	replaced, err := w.signUp(a, sent, email, home)
	if err != nil || replaced == "" || w.Count(`SELECT count(*) FROM users`) != 0 {
		t.Fatalf("token %q, %v", replaced, err)
	}
	_, err = w.signUp(a, sent, "nuri@New.example", home)
	if err != nil || w.Count(`SELECT count(*) FROM mails`) != 1 {
		t.Fatalf("%v, %d mails", err, w.Count(`SELECT count(*) FROM mails`))
	}
	token := sent["nuri@new.example"]
	open := func(token, name, password string) (accounts.OrganizationID, error) {
		return a.OpenOrganization(t.Context(), stranger(home), token, name, password)
	}
	if _, err := open(replaced, shop, replacement); !errors.Is(err, people.ErrNoSignUp) {
		t.Errorf("the replaced link: %v", err)
	}
	if _, err := open(token, "", replacement); !errors.Is(err, accounts.ErrInvalid) {
		t.Errorf("no name: %v", err)
	}
	if _, weak := errors.AsType[people.PasswordProblem](second(open(token, shop, "short"))); !weak {
		t.Error("a short password is taken")
	}
	org, err := open(token, shop, replacement)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open(token, shop, replacement); !errors.Is(err, people.ErrNoSignUp) {
		t.Errorf("the link again: %v", err)
	}
	owner := w.signedIn("nuri@new.example", replacement)
	if m := owner.Memberships; len(m) != 1 || m[0].Organization != org || !m[0].TestOnly ||
		m[0].Role != accounts.RoleOwner || m[0].Name != shop {
		t.Errorf("the owner is a member of %+v", m)
	}
	apps, err := w.Accounts.Applications(t.Context(), accountstest.By(owner), org.In(domain.ModeTest))
	if err != nil || len(apps) != 1 || apps[0].Name != shop {
		t.Errorf("applications %+v, %v", apps, err)
	}
	live := accounts.Draft{Name: "live", Mode: domain.ModeLive}
	for _, by := range []accounts.Actor{accountstest.By(owner), accountstest.Operator} {
		_, err := w.Accounts.CreateApplication(t.Context(), by, org, live)
		if !errors.Is(err, accounts.ErrTestOnly) {
			t.Errorf("%s creates a live application: %v", by.Name, err)
		}
	}
	_, err = w.Accounts.MakeLive(t.Context(), accountstest.By(owner), org)
	if !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("the owner makes it live: %v", err)
	}
	if o, err := w.Accounts.MakeLive(t.Context(), accountstest.Operator, org); err != nil || o.TestOnly {
		t.Errorf("made live: %+v, %v", o, err)
	}
	if _, err := w.Accounts.CreateApplication(t.Context(), accountstest.By(owner), org, live); err != nil {
		t.Errorf("a live application afterwards: %v", err)
	}
	trail, err := w.Accounts.Trail(t.Context(), accountstest.By(owner), org, accounts.TrailFilter{})
	var actions []accounts.Action
	for _, r := range trail {
		actions = append([]accounts.Action{r.Action}, actions...)
	}
	want := []accounts.Action{
		accounts.ActionCreateOrganization, accounts.ActionCreateApplication, people.ActionSignIn,
		accounts.ActionMakeLive, accounts.ActionCreateApplication,
	}
	if fmt.Sprint(actions) != fmt.Sprint(want) || err != nil {
		t.Errorf("the trail %v, want %v", actions, want)
	}
}

func second[T any](_ T, err error) error { return err }

// The address of a member gets a mail without a link, and the same answer. A link of before the
// membership opens nothing. An account that a thief created for the address is its mailbox's.
func TestSignUpOfAnAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, sent := w.mailing()
	member := w.Person("salma", w.Org, accounts.RoleOwner)
	if token, err := w.signUp(a, sent, member.Email, home); token != "" || err != nil {
		t.Errorf("a member's mail has the link %q, %v", token, err)
	}
	if w.Count(`SELECT count(*) FROM mails`) != 1 {
		t.Error("a member gets no mail")
	}
	const address, stolen = "ceo@big.example", "chosen by the thief"
	_, thief := w.claimed(address, stolen)
	token, err := w.signUp(a, sent, address, home)
	if err != nil || token == "" {
		t.Fatalf("token %q, %v", token, err)
	}
	org, err := a.OpenOrganization(t.Context(), stranger(home), token, "Big", replacement)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.SessionUser(t.Context(), thief.ID, thief.Epoch); !errors.Is(err, accounts.ErrSessionEnded) {
		t.Errorf("the thief's session: %v", err)
	}
	w.WantSignIn("the thief", people.ErrBadCredentials, address, stolen, "198.51.100.7")
	if u := w.signedIn(address, replacement); u.Role(org) != accounts.RoleOwner {
		t.Errorf("the mailbox's owner is %+v", u)
	}
	const late = "late@new.example"
	if token, err = w.signUp(a, sent, late, home); err != nil {
		t.Fatal(err)
	}
	_, err = w.People.CreateUser(t.Context(), operator, w.Org, late, accounts.RoleViewer, password)
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.OpenOrganization(t.Context(), stranger(home), token, "Late", replacement)
	if !errors.Is(err, people.ErrNoSignUp) {
		t.Errorf("the link of a member: %v", err)
	}
}

// A network, an address and all of them together get only so many links. They end after a day.
func TestSignUpsAreLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, sent := w.mailing()
	throttled := func(email, from string) bool {
		t.Helper()
		_, err := w.signUp(a, sent, email, from)
		_, is := errors.AsType[accounts.Throttled](err)
		if err != nil && !is {
			t.Fatal(err)
		}
		return is
	}
	for n := range 6 {
		if got := throttled("one@new.example", fmt.Sprintf("198.51.100.%d", n)); got != (n == 5) {
			t.Errorf("mail %d to an address is throttled: %t", n+1, got)
		}
	}
	for n := range 21 {
		if got := throttled(fmt.Sprintf("%d@new.example", n), home); got != (n == 20) {
			t.Errorf("mail %d for a network is throttled: %t", n+1, got)
		}
	}
	links := w.Count(`SELECT count(*) FROM sign_ups`)
	for n := links; n < 200; n++ {
		if throttled(fmt.Sprintf("many%d@new.example", n), fmt.Sprintf("203.0.113.%d", n)) {
			t.Fatalf("link %d is throttled", n+1)
		}
	}
	if !throttled("last@new.example", "198.51.100.200") {
		t.Error("there is no limit in all")
	}
	w.Later(24*time.Hour + time.Second)
	if _, err := a.SignUp(t.Context(), sent["many199@new.example"]); !errors.Is(err, people.ErrNoSignUp) {
		t.Errorf("a day later: %v", err)
	}
	if throttled("last@new.example", "198.51.100.200") {
		t.Error("the limit lasts longer than a day")
	}
	if err := a.Sweep(t.Context()); err != nil || w.Count(`SELECT count(*) FROM sign_ups`) != 1 {
		t.Errorf("swept: %v, %d are left", err, w.Count(`SELECT count(*) FROM sign_ups`))
	}
}
