package dashboard_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"

	"daftar/accounts"
	"daftar/accounts/people/passkeytest"
	"daftar/dashboard/view"
)

// account is an owner's account, with its passwords and devices.
type account struct {
	*client

	email, password string
	secret          string // of an authenticator app; empty: none
	recovery        []string
	phone           *passkeytest.Device // nil: no passkey
	asked           bool                // for a passkey, after the password
}

// asksMore reports whether the password alone does not sign in.
func (a *account) asksMore() bool { return a.secret != "" || a.asked }

// signIn signs in with everything that the account asks for.
func (a *account) signIn() {
	a.t.Helper()
	first := a.post("/dashboard/sign-in", "email", a.email, "password", a.password)
	switch {
	case a.secret != "":
		first.leads(a.t, "/dashboard/code")
		a.post("/dashboard/code", "code", a.w.totp(a.t, a.secret)).leads(a.t, "/dashboard")
	case a.asked:
		first.leads(a.t, "/dashboard/code")
		a.usePasskey("/dashboard/code/passkey", a.phone).leads(a.t, "/dashboard")
	default:
		first.leads(a.t, "/dashboard")
	}
}

// recoveryCode takes one of the unused codes.
func (a *account) recoveryCode() (code string) {
	code, a.recovery = a.recovery[0], a.recovery[1:]
	return code
}

func (a *account) confirm(fields ...string) answer {
	a.t.Helper()
	return a.post("/dashboard/confirm", append(fields, "next", "/dashboard/account")...)
}

// Where a request for a sensitive page leads.
const (
	fresh = "/dashboard/account/second-factor" // its pages are shown
	stale = "/dashboard/confirm"
	out   = "/dashboard/sign-in"
)

// wayToBeFresh is an action by which an old session, or its browser, might become fresh.
type wayToBeFresh struct {
	name   string
	needs  func(*account) bool // nil: nothing
	before func(*testing.T, *account)
	do     func(*testing.T, *account)
	want   func(*account) string // nil: stale
}

func always(what string) func(*account) string { return func(*account) string { return what } }

// byPassword is fresh if the password alone signs in.
func byPassword(otherwise string) func(*account) string {
	return func(a *account) string {
		if a.asksMore() {
			return otherwise
		}
		return fresh
	}
}

func hasApp(a *account) bool     { return a.secret != "" }
func hasPasskey(a *account) bool { return a.phone != nil }

func waysToBeFresh(sent <-chan string) []wayToBeFresh {
	return []wayToBeFresh{
		{name: "nothing", do: func(t *testing.T, a *account) { a.get("/dashboard/account").is(t, http.StatusOK) }},
		{name: "a whole sign-in", do: func(_ *testing.T, a *account) { a.signIn() }, want: always(fresh)},
		{name: "the password at the sign-in", do: func(_ *testing.T, a *account) {
			a.post("/dashboard/sign-in", "email", a.email, "password", a.password)
		}, want: byPassword(out)},
		{name: "a recovery code at the sign-in", needs: hasApp, do: func(t *testing.T, a *account) {
			a.post("/dashboard/sign-in", "email", a.email, "password", a.password).leads(t, "/dashboard/code")
			a.post("/dashboard/code", "code", a.recoveryCode()).leads(t, "/dashboard")
		}, want: always(fresh)},
		{name: "a passkey at the sign-in", needs: hasPasskey, do: func(t *testing.T, a *account) {
			a.usePasskey("/dashboard/sign-in/passkey", a.phone).leads(t, "/dashboard")
		}, want: always(fresh)},
		{name: "the password at the confirmation", do: func(_ *testing.T, a *account) {
			a.confirm("password", a.password)
		}, want: byPassword(stale)},
		{name: "a wrong password", do: func(t *testing.T, a *account) {
			a.confirm("password", "wrong but long enough").is(t, http.StatusUnprocessableEntity)
		}},
		{name: "a code without the password", needs: hasApp, do: func(t *testing.T, a *account) {
			a.confirm("code", a.w.totp(t, a.secret)).is(t, http.StatusUnprocessableEntity)
		}},
		{name: "a wrong code", needs: hasApp, do: func(t *testing.T, a *account) {
			a.confirm("password", a.password, "code", "000000").is(t, http.StatusUnprocessableEntity)
		}},
		{name: "the password and a code", needs: hasApp, do: func(t *testing.T, a *account) {
			a.confirm("password", a.password, "code", a.w.totp(t, a.secret)).leads(t, "/dashboard/account")
		}, want: always(fresh)},
		{name: "the password and a recovery code", needs: hasApp, do: func(t *testing.T, a *account) {
			a.confirm("password", a.password, "code", a.recoveryCode()).leads(t, "/dashboard/account")
		}, want: always(fresh)},
		{name: "a passkey at the confirmation", needs: hasPasskey, do: func(t *testing.T, a *account) {
			a.usePasskey("/dashboard/confirm/passkey", a.phone, "next", "/dashboard/account").
				leads(t, "/dashboard/account")
		}, want: always(fresh)},
		{name: "a new password", do: func(t *testing.T, a *account) { a.changePassword(t) }},
		{name: "a new password by mail", do: func(t *testing.T, a *account) {
			a.post(forgotten, "email", a.email).is(t, http.StatusOK)
			a.password += "!"
			a.post(view.ResetPath(<-sent), "password", a.password, "again", a.password).leads(t, "/dashboard/sign-in")
		}, want: always(out)},
		{name: "an invitation", do: func(t *testing.T, a *account) {
			_, token, err := a.w.people.Invite(t.Context(), operator, a.w.other.org.ID, a.email,
				accounts.RoleViewer)
			if err != nil {
				t.Fatal(err)
			}
			a.post(view.InvitationPath(token)).leads(t, stale)
		}},
		{name: "an enrolment that was begun in time", before: func(t *testing.T, a *account) {
			a.secret = a.beginEnrolment(t)
		}, do: func(t *testing.T, a *account) {
			a.post("/dashboard/account/second-factor/confirm", "code", a.w.totp(t, a.secret)).is(t, http.StatusOK)
		}},
	}
}

func (a *account) changePassword(t *testing.T) {
	t.Helper()
	next := a.password + "?"
	a.post("/dashboard/account/password", "present", a.password, "password", next, "again", next).
		leads(t, "/dashboard/account")
	a.password = next
}

// Only what proves as much as a sign-in makes a session fresh. Otherwise a session and a password
// could switch the second factor off.
func TestWaysToBeFresh(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(*account){
		"a password alone":          func(*account) {},
		"an app":                    func(a *account) { a.secret, a.recovery = a.enrol() },
		"a passkey":                 func(a *account) { a.phone = a.client.phone("Phone") },
		"a passkey, which is asked": (*account).askForPasskey,
		"an app, and a passkey": func(a *account) {
			a.secret, a.recovery = a.enrol()
			a.phone = a.client.phone("Phone")
		},
		"an app, and an asked passkey": func(a *account) { a.secret, a.recovery = a.enrol(); a.askForPasskey() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, sent := mailing(t)
			a := &account{email: w.ours.email(accounts.RoleOwner), password: password, client: w.owner(t)}
			set(a)
			for _, way := range waysToBeFresh(sent) {
				if way.needs == nil || way.needs(a) {
					a.try(t, way)
				}
			}
		})
	}
}

func (a *account) askForPasskey() {
	a.phone, a.asked = a.client.phone("Phone"), true
	a.post("/dashboard/account/passkeys/require", "ask", "yes").leads(a.t, "/dashboard/account/passkeys")
}

// try tries a way in a browser with an old sign-in.
func (a *account) try(t *testing.T, way wayToBeFresh) {
	t.Helper()
	a.client = a.w.client(t)
	a.w.wait(2 * time.Hour) // earlier attempts no longer count
	a.signIn()
	a.get(fresh).is(t, http.StatusOK)
	if way.before != nil {
		way.before(t, a)
	}
	a.w.wait(16 * time.Minute)
	way.do(t, a)
	want := stale
	if way.want != nil {
		want = way.want(a)
	}
	a.at = ""
	page := a.get(fresh)
	if want == fresh {
		page.is(t, http.StatusOK)
		a.get(a.w.ours.path("tokens/new")).is(t, http.StatusOK)
		return
	}
	if to := page.header.Get("Location"); !strings.HasPrefix(to, want+"?") {
		t.Errorf("%s: leads to %q, want %q", way.name, to, want)
	}
	// Sensitive changes are not made.
	for _, path := range []string{
		"/dashboard/account/second-factor", "/dashboard/account/second-factor/disable",
		"/dashboard/account/recovery-codes", "/dashboard/account/passkeys/challenge",
		"/dashboard/account/passkeys", "/dashboard/account/passkeys/require", a.w.ours.path("tokens"),
		a.w.ours.path("applications"), a.w.ours.path("people/invite"),
	} {
		if to := a.post(path, "name", "X", "ask", "no").header.Get("Location"); !strings.HasPrefix(to, want+"?") {
			t.Errorf("%s: %s leads to %q, want %q", way.name, path, to, want)
		}
	}
}

// Changing the password keeps the session, which gets neither fresher nor longer.
func TestANewPasswordProlongsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := &account{email: w.ours.email(accounts.RoleOwner), password: password, client: w.owner(t)}
	end := func() time.Time {
		t.Helper()
		var data []byte
		if err := w.pool.QueryRow(t.Context(), `SELECT data FROM sessions`).Scan(&data); err != nil {
			t.Fatal(err)
		}
		deadline, _, err := scs.GobCodec{}.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		return deadline
	}
	before := end()
	a.changePassword(t)
	if after := end(); !after.Equal(before) {
		t.Errorf("the session ends at %v, and ended at %v", after, before)
	}
	a.get(fresh).is(t, http.StatusOK) // as before
}

// A secret for an app that was shown before a change of the password cannot be enrolled after it.
func TestANewPasswordEndsAnEnrolment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := &account{email: w.ours.email(accounts.RoleOwner), password: password, client: w.owner(t)}
	secret := a.beginEnrolment(t)
	a.changePassword(t)
	a.post("/dashboard/account/second-factor/confirm", "code", w.totp(t, secret)).
		leads(t, "/dashboard/account/second-factor")
	if u, err := w.people.FindUser(t.Context(), operator, a.email); err != nil || u.SecondFactor {
		t.Errorf("the user is %+v, %v", u, err)
	}
}
