package people_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/accounts"
	"daftar/accounts/people"
)

// throttledAfter is how many attempts it takes until one is refused.
func (w *world) throttledAfter(email, from string) int {
	w.T.Helper()
	for n := range 50 {
		_, _, err := w.SignIn(email, "wrong password", from)
		if _, ok := errors.AsType[accounts.Throttled](err); ok {
			return n
		}
	}
	w.T.Fatalf("%s is never throttled", email)
	return 0
}

func TestFailuresOfAnAccountAreThrottled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	if n := w.throttledAfter(u.Email, "198.51.100.1"); n != 5 {
		t.Errorf("throttled after %d failures, want 5", n)
	}
	// Another network does not help, nor does the right password; and nothing is hashed.
	before := w.People.Hashes()
	_, _, err := w.SignIn(u.Email, password, "198.51.100.2")
	wait, ok := errors.AsType[accounts.Throttled](err)
	if !ok || wait.RetryAfter != time.Second || w.People.Hashes() != before {
		t.Errorf("while throttled: %v, %d hashes", err, w.People.Hashes()-before)
	}
	var delays []time.Duration
	for range 13 {
		_, _, err := w.SignIn(u.Email, "wrong password", "198.51.100.2")
		wait, ok := errors.AsType[accounts.Throttled](err)
		if !ok {
			t.Fatalf("not throttled: %v", err)
		}
		delays = append(delays, wait.RetryAfter)
		w.Later(wait.RetryAfter)
		w.WantSignIn("after the delay", people.ErrBadCredentials, u.Email, "wrong password",
			fmt.Sprintf("203.0.113.%d", len(delays)))
	}
	want := []time.Duration{time.Second}
	for len(want) < len(delays) {
		want = append(want, min(2*want[len(want)-1], 15*time.Minute))
	}
	if diff := cmp.Diff(want, delays); diff != "" {
		t.Errorf("delays (-want +got):\n%s", diff)
	}
	if n := w.Count(`SELECT count(*) FROM audit_records WHERE outcome = 'denied'`); n != len(delays) {
		t.Errorf("%d delays are recorded, want each of %d once", n, len(delays))
	}
	// No lock-out: after the delay the right password is accepted, and the failures no
	// longer count.
	w.Later(15 * time.Minute)
	w.WantSignIn("the right one", nil, u.Email, password, home)
	if n := w.throttledAfter(u.Email, home); n != 5 {
		t.Errorf("after signing in: throttled after %d", n)
	}
	w.Later(time.Hour + time.Second + 15*time.Minute)
	if n := w.throttledAfter(u.Email, home); n != 5 {
		t.Errorf("after a quiet hour: throttled after %d", n)
	}
}

func TestFailuresOfANetworkAreThrottled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	for n := range 20 { // another account each time, and another address of the same /64
		w.WantSignIn("guess", people.ErrBadCredentials,
			fmt.Sprintf("user%d@shop.example", n), "wrong password", fmt.Sprintf("2001:db8::%x", n+1))
	}
	_, _, err := w.SignIn(u.Email, password, "2001:db8:0:0:ffff::1")
	if _, ok := errors.AsType[accounts.Throttled](err); !ok {
		t.Errorf("after 20 failures of a network: %v", err)
	}
	w.WantSignIn("from elsewhere", nil, u.Email, password, "2001:db8:0:1::1")
	// A sign-in with another account does not remove the failures.
	w.Later(time.Second)
	w.WantSignIn("with an account", nil, u.Email, password, "2001:db8::1")
	w.WantSignIn("one more guess", people.ErrBadCredentials, "user@shop.example", "wrong password",
		"2001:db8::1")
	_, _, err = w.SignIn("user@shop.example", password, "2001:db8::1")
	if _, ok := errors.AsType[accounts.Throttled](err); !ok {
		t.Errorf("after one more failure: %v", err)
	}
}

// Failing on purpose does not keep the owner of the account out of it.
func TestNobodyCanLockSomebodyOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	w.WantSignIn("first", nil, u.Email, password, home)
	if n := w.throttledAfter(u.Email, "198.51.100.1"); n != 5 {
		t.Errorf("a stranger is throttled after %d failures, want 5", n)
	}
	w.WantSignIn("from the usual network", nil, u.Email, password, home)
	if n := w.throttledAfter(u.Email, home); n != 5 {
		t.Errorf("failures from the usual network: throttled after %d, want 5", n)
	}
}

// Guesses at the same time are counted one by one.
func TestThrottlingCountsGuessesAtTheSameTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	var tried atomic.Int64
	var wg sync.WaitGroup
	for n := range 24 {
		wg.Go(func() {
			_, _, err := w.SignIn(u.Email, "wrong password", fmt.Sprintf("198.51.100.%d", n))
			if errors.Is(err, people.ErrBadCredentials) {
				tried.Add(1)
			} else if _, ok := errors.AsType[accounts.Throttled](err); !ok {
				t.Errorf("guess: %v", err)
			}
		})
	}
	wg.Wait()
	if tried.Load() != 5 {
		t.Errorf("%d of 24 guesses were tried, want 5", tried.Load())
	}
}
