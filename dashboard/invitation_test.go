package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard/view"
)

// invited makes an invitation and returns the path of its link.
func (c *client) invited(email, role string) string {
	c.t.Helper()
	page := c.post(c.w.ours.path("people/invite?lang=en"), "email", email, "role", role).is(c.t, http.StatusOK)
	page.has(c.t, "Send this link to them yourself.", "It is not shown again")
	_, link, found := strings.Cut(page.text(), "http://pay.example")
	if !found {
		c.t.Fatalf("no link:\n%s", page.text())
	}
	link, _, _ = strings.Cut(link, " ")
	return link
}

// accepts opens the link, chooses a password, signs in with it and accepts.
func (c *client) accepts(link, email string, b business) {
	c.t.Helper()
	page := c.post(link+"?lang=en", "password", password, "again", password).is(c.t, http.StatusOK).
		has(c.t, "with the password that you have just chosen")
	form := page.form(c.t, "/sign-in")
	if form.Get("email") != email || form.Get("next") != link {
		c.t.Errorf("the sign-in is filled in with %v", form)
	}
	c.post("/dashboard/sign-in", "email", email, "password", password, "next", form.Get("next")).leads(c.t, link)
	c.get(link+"?lang=en").is(c.t, http.StatusOK).has(c.t, "Accept the invitation")
	got := c.post(link).leads(c.t, b.path("payments")).header.Get("Location")
	if !strings.Contains(got, "done=joined") {
		c.t.Errorf("leads to %q", got)
	}
}

func TestInviteSomebodyNew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.owner(t)
	owner.post(w.ours.path("people/invite?lang=en"), "email", "nobody", "role", "king").
		is(t, http.StatusUnprocessableEntity).has(t, "This is not an email address.", "Choose a role.")
	owner.post(w.ours.path("people/invite?lang=en"), "email", w.ours.email(accounts.RoleViewer),
		"role", "viewer").is(t, http.StatusUnprocessableEntity).has(t, "is a member already")
	link := owner.invited("New@ours.example", "developer")
	owner.get(w.ours.path("people?lang=en")).has(t, "New@ours.example").lacks(t, link)

	c := w.client(t)
	for range 2 { // opening the page does not use up the link
		c.get(link+"?lang=en").is(t, http.StatusOK).
			has(t, "ours", "Developer", "New@ours.example", w.ours.email(accounts.RoleOwner), "Choose a password")
	}
	c.post(link+"?lang=en", "password", "short", "again", "short").is(t, http.StatusUnprocessableEntity).
		has(t, "The password is too short")
	c.post(link+"?lang=en", "password", password, "again", "other").is(t, http.StatusUnprocessableEntity).
		has(t, "not typed the same twice")
	c.accepts(link, "New@ours.example", w.ours)
	c.get(w.ours.path("people")).is(t, http.StatusOK)
	got := w.trail(t, w.ours, people.ActionAcceptInvitation)
	if len(got) != 1 || got[0].Actor != "New@ours.example" {
		t.Errorf("recorded %+v", got)
	}
	w.client(t).get(link+"?lang=en").is(t, http.StatusNotFound).has(t, "This invitation no longer works")
	w.client(t).post(link, "password", password, "again", password).is(t, http.StatusNotFound)
	w.as(t, "new@ours.example")
}

func TestInviteWhoHasAnAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.owner(t)
	email := w.other.email(accounts.RoleDeveloper)
	link := owner.invited(email, "viewer")
	// Signed in as somebody else.
	owner.get(link+"?lang=en").is(t, http.StatusOK).has(t, "for another email address").
		lacks(t, "Accept the invitation</button>")
	owner.post(link+"?lang=en").is(t, http.StatusUnprocessableEntity).has(t, "for another email address")
	// Signed out: through the sign-in and back.
	c := w.client(t)
	page := c.get(link).is(t, http.StatusOK)
	if !strings.Contains(page.body, "/dashboard/sign-in?next="+url.QueryEscape(link)) {
		t.Error("no way to sign in")
	}
	c.post(link).leads(t, "/dashboard/sign-in?next="+url.QueryEscape(link))
	c.post("/dashboard/sign-in", "email", email, "password", password, "next", link).leads(t, link)
	// A sign-in of a while ago is not enough to accept with.
	w.wait(16 * time.Minute)
	c.post(link).leads(t, "/dashboard/confirm?next="+url.QueryEscape(link))
	c.post("/dashboard/confirm", "password", password, "next", link).leads(t, link)
	c.get(link+"?lang=en").has(t, "Accept the invitation")
	c.post(link).leads(t, w.ours.path("payments"))
	c.get(w.ours.path("people")).is(t, http.StatusForbidden) // a viewer here
	c.get(w.other.path("people")).is(t, http.StatusOK)
	c.get("/dashboard/organizations").is(t, http.StatusOK).has(t, "ours", "other")
}

// The pages of an invitation are the same for an address with an account and for one without:
// when they are opened, and with every password.
func TestInvitationPagesAreAlike(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.stopClock() // each page says until when
	owner := w.owner(t)
	look := func(email string) []string {
		t.Helper()
		link := owner.invited(email, "viewer")
		c := w.client(t)
		var pages []string
		for _, a := range []answer{
			c.get(link + "?lang=en"), c.post(link+"?lang=en", "password", "short", "again", "short"),
			c.post(link+"?lang=en", "password", email, "again", email),
			c.post(link+"?lang=en", "password", "a password to try", "again", "a password to try"),
			c.post(link + "?lang=en"), c.get(link),
		} {
			text := http.StatusText(a.status) + a.header.Get("Location") + a.body
			pages = append(pages,
				strings.NewReplacer(url.QueryEscape(link), "LINK", link, "LINK", email, "EMAIL").Replace(text))
		}
		return pages
	}
	unknown, known := look("nobody@new.example"), look(w.other.email(accounts.RoleOwner))
	for n := range unknown {
		if unknown[n] != known[n] {
			t.Errorf("page %d of an unknown address:\n%s\nof a known one:\n%s", n, unknown[n], known[n])
		}
	}
	w.as(t, w.other.email(accounts.RoleOwner)) // whose password is as it was
}

// If mail is on, only the mail has the link, and the inviter sees the state of the mail.
func TestInviteByMail(t *testing.T) {
	t.Parallel()
	w, sent := mailing(t)
	owner := w.owner(t)
	people, invite := w.ours.path("people?lang=en"), w.ours.path("people/invite?lang=en")
	owner.get(invite).is(t, http.StatusOK).has(t, "We mail them a link", "Send the invitation").
		lacks(t, "you send it")
	page := owner.post(invite, "email", "New@ours.example", "role", "developer").is(t, http.StatusOK).
		has(t, "on its way", "New@ours.example")
	link := view.InvitationPath(<-sent)
	page.lacks(t, link, "Send this link")
	owner.get(people).has(t, "The mail waits to be sent").lacks(t, link)
	state := func(sql string) answer {
		_, err := w.pool.Exec(t.Context(), `UPDATE mails SET message = NULL, finished_at = now(), `+sql)
		if err != nil {
			t.Fatal(err)
		}
		return owner.get(people).is(t, http.StatusOK)
	}
	state(`state = 'failed', error = '550 <b>nobody</b> here'`).
		has(t, "The mail was not sent", "Check the address", "550 <b>nobody</b> here").lacks(t, "<b>nobody</b>")
	state(`state = 'sent', error = ''`).has(t, "Sent by mail").lacks(t, "Check the address")
	w.client(t).accepts(link, "New@ours.example", w.ours)
	w.stopClock() // the first pause is a second, which may pass on a busy machine
	for range 3 {
		owner.post(invite, "email", "often@ours.example", "role", "viewer").is(t, http.StatusOK)
	}
	again := owner.post(invite, "email", "often@ours.example", "role", "viewer").
		is(t, http.StatusTooManyRequests).has(t, "too many attempts", "Try again in")
	if again.header.Get("Retry-After") == "" ||
		again.form(t, "/people/invite").Get("email") != "often@ours.example" {
		t.Errorf("after too many mails: %v", again.header)
	}
}

func TestInvitationsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.owner(t)
	revoked, expired := owner.invited("one@ours.example", "viewer"), owner.invited("two@ours.example", "viewer")
	page := owner.get(w.ours.path("people"))
	_, id, _ := strings.Cut(page.body, "one@ours.example")
	_, id, _ = strings.Cut(id, "people/invitations/")
	id, _, _ = strings.Cut(id, "/")
	w.developer(t).post(w.ours.path("people/invitations/"+id+"/revoke")).is(t, http.StatusForbidden)
	other := w.as(t, w.other.email(accounts.RoleOwner))
	other.post(w.other.path("people/invitations/"+id+"/revoke")).is(t, http.StatusNotFound)
	owner.post(w.ours.path("people/invitations/"+id+"/revoke")).leads(t, w.ours.path("people"))
	owner.post(w.ours.path("people/invitations/"+id+"/revoke")).is(t, http.StatusNotFound)
	w.client(t).get(revoked).is(t, http.StatusNotFound)
	w.client(t).get(expired).is(t, http.StatusOK)
	w.wait(people.InvitationLasts + time.Minute)
	w.client(t).get(expired+"?lang=en").is(t, http.StatusNotFound).has(t, "its seven days are over")
	if got := w.trail(t, w.ours, people.ActionRevokeInvitation); len(got) != 1 {
		t.Errorf("recorded %+v", got)
	}
}
