package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard/view"
)

func TestChangePassword(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	here, elsewhere := w.viewer(t), w.viewer(t)
	const path, other = "/dashboard/account/password?lang=en", "nine blue boats at dawn"
	here.get(path).is(t, http.StatusOK).
		has(t, "At least 8 characters; we advise 15", "all your other sessions are ended")
	for _, row := range []struct{ present, next, again, says string }{
		{"not the password", other, other, "The password is wrong."},
		{password, "short", "short", "The password is too short"},
		{password, "password123", "password123", "one of the most common passwords"},
		{password, w.ours.email(accounts.RoleViewer), w.ours.email(accounts.RoleViewer),
			"The password is your email address"},
		{password, strings.Repeat("x", 129), strings.Repeat("x", 129), "The password is too long"},
		{password, other, other + "!", "not typed the same twice"},
	} {
		a := here.post(path, "present", row.present, "password", row.next, "again", row.again).
			is(t, http.StatusUnprocessableEntity)
		a.has(t, row.says).lacks(t, `value="`+other)
		if !strings.Contains(a.body, "<title>Error: ") {
			t.Error("the title does not begin with the error")
		}
	}
	elsewhere.get("/dashboard/account").is(t, http.StatusOK)
	a := here.post(path, "present", password, "password", other, "again", other).leads(t, "/dashboard/account")
	here.follow(a).is(t, http.StatusOK).has(t, "all your other sessions were ended")
	elsewhere.get("/dashboard/account").leads(t, "/dashboard/sign-in")
	got := w.trail(t, w.ours, people.ActionChangePassword)
	if len(got) != 2 || got[0].Outcome != accounts.Done || got[1].Outcome != accounts.Failed {
		t.Errorf("recorded %+v", got)
	}
	c := w.client(t)
	c.post("/dashboard/sign-in", "email", w.ours.email(accounts.RoleViewer), "password", password).
		is(t, http.StatusUnprocessableEntity)
	c.post("/dashboard/sign-in", "email", w.ours.email(accounts.RoleViewer), "password", other).
		leads(t, "/dashboard")
}

// Keyboards and clipboards encode the same letters in different Unicode forms. Both forms are the same
// password, in the form that sets it and at the sign-in.
func TestAPasswordOfTwoKeyboards(t *testing.T) {
	t.Parallel()
	w, sent := mailing(t)
	const together, apart = "caf\u00e9 \u0623\u0645\u0644 1978", "cafe\u0301\u00a0\u0627\u0654\u0645\u0644 1978"
	email := w.ours.email(accounts.RoleViewer)
	c := w.viewer(t)
	c.post("/dashboard/account/password", "present", password, "password", together, "again", apart).
		leads(t, "/dashboard/account")
	c.post("/dashboard/account/password", "present", apart, "password", apart, "again", together).
		leads(t, "/dashboard/account")
	c.post("/dashboard/confirm", "password", together).leads(t, "/dashboard")
	w.client(t).post("/dashboard/sign-in", "email", email, "password", together).leads(t, "/dashboard")
	c.post(forgotten, "email", email).is(t, http.StatusOK)
	c.post(view.ResetPath(<-sent), "password", apart, "again", together).leads(t, "/dashboard/sign-in")
	w.client(t).post("/dashboard/sign-in", "email", email, "password", together).leads(t, "/dashboard")
	_, token, err := w.people.Invite(t.Context(), operator, w.ours.org.ID, "new@ours.example",
		accounts.RoleViewer)
	if err != nil {
		t.Fatal(err)
	}
	c = w.client(t)
	c.post(view.InvitationPath(token), "password", together, "again", apart).is(t, http.StatusOK)
	c.post("/dashboard/sign-in", "email", "new@ours.example", "password", apart).leads(t, "/dashboard")
}

func TestEnrolment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.owner(t)
	c.get("/dashboard/account/second-factor?lang=en").is(t, http.StatusOK).has(t, "Turn on the second step")
	page := c.post("/dashboard/account/second-factor?lang=en").is(t, http.StatusOK)
	uri, err := url.Parse(page.form(t, "/second-factor/confirm").Get("uri"))
	if err != nil {
		t.Fatal(err)
	}
	secret := uri.Query().Get("secret")
	grouped := ""
	for n := 0; n < len(secret); n += 4 {
		grouped += secret[n:n+4] + " "
	}
	page.has(t, strings.TrimSpace(grouped))
	if !strings.Contains(page.body, `<svg class="qr"`) {
		t.Error("no QR code")
	}
	// A wrong code shows the same secret again; nothing is on yet.
	page = c.post("/dashboard/account/second-factor/confirm?lang=en", "code", "000000", "uri", uri.String()).
		is(t, http.StatusUnprocessableEntity)
	page.has(t, strings.TrimSpace(grouped), "The code is wrong")
	c.get("/dashboard/account/second-factor?lang=en").has(t, "Turn on the second step")
	// An address that is not an app's URI is not shown again.
	c.post("/dashboard/account/second-factor/confirm", "code", "000000", "uri", "https://evil.example/").
		leads(t, "/dashboard/account/second-factor")
	page = c.post("/dashboard/account/second-factor/confirm?lang=en", "code", w.totp(t, secret)).
		is(t, http.StatusOK)
	page.has(t, "Keep these codes now: they are not shown again.")
	if got := page.header.Get("Cache-Control"); !strings.Contains(got, "no-store") {
		t.Errorf("Cache-Control is %q", got)
	}
	// A reload does not turn it on twice.
	c.post("/dashboard/account/second-factor/confirm", "code", w.totp(t, secret)).
		leads(t, "/dashboard/account/second-factor")
	c.get("/dashboard/account/second-factor?lang=en").has(t, "Recovery codes left: 10")
	// It is recorded once, after the two wrong codes.
	got := w.trail(t, w.ours, people.ActionEnableSecondFactor)
	if len(got) != 3 || got[0].Outcome != accounts.Done || got[1].Outcome != accounts.Failed {
		t.Errorf("recorded %+v", got)
	}

	c.post("/dashboard/account/recovery-codes?lang=en").is(t, http.StatusOK).
		has(t, "Your old codes no longer work.")
	a := c.post("/dashboard/account/second-factor/disable?lang=en").leads(t, "/dashboard/account")
	c.follow(a).has(t, "The second step is off.")
	c.post("/dashboard/account/recovery-codes").leads(t, "/dashboard/account/second-factor")
	for _, action := range []accounts.Action{people.ActionNewRecoveryCodes,
		people.ActionDisableSecondFactor} {
		if got := w.trail(t, w.ours, action); len(got) != 1 {
			t.Errorf("recorded of %s: %+v", action, got)
		}
	}
}

func TestAccountShowsSignIns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	email := w.ours.email(accounts.RoleViewer)
	w.client(t).post("/dashboard/sign-in", "email", email, "password", "wrong but long enough").
		is(t, http.StatusUnprocessableEntity)
	c := w.viewer(t)
	c.get("/dashboard/account?lang=en").is(t, http.StatusOK).
		has(t, email, "ours Viewer", "127.0.0.1", "Done", "Failed").
		lacks(t, w.ours.email(accounts.RoleOwner))
}
