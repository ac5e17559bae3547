package people_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/accounts/people"
	"daftar/internal/locale"
)

// stranger is an actor in a browser in which no user has signed in.
func stranger(address string) accounts.Actor {
	return accounts.Actor{Address: address, RequestID: "request-4"}
}

// reset requests a link for the address, and returns its token; empty: none was mailed.
func (w *world) reset(a *people.People, sent post, email string) string {
	w.T.Helper()
	before := w.Count(`SELECT count(*) FROM password_resets`)
	delete(sent, email)
	if err := a.RequestReset(w.T.Context(), stranger(home), email, locale.English); err != nil {
		w.T.Fatalf("request a reset for %s: %v", email, err)
	}
	if w.Count(`SELECT count(*) FROM mails m JOIN password_resets r USING (uuid)`) == 0 ||
		before == 0 && w.Count(`SELECT count(*) FROM password_resets`) == 0 {
		return ""
	}
	return sent[email]
}

const replacement = "nine blue boats at dawn"

// Only the latest link works, once, for an hour. It ends earlier sessions, proves the address, and
// the owner gets a mail about the change.
func TestResetPassword(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, sent := w.mailing()
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	replaced := w.reset(a, sent, u.Email)
	token := w.reset(a, sent, u.Email)
	if replaced == "" || token == "" || token == replaced || w.Count(`SELECT count(*) FROM mails`) != 1 {
		t.Fatalf("tokens %q and %q, %d mails", replaced, token, w.Count(`SELECT count(*) FROM mails`))
	}
	for _, table := range []string{"password_resets", "mails", "audit_records", "users"} {
		if w.Count(`
SELECT count(*)
FROM `+table+` t
WHERE t::text LIKE '%' || $1 || '%'
   OR t::text LIKE '%' || encode($1::text::bytea, 'hex') || '%'`, token) != 0 {
			t.Errorf("%s have the token", table)
		}
	}
	r, err := a.PasswordReset(t.Context(), token)
	if err != nil || r.Email != u.Email || !r.ExpiresAt.Equal(accountstest.Noon.Add(time.Hour)) {
		t.Errorf("the link offers %+v, %v", r, err)
	}
	weak, ok := errors.AsType[people.PasswordProblem](a.ResetPassword(t.Context(), stranger(home),
		token, "short"))
	if !ok || weak != people.PasswordTooShort {
		t.Errorf("a short password: %v", weak)
	}
	gone := func(what, token string) {
		t.Helper()
		if _, err := a.PasswordReset(t.Context(), token); !errors.Is(err, people.ErrNoReset) {
			t.Errorf("%s: %v", what, err)
		}
		err := a.ResetPassword(t.Context(), stranger(home), token, replacement)
		if !errors.Is(err, people.ErrNoReset) {
			t.Errorf("%s is used: %v", what, err)
		}
	}
	gone("a link that was replaced", replaced)
	gone("a made-up link", strings.Repeat("A", len(token)))
	if err := a.ResetPassword(t.Context(), stranger(home), token, replacement); err != nil {
		t.Fatal(err)
	}
	gone("a used link", token)
	if _, err := w.People.SessionUser(t.Context(), u.ID, u.Epoch); !errors.Is(err, accounts.ErrSessionEnded) {
		t.Errorf("an earlier session: %v", err)
	}
	w.WantSignIn("the earlier password", people.ErrBadCredentials, u.Email, password, home)
	w.signedIn(u.Email, replacement)
	n := w.Count(`SELECT count(*) FROM users WHERE email_proved_at IS NOT NULL`)
	if n != 1 || sent[u.Email+" changed"] != accountstest.Noon.String() {
		t.Errorf("%d proved addresses; the owner got a mail about %q", n, sent[u.Email+" changed"])
	}
	want := []string{
		u.Email + " sign_in done", "unknown sign_in failed", u.Email + " password.reset done",
		"unknown password.request_reset done", "unknown password.request_reset done",
	}
	if diff := cmp.Diff(want, w.Trail(w.Org, len(want))); diff != "" {
		t.Errorf("trail (-want +got):\n%s", diff)
	}
	// A change of the password ends the link, too, and so does the hour.
	token = w.reset(a, sent, u.Email)
	_, err = a.ChangePassword(t.Context(), by(w.signedIn(u.Email, replacement)), replacement, password)
	if err != nil {
		t.Fatal(err)
	}
	gone("a link from before a change", token)
	token = w.reset(a, sent, u.Email)
	w.Later(time.Hour)
	gone("a link after an hour", token)
	err = a.Sweep(t.Context())
	if err != nil || w.Count(`SELECT count(*) FROM password_resets`) != 0 ||
		w.Count(`SELECT count(*) FROM mails WHERE uuid NOT IN (SELECT uuid FROM password_resets)`) != 2 {
		t.Errorf("after the sweep %d resets, %d mails, want the two about changes: %v",
			w.Count(`SELECT count(*) FROM password_resets`), w.Count(`SELECT count(*) FROM mails`), err)
	}
}

// The caller cannot learn whether an address has an account, and only users that can use theirs get
// a mail.
func TestResetsDoNotTellWhoHasAnAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, sent := w.mailing()
	member := w.Person("member", w.Org, accounts.RoleViewer)
	former := w.Person("former", w.Org, accounts.RoleViewer)
	owner := w.Person("owner", w.Org, accounts.RoleOwner)
	if err := w.People.RemoveMember(t.Context(), by(owner), w.Org, former.ID); err != nil {
		t.Fatal(err)
	}
	tries := map[string]int{}
	for n, email := range []string{"nobody@shop.example", former.Email, member.Email} {
		if token := w.reset(a, sent, email); (token != "") != (email == member.Email) {
			t.Errorf("%s is mailed %q", email, token)
		}
		if mails := w.Count(`SELECT count(*) FROM mails`); mails != n/2 {
			t.Errorf("after %s %d mails", email, mails)
		}
		for tries[email] = 1; tries[email] < 50; tries[email]++ {
			err := a.RequestReset(t.Context(),
				stranger(fmt.Sprintf("198.51.100.%d", tries[email]+50*n)), email, locale.Arabic)
			if wait, throttled := errors.AsType[accounts.Throttled](err); throttled && wait.RetryAfter == time.Second {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if tries[email] != 5 {
			t.Errorf("%s can be asked for %d times in a row, want 5", email, tries[email])
		}
	}
	if accountstest.Contains(w.Trail(w.Org, 99), "unknown password.request_reset failed") ||
		!accountstest.Contains(w.Trail(w.Org, 99), "unknown password.request_reset denied") {
		t.Errorf("the trail is %q", w.Trail(w.Org, 99))
	}
	n := w.Count(`
SELECT count(*)
FROM audit_records
WHERE action = 'password.request_reset'
  AND outcome = 'failed'
  AND organization_uuid IS NULL`)
	if n != 10 {
		t.Errorf("%d requests in vain are recorded, want 10", n)
	}
	if n := w.Count(`SELECT count(*) FROM audit_records r WHERE r::text LIKE '%nobody@%'`); n != 0 {
		t.Error("what was typed is recorded: it may be a password")
	}
	for _, bad := range []string{"", "nobody", "a@b\x00", "\xff@x.example"} {
		err := a.RequestReset(t.Context(), stranger(home), bad, locale.English)
		if !errors.Is(err, accounts.ErrInvalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	// One network does not fill the mailboxes of many.
	var err error
	for n := range 30 {
		err = a.RequestReset(t.Context(), stranger("203.0.113.9"),
			fmt.Sprintf("p%d@shop.example", n), locale.English)
		if err != nil {
			break
		}
	}
	if _, throttled := errors.AsType[accounts.Throttled](err); !throttled {
		t.Errorf("thirty addresses from one network: %v", err)
	}
}

// An invited user with an account, and without an organisation yet, can reset the password.
func TestInvitedResetTheirPasswords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, sent := w.mailing()
	const email = "New@shop.example"
	w.invite(a, w.Org, email, accounts.RoleViewer)
	invitation := sent[email]
	w.choose(invitation, password)
	token := w.reset(a, sent, email)
	if token == "" {
		t.Fatal("nothing is mailed")
	}
	if err := a.ResetPassword(t.Context(), stranger(home), token, replacement); err != nil {
		t.Fatal(err)
	}
	if err := w.accept(w.signedIn(email, replacement), invitation); err != nil {
		t.Error(err)
	}
}

// Access to the mailbox alone is not enough for an account with a second factor.
func TestResetKeepsTheSecondFactor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, sent := w.mailing()
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	w.Enrol(u)
	if err := a.ResetPassword(t.Context(), stranger(home), w.reset(a, sent, u.Email), replacement); err != nil {
		t.Fatal(err)
	}
	if _, next, err := w.SignIn(u.Email, replacement, home); err != nil || next != people.NextSecondFactor {
		t.Errorf("the next step is %d, %v", next, err)
	}
}

// No record, no reset, and of many uses at a time one succeeds.
func TestResetsAreUsedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, sent := w.mailing()
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	token := w.reset(a, sent, u.Email)
	stopRefusing := w.RefuseRecords()
	if err := a.RequestReset(t.Context(), stranger(home), u.Email, locale.English); err == nil {
		t.Error("a request without a record")
	}
	if err := a.ResetPassword(t.Context(), stranger(home), token, replacement); err == nil {
		t.Error("a new password without a record")
	}
	stopRefusing()
	w.signedIn(u.Email, password)
	var used atomic.Int32
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			err := a.ResetPassword(t.Context(), stranger(home), token, replacement)
			if err == nil {
				used.Add(1)
			} else if !errors.Is(err, people.ErrNoReset) && !errors.Is(err, people.ErrBusy) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if used.Load() != 1 || w.Count(`SELECT count(*) FROM audit_records WHERE action = 'password.reset'`) != 1 {
		t.Errorf("used %d times", used.Load())
	}
}
