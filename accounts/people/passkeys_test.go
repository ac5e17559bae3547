package people_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/accounts/people"
	"daftar/accounts/people/passkeytest"
)

// phone is a device with a passkey of the user.
func (w *world) phone(u people.User, name string) *passkeytest.Device {
	w.T.Helper()
	d := passkeytest.New(w.T, accountstest.Site)
	if err := w.addPasskey(d, u, name); err != nil {
		w.T.Fatal(err)
	}
	return d
}

func (w *world) addPasskey(d *passkeytest.Device, u people.User, name string) error {
	w.T.Helper()
	c, err := w.People.BeginPasskey(w.T.Context(), by(u))
	if err != nil {
		w.T.Fatal(err)
	}
	return w.People.AddPasskey(w.T.Context(), by(u), c.Ticket, name, d.Create(c.Options))
}

// signInChallenge is a challenge to sign in with.
func (w *world) signInChallenge() people.Challenge {
	w.T.Helper()
	c, err := w.People.BeginPasskeySignIn()
	if err != nil {
		w.T.Fatal(err)
	}
	return c
}

// from is an actor that is not signed in.
func from(address string) accounts.Actor {
	return accounts.Actor{Address: address, RequestID: "request-2"}
}

func (w *world) signInWithPasskey(d *passkeytest.Device) (people.User, error) {
	w.T.Helper()
	c := w.signInChallenge()
	return w.People.SignInWithPasskey(w.T.Context(), from(home), c.Ticket, d.Get(c.Options))
}

func (w *world) passkeys(u people.User) []people.Passkey {
	w.T.Helper()
	all, err := w.People.Passkeys(w.T.Context(), by(u))
	if err != nil {
		w.T.Fatal(err)
	}
	return all
}

// again is the user as it is now.
func (w *world) again(u people.User) people.User {
	w.T.Helper()
	u, err := w.People.FindUser(w.T.Context(), operator, u.Email)
	if err != nil {
		w.T.Fatal(err)
	}
	return u
}

func TestAPasskeyAfterThePassword(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	if err := w.People.AskForPasskey(t.Context(), by(u), true); !errors.Is(err, people.ErrNoPasskey) {
		t.Errorf("asked for without one: %v", err)
	}
	if _, err := w.People.BeginPasskeyCheck(t.Context(), by(u)); !errors.Is(err, people.ErrNoPasskey) {
		t.Errorf("checked without one: %v", err)
	}
	phone := w.phone(u, "Phone")
	if _, next, err := w.SignIn(u.Email, password, home); err != nil || next != people.NextNothing {
		t.Errorf("before it is asked for: next %d, %v", next, err)
	}
	if err := w.People.AskForPasskey(t.Context(), by(u), true); err != nil {
		t.Fatal(err)
	}
	u, next, err := w.SignIn(u.Email, password, home)
	if err != nil || next != people.NextSecondFactor || !u.AsksPasskey || u.Passkeys != 1 || u.SecondFactor {
		t.Fatalf("next %d, %+v, %v", next, u, err)
	}
	if got := w.Trail(w.Org, 1); got[0] != "salma@shop.example sign_in.password done" {
		t.Errorf("trail %v", got)
	}
	_, err = w.People.CheckSecondFactor(t.Context(), by(u), "123456")
	if !errors.Is(err, people.ErrNoSecondFactor) {
		t.Errorf("a code without an app: %v", err)
	}
	c, err := w.People.BeginPasskeyCheck(t.Context(), by(u))
	if err != nil {
		t.Fatal(err)
	}
	got, err := w.People.CheckPasskey(t.Context(), by(u), c.Ticket, phone.Get(c.Options))
	if err != nil || got.ID != u.ID {
		t.Errorf("check: %v", err)
	}
	members, err := w.People.Members(t.Context(), by(u), w.Org)
	if err != nil || !members[0].SecondFactor || members[0].Passkeys != 1 {
		t.Errorf("members %+v, %v", members, err)
	}
	// Without the last passkey the password is enough.
	w.phone(u, "Tablet")
	all := w.passkeys(u)
	for n, wantAsked := range []bool{true, false} {
		if err := w.People.RemovePasskey(t.Context(), by(u), all[n].ID); err != nil {
			t.Fatal(err)
		}
		if got := w.again(u); got.AsksPasskey != wantAsked {
			t.Errorf("%d removed: asks %t", n+1, got.AsksPasskey)
		}
	}
	if _, next, err := w.SignIn(u.Email, password, home); err != nil || next != people.NextNothing {
		t.Errorf("without passkeys: next %d, %v", next, err)
	}
	want := []string{
		"sign_in", "passkey.remove", "passkey.remove", "passkey.add", "sign_in",
		"sign_in.password", "passkey.require", "sign_in", "passkey.add",
	}
	for n, line := range w.Trail(w.Org, len(want)) {
		if line != "salma@shop.example "+want[n]+" done" {
			t.Errorf("record %d is %s, want %s", n, line, want[n])
		}
	}
}

func TestPasskeysAreKeptOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u, other := w.Person("salma", w.Org, accounts.RoleOwner), w.Person("other", w.Org, accounts.RoleViewer)
	d := passkeytest.New(t, accountstest.Site)
	c, err := w.People.BeginPasskey(t.Context(), by(u))
	if err != nil {
		t.Fatal(err)
	}
	response := d.Create(c.Options)
	add := func(u people.User, ticket, name string) error {
		return w.People.AddPasskey(t.Context(), by(u), ticket, name, response)
	}
	for _, row := range []struct {
		what string
		want error
		got  error
	}{
		{"without a name", accounts.ErrInvalid, add(u, c.Ticket, "")},
		{"with a long name", accounts.ErrInvalid, add(u, c.Ticket, strings.Repeat("ا", 61))},
		{"with a name of two lines", accounts.ErrInvalid, add(u, c.Ticket, "a\nb")},
		{"by another user", people.ErrStaleChallenge, add(other, c.Ticket, "Phone")},
		{"right", nil, add(u, c.Ticket, "Phone")},
		{"sent twice", people.ErrStaleChallenge, add(u, c.Ticket, "Phone")},
	} {
		if !errors.Is(row.got, row.want) {
			t.Errorf("%s: %v, want %v", row.what, row.got, row.want)
		}
	}
	for n := range 9 {
		w.phone(u, fmt.Sprint("Phone ", n))
	}
	if _, err := w.People.BeginPasskey(t.Context(), by(u)); !errors.Is(err, people.ErrTooManyPasskeys) {
		t.Errorf("an eleventh: %v", err)
	}
	if got := w.again(u).Passkeys; got != 10 {
		t.Errorf("%d passkeys", got)
	}
}

// Browsers have passkeys only for some addresses.
func TestAddressesWithPasskeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	for address, want := range map[string]bool{
		"https://pay.example": true, "https://pay.example:8443/": true,
		"http://localhost:8080": true, "http://localhost": true,
		"http://pay.example": false, "http://127.0.0.1:8080": false,
		"https://192.0.2.1": false, "https://[2001:db8::1]": false, "": false,
	} {
		a := people.New(w.Pool, w.Accounts, people.Options{
			SecretKey: accountstest.SecretKey(t, "5a"), PublicURL: address,
		})
		_, err := a.BeginPasskeySignIn()
		_, added := a.BeginPasskey(t.Context(), by(u))
		if a.OffersPasskeys() != want || (err == nil) != want || (added == nil) != want ||
			!want && !errors.Is(err, people.ErrNoPasskeys) {
			t.Errorf("%s: %t, %v, %v", address, a.OffersPasskeys(), err, added)
		}
	}
}

func TestPasskeysAreReset(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.Person("owner", w.Org, accounts.RoleOwner)
	u := w.Person("salma", w.Org, accounts.RoleDeveloper)
	both := w.Person("both", w.Org, accounts.RoleViewer)
	elsewhere := accountstest.NewShop(t, w.Accounts)
	_, token, err := w.People.Invite(t.Context(), operator, elsewhere.Org, both.Email, accounts.RoleViewer)
	if err == nil {
		_, err = w.People.AcceptInvitation(t.Context(), by(both), token)
	}
	if err != nil {
		t.Fatal(err)
	}
	phone := w.phone(u, "Phone")
	w.phone(both, "Phone")
	if err := w.People.AskForPasskey(t.Context(), by(u), true); err != nil {
		t.Fatal(err)
	}
	reset := func(by accounts.Actor, org accounts.OrganizationID, whose people.User) error {
		return w.People.ResetMemberPasskeys(t.Context(), by, org, whose.ID)
	}
	stranger := w.Person("stranger", elsewhere.Org, accounts.RoleOwner)
	for _, row := range []struct {
		what string
		want error
		got  error
	}{
		{"by a developer", accounts.ErrForbidden, reset(by(u), w.Org, u)},
		{"by an owner elsewhere", accounts.ErrNotFound, reset(by(stranger), w.Org, u)},
		{"of a user of another organisation", people.ErrNoUser, reset(by(stranger), elsewhere.Org, u)},
		{"of a member of two organisations", people.ErrSharedAccount, reset(by(owner), w.Org, both)},
		{"of the owner, without passkeys", people.ErrNoPasskey, reset(by(owner), w.Org, owner)},
		{"right", nil, reset(by(owner), w.Org, u)},
	} {
		if !errors.Is(row.got, row.want) {
			t.Errorf("%s: %v, want %v", row.what, row.got, row.want)
		}
	}
	if got := w.Trail(w.Org, 1); got[0] != "owner@shop.example passkey.reset done" {
		t.Errorf("trail %v", got)
	}
	if _, err := w.People.SessionUser(t.Context(), u.ID, u.Epoch); !errors.Is(err, accounts.ErrSessionEnded) {
		t.Errorf("the session has not ended: %v", err)
	}
	if _, err := w.signInWithPasskey(phone); !errors.Is(err, people.ErrBadPasskey) {
		t.Errorf("the lost phone signs in: %v", err)
	}
	if _, next, err := w.SignIn(u.Email, password, home); err != nil || next != people.NextNothing {
		t.Errorf("by the password: next %d, %v", next, err)
	}
	_, err = w.People.ResetPasskeys(t.Context(), by(owner), both.Email)
	if !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("by no operator: %v", err)
	}
	got, err := w.People.ResetPasskeys(t.Context(), operator, both.Email)
	if err != nil || got.Passkeys != 0 {
		t.Errorf("by the operator: %+v, %v", got, err)
	}
	_, err = w.People.ResetPasskeys(t.Context(), operator, both.Email)
	if !errors.Is(err, people.ErrNoPasskey) {
		t.Errorf("twice: %v", err)
	}
	if got := w.Trail(elsewhere.Org, 1); !slices.Equal(got, []string{"operator:test passkey.reset done"}) {
		t.Errorf("trail of the other organisation %v", got)
	}
}
