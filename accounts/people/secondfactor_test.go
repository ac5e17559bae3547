package people_test

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/accounts/people"
)

func TestSecondFactor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	_, err := w.People.CheckSecondFactor(t.Context(), by(u), "123456")
	if !errors.Is(err, people.ErrNoSecondFactor) {
		t.Errorf("without one: %v", err)
	}
	_, err = w.People.ConfirmSecondFactor(t.Context(), by(u), "123456")
	if !errors.Is(err, people.ErrNoSecondFactor) {
		t.Errorf("confirming what was not begun: %v", err)
	}
	begun, err := w.People.BeginSecondFactor(t.Context(), by(u))
	if err != nil {
		t.Fatal(err)
	}
	uri, err := url.Parse(begun)
	if err != nil {
		t.Fatal(err)
	}
	secret := uri.Query().Get("secret")
	if uri.Scheme != "otpauth" || uri.Host != "totp" ||
		uri.Path != "/Daftar:salma@shop.example" ||
		uri.Query().Get("issuer") != "Daftar" || len(secret) != 32 {
		t.Errorf("uri %s", begun)
	}
	_, err = w.People.ConfirmSecondFactor(t.Context(), by(u), "000000x")
	if !errors.Is(err, people.ErrBadCode) {
		t.Errorf("confirming with a wrong code: %v", err)
	}
	if _, next, err := w.SignIn(u.Email, password, home); err != nil || next != people.NextNothing {
		t.Errorf("before it is confirmed: next %d, %v", next, err)
	}
	app, codes := w.Enrol(u)
	u, next, err := w.SignIn(u.Email, password, home)
	if err != nil || next != people.NextSecondFactor || !u.SecondFactor || u.RecoveryCodes != 10 ||
		len(codes) != 10 {
		t.Fatalf("sign in: next %d, %+v, %v", next, u, err)
	}
	check := func(what, code string, want error) {
		t.Helper()
		got, err := w.People.CheckSecondFactor(t.Context(), by(u), code)
		if !errors.Is(err, want) || err == nil && got.ID != u.ID {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
	}
	now := w.Now.Now
	check("the code that confirmed it, again", app.Code(now()), people.ErrBadCode)
	w.Later(time.Minute)
	check("of two steps ago", app.Code(now().Add(-time.Minute)), people.ErrBadCode)
	check("of two steps ahead", app.Code(now().Add(time.Minute)), people.ErrBadCode)
	check("of now, as people write it", " "+app.Code(now())[:3]+" "+app.Code(now())[3:], nil)
	check("of now, again", app.Code(now()), people.ErrBadCode)
	check("of the step before the last that was taken", app.Code(now().Add(-30*time.Second)),
		people.ErrBadCode)
	check("of a fast clock", app.Code(now().Add(30*time.Second)), nil)
	check("empty", "", people.ErrBadCode)
	check("a recovery code", codes[0], nil)
	check("it again", codes[0], people.ErrBadCode)
	check("another, as people write it", " "+strings.ToLower(strings.ReplaceAll(codes[1], "-", " ")), nil)
	if got, err := w.People.SessionUser(t.Context(), u.ID, u.Epoch); err != nil || got.RecoveryCodes != 8 {
		t.Errorf("%d recovery codes are left, %v", got.RecoveryCodes, err)
	}
	renewed, err := w.People.NewRecoveryCodes(t.Context(), by(u))
	if err != nil {
		t.Fatal(err)
	}
	check("a code that was replaced", codes[2], people.ErrBadCode)
	check("a new one", renewed[0], nil)
	for _, secret := range append([]string{secret, codes[3], renewed[1], app.Code(now())},
		fmt.Sprintf("%x", string(app))) {
		n := w.Count(`SELECT count(*) FROM audit_records r WHERE r.detail::text LIKE '%' || $1 || '%'`, secret)
		if n != 0 {
			t.Errorf("the trail has a secret")
		}
	}
	n := w.Count(`SELECT count(*) FROM users WHERE position($1::bytea in totp_secret) > 0`, []byte(app))
	if n != 0 {
		t.Error("the secret is in clear")
	}
	if err := w.People.DisableSecondFactor(t.Context(), by(u)); err != nil {
		t.Fatal(err)
	}
	if err := w.People.DisableSecondFactor(t.Context(), by(u)); !errors.Is(err, people.ErrNoSecondFactor) {
		t.Errorf("disabled twice: %v", err)
	}
	if u, next, err := w.SignIn(u.Email, password, home); err != nil || next != people.NextNothing ||
		u.RecoveryCodes != 0 {
		t.Errorf("afterwards: next %d, %+v, %v", next, u, err)
	}
}

// A code that is sent many times at once is accepted once.
func TestCodesAreTakenOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	app, codes := w.Enrol(u)
	w.Later(time.Minute)
	for _, code := range []string{app.Code(w.Now.Now()), codes[0]} {
		var taken atomic.Int64
		var wg sync.WaitGroup
		for range 4 { // fewer than are throttled
			wg.Go(func() {
				_, err := w.People.CheckSecondFactor(t.Context(), by(u), code)
				if err == nil {
					taken.Add(1)
				} else if !errors.Is(err, people.ErrBadCode) {
					t.Errorf("check code: %v", err)
				}
			})
		}
		wg.Wait()
		if taken.Load() != 1 {
			t.Errorf("%q was taken %d times", code, taken.Load())
		}
		w.Later(2 * time.Hour)
	}
}

// An attacker with the password cannot try all codes, and signing in again with the
// password does not reset the count.
func TestCodesAreThrottled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	app, _ := w.Enrol(u)
	w.Later(time.Minute)
	for n := range 5 {
		w.WantSignIn("password", nil, u.Email, password, home)
		_, err := w.People.CheckSecondFactor(t.Context(), by(u), "wrong code")
		if !errors.Is(err, people.ErrBadCode) {
			t.Errorf("guess %d: %v", n, err)
		}
	}
	_, err := w.People.CheckSecondFactor(t.Context(), by(u), app.Code(w.Now.Now()))
	wait, ok := errors.AsType[accounts.Throttled](err)
	if !ok || wait.RetryAfter != time.Second {
		t.Errorf("after five: %v", err)
	}
	w.Later(wait.RetryAfter)
	if _, err := w.People.CheckSecondFactor(t.Context(), by(u), app.Code(w.Now.Now())); err != nil {
		t.Errorf("after the delay: %v", err)
	}
}

func TestOperatorResetsASecondFactor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	_, err := w.People.ResetSecondFactor(t.Context(), operator, u.Email)
	if !errors.Is(err, people.ErrNoSecondFactor) {
		t.Errorf("without one: %v", err)
	}
	w.Enrol(u)
	_, err = w.People.ResetSecondFactor(t.Context(), by(u), u.Email)
	if !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("by a user: %v", err)
	}
	_, err = w.People.ResetSecondFactor(t.Context(), operator, "nobody@shop.example")
	if !errors.Is(err, people.ErrNoUser) {
		t.Errorf("of an unknown address: %v", err)
	}
	got, err := w.People.ResetSecondFactor(t.Context(), operator, u.Email)
	if err != nil || got.SecondFactor {
		t.Errorf("reset: %+v, %v", got, err)
	}
	if _, next, err := w.SignIn(u.Email, password, home); err != nil || next != people.NextNothing {
		t.Errorf("sign in afterwards: next %d, %v", next, err)
	}
}

// A sealed secret opens only as its own user's, and with the key that sealed it.
func TestSecondFactorIsSealedForItsUser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.Person("a", w.Org, accounts.RoleOwner), w.Person("b", w.Org, accounts.RoleOwner)
	app, _ := w.Enrol(a)
	w.Enrol(b)
	if n, err := w.Check(accountstest.SecretKey(t, "5a")); err != nil || n != 3 {
		t.Errorf("%d secrets are opened, %v; want one of an application and two of users", n, err)
	}
	begun := w.Person("begun", w.Org, accounts.RoleOwner)
	if _, err := w.People.BeginSecondFactor(t.Context(), by(begun)); err != nil {
		t.Fatal(err)
	}
	if n, err := w.Check(accountstest.SecretKey(t, "5a")); err != nil || n != 4 {
		t.Errorf("%d secrets are opened, %v; want the unconfirmed one, too", n, err)
	}
	_, err := w.Owner.Exec(t.Context(),
		`UPDATE users SET totp_pending = (SELECT totp_secret FROM users WHERE uuid = $2) WHERE uuid = $1`,
		begun.ID, a.ID)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Check(accountstest.SecretKey(t, "5a"))
	if err == nil || !strings.Contains(err.Error(), begun.ID.String()) {
		t.Errorf("an unconfirmed secret that does not open: %v", err)
	}
	const swap = `UPDATE users SET totp_secret = (SELECT totp_secret FROM users WHERE uuid = $2) WHERE uuid = $1`
	if _, err := w.Owner.Exec(t.Context(), swap, b.ID, a.ID); err != nil {
		t.Fatal(err)
	}
	w.Later(time.Minute)
	_, err = w.People.CheckSecondFactor(t.Context(), by(b), app.Code(w.Now.Now()))
	if err == nil || errors.Is(err, people.ErrBadCode) {
		t.Errorf("with another's secret: %v", err)
	}
	_, err = people.New(w.Pool, w.Accounts, people.Options{}).BeginSecondFactor(t.Context(), by(a))
	if !errors.Is(err, accounts.ErrNoSecretKey) {
		t.Errorf("without a key: %v", err)
	}
}
