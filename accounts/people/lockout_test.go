package people_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/internal/postgres/pgtest"
)

// signInWith signs in from a browser that sends a device cookie.
func (w *world) signInWith(device, email, password, from string) error {
	w.T.Helper()
	_, _, err := w.People.SignIn(w.T.Context(), accounts.Actor{Address: from, Device: device},
		email, password)
	return err
}

func isThrottled(err error) bool {
	_, ok := errors.AsType[accounts.Throttled](err)
	return ok
}

// The owner of a /56 or a /48 has many /64, and does not get the limit of each.
func TestFailuresOfWiderNetworksAreThrottled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	guesses := 0
	guess := func(address string) {
		t.Helper()
		guesses++ // another account each time
		w.WantSignIn("guess from "+address, people.ErrBadCredentials,
			fmt.Sprintf("user%d@shop.example", guesses), "wrong password", address)
	}
	throttled := func(address string, want bool) {
		t.Helper()
		_, _, err := w.SignIn(u.Email, password, address)
		if isThrottled(err) != want || !want && err != nil {
			t.Errorf("from %s: %v, want throttled %t", address, err, want)
		}
	}
	for n := range 60 {
		guess(fmt.Sprintf("2001:db8:1:ab%02x::1", n))
	}
	throttled("2001:db8:1:abff::1", true)
	throttled("2001:db8:1:ac00::1", false)
	for n := range 200 {
		guess(fmt.Sprintf("2001:db8:2:%02x%02x::1", n/50, n%50))
	}
	throttled("2001:db8:2:ffff::1", true)
	throttled("2001:db8:3:ffff::1", false)
}

// A browser in which the user has signed in before is counted separately: not even strangers
// with the same address keep the user out.
func TestAKnownBrowserIsCountedApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u, other := w.Person("salma", w.Org, accounts.RoleOwner), w.Person("other", w.Org, accounts.RoleOwner)
	laptop, phone := w.People.Device(u.ID, u.Epoch), w.People.Device(u.ID, u.Epoch)
	others := w.People.Device(other.ID, other.Epoch)
	w.throttledAfter(u.Email, home)
	for n := range 20 {
		_, _, err := w.SignIn(fmt.Sprintf("user%d@shop.example", n), "wrong password", home)
		if isThrottled(err) {
			break
		}
	}
	for what, device := range map[string]string{
		"no device": "", "nonsense": "x", "another user's": others, "a longer one": laptop + "AAAA",
		"an altered one": laptop[:len(laptop)-4] + "AAAA",
	} {
		if err := w.signInWith(device, u.Email, password, home); !isThrottled(err) {
			t.Errorf("with %s: %v, want Throttled", what, err)
		}
	}
	if err := w.signInWith(laptop, u.Email, password, home); err != nil {
		t.Errorf("with the laptop: %v", err)
	}
	// A known browser has no more guesses than strangers have.
	for range 5 {
		err := w.signInWith(laptop, u.Email, "wrong password", "203.0.113.1")
		if !errors.Is(err, people.ErrBadCredentials) {
			t.Errorf("a wrong password on the laptop: %v", err)
		}
	}
	if err := w.signInWith(laptop, u.Email, password, "203.0.113.2"); !isThrottled(err) {
		t.Errorf("after five on the laptop: %v", err)
	}
	if err := w.signInWith(phone, u.Email, password, "203.0.113.2"); err != nil {
		t.Errorf("on the phone: %v", err)
	}
	// A new password invalidates the devices of the old one.
	w.Later(24 * time.Hour)
	renewed, err := w.People.SetPassword(t.Context(), operator, u.Email, "سوق الجمعة 2026")
	if err != nil {
		t.Fatal(err)
	}
	w.throttledAfter(u.Email, "203.0.113.3")
	if err := w.signInWith(phone, u.Email, password, "203.0.113.9"); !isThrottled(err) {
		t.Errorf("with a device of the old password: %v", err)
	}
	err = w.signInWith(w.People.Device(u.ID, renewed.Epoch), u.Email, "سوق الجمعة 2026", "203.0.113.9")
	if err != nil {
		t.Errorf("with a device of the new password: %v", err)
	}
}

// Codes are counted as passwords are: by user, by network, and separately in a known browser.
// A thief of the password does not keep the owner out by wrong codes.
func TestWrongCodesDoNotKeepTheOwnerOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	app, _ := w.Enrol(u)
	w.Later(time.Minute)
	thief, owner := u.Actor("198.51.100.1", ""), by(u)
	for n := range 6 {
		_, err := w.People.CheckSecondFactor(t.Context(), thief, "000000x")
		if isThrottled(err) != (n == 5) {
			t.Errorf("guess %d: %v", n, err)
		}
	}
	code := app.Code(w.Now.Now())
	if _, err := w.People.CheckSecondFactor(t.Context(), owner, code); !isThrottled(err) {
		t.Errorf("in an unknown browser: %v", err)
	}
	owner.Device = w.People.Device(u.ID, u.Epoch)
	if _, err := w.People.CheckSecondFactor(t.Context(), owner, code); err != nil {
		t.Errorf("in a known browser: %v", err)
	}
	// From one network against many users.
	for n := range 20 {
		victim := w.Person(fmt.Sprintf("victim%d", n), w.Org, accounts.RoleViewer)
		_, err := w.People.CheckSecondFactor(t.Context(), victim.Actor("198.51.100.9", ""), "000000")
		if isThrottled(err) {
			t.Fatalf("throttled after %d", n)
		}
	}
	_, err := w.People.CheckSecondFactor(t.Context(), u.Actor("198.51.100.9", ""), "000000")
	if !isThrottled(err) {
		t.Errorf("after 20 failures of a network: %v", err)
	}
}

func TestConfirmingASecondFactorIsThrottled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	if _, err := w.People.BeginSecondFactor(t.Context(), by(u)); err != nil {
		t.Fatal(err)
	}
	for n := range 6 {
		_, err := w.People.ConfirmSecondFactor(t.Context(), by(u), "000000x")
		if n < 5 && !errors.Is(err, people.ErrBadCode) || n == 5 && !isThrottled(err) {
			t.Errorf("guess %d: %v", n, err)
		}
	}
	trail := w.Trail(w.Org, 6)
	if trail[0] != u.Email+" second_factor.enable denied" || trail[1] != u.Email+" second_factor.enable failed" {
		t.Errorf("trail %q", trail)
	}
	w.WantSignIn("signing in meanwhile", nil, u.Email, password, home)
	w.Later(time.Second)
	w.Enrol(u)
}

// While passwords of one network are hashed, others find a slot: the wait is short, and an
// attempt without a slot is refused at once.
func TestOneNetworkDoesNotTakeEveryPlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	release := w.People.HoldHashing()
	var wg sync.WaitGroup
	took := 0
	take := func(from, device string) {
		t.Helper()
		took++
		wg.Go(func() {
			err := w.signInWith(device, fmt.Sprintf("user%s@shop.example", from), "wrong password", from)
			if !errors.Is(err, people.ErrBadCredentials) {
				t.Errorf("from %s: %v", from, err)
			}
		})
		pgtest.WaitFor(t, "the attempt to take a slot", func() bool { return w.People.SlotsTaken() == took })
	}
	refused := func(what, from, device string) {
		t.Helper()
		if err := w.signInWith(device, u.Email, password, from); !errors.Is(err, people.ErrBusy) {
			t.Errorf("%s: %v, want ErrBusy", what, err)
		}
	}
	for network := range people.SlotsOfStrangers / people.SlotsOfEach {
		for n := range people.SlotsOfEach {
			take(fmt.Sprintf("2001:db8:%x:%x00::1", network, n), "")
		}
		refused("one more of the /48", fmt.Sprintf("2001:db8:%x:ff00::1", network), "")
	}
	refused("a stranger, when strangers have taken their slots", "192.0.2.200", "")
	device := w.People.Device(u.ID, u.Epoch)
	for range people.SlotsOfEach {
		take("192.0.2.201", device)
	}
	refused("one more of the person", "192.0.2.202", device)
	release()
	wg.Wait()
	if n := w.People.SlotsTaken(); n != 0 {
		t.Errorf("%d slots are still taken", n)
	}
	if err := w.signInWith("", u.Email, password, "2001:db8:0:ff00::1"); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// A form creates one credential, however often it is sent.
func TestAFormCreatesOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u, colleague := w.Person("salma", w.Org, accounts.RoleOwner), w.Person("other", w.Org, accounts.RoleOwner)
	form := func(u people.User, number string) accounts.Actor {
		actor := by(u)
		actor.Form = number
		return actor
	}
	create := func(actor accounts.Actor) (application, token error) {
		_, application = w.Accounts.CreateApplication(t.Context(), actor, w.Org, accounts.Draft{Name: "Web"})
		_, _, token = w.Accounts.CreateToken(t.Context(), actor, w.Org, accounts.TokenDraft{Name: "Server"})
		return application, token
	}
	for n, row := range []struct {
		by   accounts.Actor
		want error
	}{
		{form(u, "one"), nil}, {form(u, "one"), accounts.ErrCreated}, {form(u, "two"), nil},
		{form(colleague, "one"), nil}, {by(u), nil}, {by(u), nil},
	} {
		if application, token := create(row.by); !errors.Is(application, row.want) || !errors.Is(token, row.want) {
			t.Errorf("%d: %v and %v, want %v", n, application, token, row.want)
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { create(form(u, "three")) })
	}
	wg.Wait()
	const want = 1 + 6 // the shop's, and one of each form
	applications, tokens := w.Count(`SELECT count(*) FROM applications`),
		w.Count(`SELECT count(*) FROM access_tokens`)
	if applications != want || tokens != want {
		t.Errorf("%d applications and %d tokens, want %d", applications, tokens, want)
	}
}
