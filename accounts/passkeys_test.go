package accounts_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"daftar/accounts"
	"daftar/accounts/passkeytest"
)

// phone is a device of a user who has a passkey on it.
func (w *world) phone(u accounts.User, name string) *passkeytest.Device {
	w.t.Helper()
	d := passkeytest.New(w.t, site)
	if err := w.addPasskey(d, u, name); err != nil {
		w.t.Fatal(err)
	}
	return d
}

func (w *world) addPasskey(d *passkeytest.Device, u accounts.User, name string) error {
	w.t.Helper()
	c, err := w.a.BeginPasskey(w.t.Context(), by(u))
	if err != nil {
		w.t.Fatal(err)
	}
	return w.a.AddPasskey(w.t.Context(), by(u), c.Ticket, name, d.Create(c.Options))
}

// ask is a challenge to sign in with.
func (w *world) ask() accounts.Challenge {
	w.t.Helper()
	c, err := w.a.BeginPasskeySignIn()
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

// from is somebody who is not signed in.
func from(address string) accounts.Actor {
	return accounts.Actor{Address: address, RequestID: "request-2"}
}

func (w *world) signInWithPasskey(d *passkeytest.Device) (accounts.User, error) {
	w.t.Helper()
	c := w.ask()
	return w.a.SignInWithPasskey(w.t.Context(), from(home), c.Ticket, d.Get(c.Options))
}

func (w *world) passkeys(u accounts.User) []accounts.Passkey {
	w.t.Helper()
	all, err := w.a.Passkeys(w.t.Context(), by(u))
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// again is the user as the database has them now.
func (w *world) again(u accounts.User) accounts.User {
	w.t.Helper()
	u, err := w.a.FindUser(w.t.Context(), operator, u.Email)
	if err != nil {
		w.t.Fatal(err)
	}
	return u
}

func TestAPasskeyAfterThePassword(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.person("salma", w.org, accounts.RoleOwner)
	if err := w.a.AskForPasskey(t.Context(), by(u), true); !errors.Is(err, accounts.ErrNoPasskey) {
		t.Errorf("asked for without one: %v", err)
	}
	if _, err := w.a.BeginPasskeyCheck(t.Context(), by(u)); !errors.Is(err, accounts.ErrNoPasskey) {
		t.Errorf("checked without one: %v", err)
	}
	phone := w.phone(u, "Phone")
	if _, next, err := w.signIn(u.Email, password, home); err != nil || next != accounts.NextNothing {
		t.Errorf("before it is asked for: next %d, %v", next, err)
	}
	if err := w.a.AskForPasskey(t.Context(), by(u), true); err != nil {
		t.Fatal(err)
	}
	u, next, err := w.signIn(u.Email, password, home)
	if err != nil || next != accounts.NextSecondFactor || !u.AsksPasskey || u.Passkeys != 1 || u.SecondFactor {
		t.Fatalf("next %d, %+v, %v", next, u, err)
	}
	if got := w.trail(w.org, 1); got[0] != "salma@shop.example sign_in.password done" {
		t.Errorf("trail %v", got)
	}
	if _, err := w.a.CheckSecondFactor(t.Context(), by(u), "123456"); !errors.Is(err, accounts.ErrNoSecondFactor) {
		t.Errorf("a code without an app: %v", err)
	}
	c, err := w.a.BeginPasskeyCheck(t.Context(), by(u))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := w.a.CheckPasskey(t.Context(), by(u), c.Ticket, phone.Get(c.Options)); err != nil || got.ID != u.ID {
		t.Errorf("check: %v", err)
	}
	members, err := w.a.Members(t.Context(), by(u), w.org)
	if err != nil || !members[0].SecondFactor || members[0].Passkeys != 1 {
		t.Errorf("members %+v, %v", members, err)
	}
	// Without the last passkey the password is enough.
	w.phone(u, "Tablet")
	all := w.passkeys(u)
	for n, wantAsked := range []bool{true, false} {
		if err := w.a.RemovePasskey(t.Context(), by(u), all[n].ID); err != nil {
			t.Fatal(err)
		}
		if got := w.again(u); got.AsksPasskey != wantAsked {
			t.Errorf("%d removed: asks %t", n+1, got.AsksPasskey)
		}
	}
	if _, next, err := w.signIn(u.Email, password, home); err != nil || next != accounts.NextNothing {
		t.Errorf("without passkeys: next %d, %v", next, err)
	}
	want := []string{"sign_in", "passkey.remove", "passkey.remove", "passkey.add", "sign_in", "sign_in.password", "passkey.require", "sign_in", "passkey.add"}
	for n, line := range w.trail(w.org, len(want)) {
		if line != "salma@shop.example "+want[n]+" done" {
			t.Errorf("record %d is %s, want %s", n, line, want[n])
		}
	}
}

func TestPasskeysAreKeptOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u, other := w.person("salma", w.org, accounts.RoleOwner), w.person("other", w.org, accounts.RoleViewer)
	d := passkeytest.New(t, site)
	c, err := w.a.BeginPasskey(t.Context(), by(u))
	if err != nil {
		t.Fatal(err)
	}
	response := d.Create(c.Options)
	add := func(who accounts.User, ticket, name string) error {
		return w.a.AddPasskey(t.Context(), by(who), ticket, name, response)
	}
	for _, row := range []struct {
		what string
		want error
		got  error
	}{
		{"without a name", accounts.ErrInvalid, add(u, c.Ticket, "")},
		{"with a long name", accounts.ErrInvalid, add(u, c.Ticket, strings.Repeat("ا", 61))},
		{"with a name of two lines", accounts.ErrInvalid, add(u, c.Ticket, "a\nb")},
		{"by somebody else", accounts.ErrPasskeyLate, add(other, c.Ticket, "Phone")},
		{"right", nil, add(u, c.Ticket, "Phone")},
		{"sent twice", accounts.ErrPasskeyLate, add(u, c.Ticket, "Phone")},
	} {
		if !errors.Is(row.got, row.want) {
			t.Errorf("%s: %v, want %v", row.what, row.got, row.want)
		}
	}
	for n := range 9 {
		w.phone(u, fmt.Sprint("Phone ", n))
	}
	if _, err := w.a.BeginPasskey(t.Context(), by(u)); !errors.Is(err, accounts.ErrTooManyPasskeys) {
		t.Errorf("an eleventh: %v", err)
	}
	if got := w.again(u).Passkeys; got != 10 {
		t.Errorf("%d passkeys", got)
	}
}

// Passkeys need an address that browsers trust, and are not there elsewhere.
func TestWherePasskeysAre(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.person("salma", w.org, accounts.RoleOwner)
	for address, want := range map[string]bool{
		"https://pay.example": true, "https://pay.example:8443/": true, "http://localhost:8080": true, "http://localhost": true,
		"http://pay.example": false, "http://127.0.0.1:8080": false, "https://192.0.2.1": false, "https://[2001:db8::1]": false, "": false,
	} {
		a := accounts.New(w.pool, accounts.Options{SecretKey: secretKey(t, "5a"), PublicURL: address})
		_, err := a.BeginPasskeySignIn()
		_, added := a.BeginPasskey(t.Context(), by(u))
		if a.OffersPasskeys() != want || (err == nil) != want || (added == nil) != want || !want && !errors.Is(err, accounts.ErrNoPasskeys) {
			t.Errorf("%s: %t, %v, %v", address, a.OffersPasskeys(), err, added)
		}
	}
}

func TestPasskeysAreReset(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner, u, both := w.person("owner", w.org, accounts.RoleOwner), w.person("salma", w.org, accounts.RoleDeveloper), w.person("both", w.org, accounts.RoleViewer)
	elsewhere := newShop(t, w.a)
	_, token, err := w.a.Invite(t.Context(), operator, elsewhere.org, both.Email, accounts.RoleViewer)
	if err == nil {
		_, err = w.a.AcceptInvitation(t.Context(), by(both), token)
	}
	if err != nil {
		t.Fatal(err)
	}
	phone := w.phone(u, "Phone")
	w.phone(both, "Phone")
	if err := w.a.AskForPasskey(t.Context(), by(u), true); err != nil {
		t.Fatal(err)
	}
	reset := func(by accounts.Actor, org accounts.OrganizationID, whose accounts.User) error {
		return w.a.ResetMemberPasskeys(t.Context(), by, org, whose.ID)
	}
	stranger := w.person("stranger", elsewhere.org, accounts.RoleOwner)
	for _, row := range []struct {
		what string
		want error
		got  error
	}{
		{"by a developer", accounts.ErrForbidden, reset(by(u), w.org, u)},
		{"by an owner elsewhere", accounts.ErrNotFound, reset(by(stranger), w.org, u)},
		{"of somebody elsewhere", accounts.ErrNoUser, reset(by(stranger), elsewhere.org, u)},
		{"of a member of two organisations", accounts.ErrSharedAccount, reset(by(owner), w.org, both)},
		{"of the owner, who has none", accounts.ErrNoPasskey, reset(by(owner), w.org, owner)},
		{"right", nil, reset(by(owner), w.org, u)},
	} {
		if !errors.Is(row.got, row.want) {
			t.Errorf("%s: %v, want %v", row.what, row.got, row.want)
		}
	}
	if got := w.trail(w.org, 1); got[0] != "owner@shop.example passkey.reset done" {
		t.Errorf("trail %v", got)
	}
	if _, err := w.a.SessionUser(t.Context(), u.ID, u.Epoch); !errors.Is(err, accounts.ErrSessionEnded) {
		t.Errorf("sessions go on: %v", err)
	}
	if _, err := w.signInWithPasskey(phone); !errors.Is(err, accounts.ErrBadPasskey) {
		t.Errorf("the lost phone signs in: %v", err)
	}
	if _, next, err := w.signIn(u.Email, password, home); err != nil || next != accounts.NextNothing {
		t.Errorf("by the password: next %d, %v", next, err)
	}
	if _, err := w.a.ResetPasskeys(t.Context(), by(owner), both.Email); !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("by no operator: %v", err)
	}
	if got, err := w.a.ResetPasskeys(t.Context(), operator, both.Email); err != nil || got.Passkeys != 0 {
		t.Errorf("by the operator: %+v, %v", got, err)
	}
	if _, err := w.a.ResetPasskeys(t.Context(), operator, both.Email); !errors.Is(err, accounts.ErrNoPasskey) {
		t.Errorf("twice: %v", err)
	}
	if got := w.trail(elsewhere.org, 1); !slices.Equal(got, []string{"operator:test passkey.reset done"}) {
		t.Errorf("trail of the other organisation %v", got)
	}
}
