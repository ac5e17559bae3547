package people_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/accounts/people"
	"daftar/accounts/people/passkeytest"
)

func TestPasskeysSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u, other := w.Person("salma", w.Org, accounts.RoleOwner), w.Person("other", w.Org, accounts.RoleViewer)
	w.Enrol(u) // a passkey is both factors
	phone, laptop := w.phone(u, "Phone"), w.phone(other, "Laptop")
	w.Later(time.Minute)
	for _, row := range []struct {
		device *passkeytest.Device
		user   people.User
	}{{phone, u}, {laptop, other}, {phone, u}} {
		got, err := w.signInWithPasskey(row.device)
		if err != nil || got.ID != row.user.ID || got.Epoch != row.user.Epoch {
			t.Errorf("sign in: %+v, %v", got, err)
		}
	}
	got := w.passkeys(u)
	if len(got) != 1 || got[0].Name != "Phone" || !got[0].CreatedAt.Equal(accountstest.Noon) ||
		got[0].LastUsedAt == nil || !got[0].LastUsedAt.Equal(accountstest.Noon.Add(time.Minute)) {
		t.Errorf("passkeys %+v", got)
	}
	if got := w.Trail(w.Org, 1); got[0] != "salma@shop.example sign_in done" {
		t.Errorf("trail %v", got)
	}
	// The device knows the user by a random number.
	n := w.Count(`
SELECT count(*)
FROM users
WHERE length(passkey_handle) = 64
  AND position(convert_to(email, 'UTF8') in passkey_handle) = 0`)
	if n != 2 {
		t.Errorf("%d users have a handle", n)
	}
	err := w.People.RemovePasskey(t.Context(), by(u), w.passkeys(other)[0].ID)
	if !errors.Is(err, people.ErrNoPasskey) {
		t.Errorf("another user's was removed: %v", err)
	}
	if err := w.People.RemovePasskey(t.Context(), by(u), w.passkeys(u)[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.signInWithPasskey(phone); !errors.Is(err, people.ErrBadPasskey) {
		t.Errorf("a removed passkey: %v", err)
	}
	if _, err := w.signInWithPasskey(laptop); err != nil {
		t.Errorf("another user's no longer works: %v", err)
	}
}

// Responses that are wrong, late or for another challenge are refused.
func TestPasskeysAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u, other := w.Person("salma", w.Org, accounts.RoleOwner), w.Person("other", w.Org, accounts.RoleViewer)
	phone, laptop := w.phone(u, "Phone"), w.phone(other, "Laptop")
	check := func(what string, want, err error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
	}
	signIn := func(ticket, response string) error {
		_, err := w.People.SignInWithPasskey(t.Context(), from(home), ticket, response)
		return err
	}
	signedIn := func() error {
		_, err := w.signInWithPasskey(phone)
		return err
	}
	c := w.signInChallenge()
	response := phone.Get(c.Options)
	check("another browser's challenge", people.ErrBadPasskey, signIn(w.signInChallenge().Ticket, response))
	check("no ticket", people.ErrStaleChallenge, signIn("", response))
	check("a forged ticket", people.ErrStaleChallenge, signIn(strings.Repeat("A", len(c.Ticket)), response))
	check("a long ticket", people.ErrStaleChallenge, signIn(strings.Repeat("A", 4000), response))
	check("no response", people.ErrBadPasskey, signIn(c.Ticket, "{}"))
	check("right", nil, signIn(c.Ticket, response))
	check("replayed", people.ErrStaleChallenge, signIn(c.Ticket, response))

	used := w.signInChallenge()
	check("another's answer", people.ErrBadPasskey, signIn(used.Ticket, response))
	check("the challenge is used up by a wrong answer", people.ErrStaleChallenge,
		signIn(used.Ticket, phone.Get(used.Options)))

	late := w.signInChallenge()
	w.Later(5 * time.Minute)
	check("five minutes later", people.ErrStaleChallenge, signIn(late.Ticket, phone.Get(late.Options)))

	phone.Origin = "https://pay.example.evil.example"
	check("another site's page", people.ErrBadPasskey, signedIn())
	phone.Origin, phone.Unverified = accountstest.Site, true
	check("the user was not verified", people.ErrBadPasskey, signedIn())
	phone.Unverified = false

	// A challenge is for one purpose, and for one user.
	mine, err := w.People.BeginPasskeyCheck(t.Context(), by(u))
	if err != nil {
		t.Fatal(err)
	}
	check("the challenge of a check does not sign in", people.ErrStaleChallenge,
		signIn(mine.Ticket, phone.Get(mine.Options)))
	_, err = w.People.CheckPasskey(t.Context(), by(other), mine.Ticket, phone.Get(mine.Options))
	check("another user's challenge", people.ErrStaleChallenge, err)
	theirs, err := w.People.BeginPasskeyCheck(t.Context(), by(u))
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.People.CheckPasskey(t.Context(), by(u), theirs.Ticket,
		laptop.Get(map[string]any{"challenge": challengeIn(t, theirs), "rpId": "pay.example"}))
	check("another user's passkey", people.ErrBadPasskey, err)
	if got := w.Trail(w.Org, 1); got[0] != "salma@shop.example sign_in.passkey failed" {
		t.Errorf("trail %v", got)
	}
}

// A copy of a device has its own counter, so that one of the two falls behind the other.
func TestACopyOfAPasskeyIsRefusedAndLogged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var log bytes.Buffer
	w.People = w.PeopleWith(people.Options{Log: zerolog.New(&log)})
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	phone := passkeytest.New(t, accountstest.Site)
	phone.Count = 7
	if err := w.addPasskey(phone, u, "Phone"); err != nil {
		t.Fatal(err)
	}
	for n, want := range []error{nil, nil, people.ErrBadPasskey, nil} {
		if n == 2 {
			phone.Count--
		}
		if _, err := w.signInWithPasskey(phone); !errors.Is(err, want) {
			t.Errorf("sign-in %d: %v, want %v", n, err, want)
		}
	}
	got := log.String()
	if strings.Count(got, "counted backwards") != 1 || !strings.Contains(got, u.ID.String()) {
		t.Errorf("log %s", got)
	}
}

// One answer that is sent many times at once signs in once.
func TestAChallengeIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	phone := w.phone(w.Person("salma", w.Org, accounts.RoleOwner), "Phone")
	c := w.signInChallenge()
	response := phone.Get(c.Options)
	errs := make([]error, 4) // fewer than the throttle and the slots allow
	var wg sync.WaitGroup
	for n := range errs {
		wg.Go(func() {
			_, errs[n] = w.People.SignInWithPasskey(context.WithoutCancel(t.Context()), from(home),
				c.Ticket, response)
		})
	}
	wg.Wait()
	taken := 0
	for _, err := range errs {
		if err == nil {
			taken++
		} else if !errors.Is(err, people.ErrStaleChallenge) {
			t.Errorf("sign in: %v", err)
		}
	}
	if taken != 1 {
		t.Errorf("one answer signed in %d times", taken)
	}
	w.Later(5 * time.Minute)
	if err := w.People.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := w.Count(`SELECT count(*) FROM passkey_challenges`); n != 0 {
		t.Errorf("%d challenges are kept for ever", n)
	}
}

func TestPasskeysAreThrottled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	phone := w.phone(w.Person("salma", w.Org, accounts.RoleOwner), "Phone")
	phone.Unverified = true
	for n := range 5 {
		if _, err := w.signInWithPasskey(phone); !errors.Is(err, people.ErrBadPasskey) {
			t.Fatalf("attempt %d: %v", n, err)
		}
	}
	phone.Unverified = false
	if _, err := w.signInWithPasskey(phone); !isThrottled(err) {
		t.Errorf("after five failures: %v", err)
	}
	w.Later(time.Second)
	if _, err := w.signInWithPasskey(phone); err != nil {
		t.Errorf("after the delay: %v", err)
	}
	// Unknown passkeys are counted against the network, too.
	stranger := passkeytest.New(t, accountstest.Site)
	unknown, err := w.People.BeginPasskey(t.Context(), by(w.Person("other", w.Org, accounts.RoleViewer)))
	if err != nil {
		t.Fatal(err)
	}
	for n := range 20 {
		stranger.Create(unknown.Options)
		c := w.signInChallenge()
		_, err := w.People.SignInWithPasskey(t.Context(), from("198.51.100.7"), c.Ticket, stranger.Get(c.Options))
		if !errors.Is(err, people.ErrBadPasskey) {
			t.Fatalf("unknown passkey %d: %v", n, err)
		}
	}
	c := w.signInChallenge()
	_, err = w.People.SignInWithPasskey(t.Context(), from("198.51.100.7"), c.Ticket, stranger.Get(c.Options))
	if !isThrottled(err) {
		t.Errorf("after twenty: %v", err)
	}
}

// challengeIn is the challenge itself, for a device that ignores the list of allowed passkeys.
func challengeIn(t *testing.T, c people.Challenge) string {
	t.Helper()
	text, err := json.Marshal(c.Options)
	if err != nil {
		t.Fatal(err)
	}
	var o struct {
		Challenge string `json:"challenge"`
	}
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	return o.Challenge
}
