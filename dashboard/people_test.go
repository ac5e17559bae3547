package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"daftar/accounts"
)

func TestPeopleAreSeenByRole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.ours.path("people")
	everybody := []string{w.ours.email(accounts.RoleOwner), w.ours.email(accounts.RoleDeveloper), w.ours.email(accounts.RoleViewer)}
	w.owner(t).get(path+"?lang=en").is(t, http.StatusOK).has(t, everybody...).has(t, "Invite somebody", "Change")
	w.developer(t).get(path+"?lang=en").is(t, http.StatusOK).has(t, everybody...).lacks(t, "people/invite", w.ours.people[accounts.RoleViewer].ID.String())
	w.viewer(t).get(path+"?lang=en").is(t, http.StatusForbidden).has(t, "Your role does not allow this")
	w.owner(t).get(w.other.path("people")).is(t, http.StatusNotFound)
	if got := w.trail(t, w.ours, accounts.ActionAccess); len(got) != 1 || got[0].Outcome != accounts.Denied {
		t.Errorf("recorded %+v", got)
	}
}

func TestChangeRole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner, viewer := w.owner(t), w.viewer(t)
	person := w.ours.path("people/" + w.ours.people[accounts.RoleViewer].ID.String())
	page := owner.get(person+"?lang=en").is(t, http.StatusOK).has(t, "Sees payments and webhooks only")
	if got := page.form(t, "/role").Get("role"); got != "viewer" {
		t.Errorf("%q is chosen", got)
	}
	owner.post(person+"/role", "role", "developer").leads(t, w.ours.path("people"))
	viewer.get(w.ours.path("people")).is(t, http.StatusOK) // at once
	if got := w.trail(t, w.ours, accounts.ActionChangeRole); len(got) != 1 || got[0].Detail["to"] != "developer" {
		t.Errorf("recorded %+v", got)
	}
	owner.post(person+"/role", "role", "king").is(t, http.StatusNotFound)

	// Nobody else may, and people of others do not exist.
	for _, c := range []*client{w.developer(t)} {
		c.get(person).is(t, http.StatusForbidden)
		c.post(person+"/role", "role", "owner").is(t, http.StatusForbidden)
		c.post(person+"/remove").is(t, http.StatusForbidden)
	}
	stranger := w.ours.path("people/" + w.other.people[accounts.RoleViewer].ID.String())
	owner.get(stranger).is(t, http.StatusNotFound)
	owner.post(stranger+"/role", "role", "owner").is(t, http.StatusNotFound)
	owner.post(stranger+"/remove").is(t, http.StatusNotFound)
	owner.get(w.ours.path("people/nobody")).is(t, http.StatusNotFound)
}

func TestLastOwnerStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.owner(t)
	self := w.ours.path("people/" + w.ours.people[accounts.RoleOwner].ID.String())
	for _, form := range [][]string{{"/role?lang=en", "role", "viewer"}, {"/remove?lang=en"}} {
		owner.post(self+form[0], form[1:]...).is(t, http.StatusUnprocessableEntity).has(t, "This is the only owner.", "Nothing was changed.")
	}
	owner.get(w.ours.path("people")).is(t, http.StatusOK)
	developer := w.ours.path("people/" + w.ours.people[accounts.RoleDeveloper].ID.String())
	owner.post(developer+"/role", "role", "owner").leads(t, w.ours.path("people"))
	a := owner.post(self+"/remove?lang=en").leads(t, "/dashboard/organizations")
	owner.follow(a).is(t, http.StatusOK).has(t, "You have left the organisation.")
	owner.get(w.ours.path("people")).is(t, http.StatusNotFound)
}

func TestRemoveMember(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner, viewer := w.owner(t), w.viewer(t)
	person := w.ours.path("people/" + w.ours.people[accounts.RoleViewer].ID.String())
	owner.get(person+"?lang=en").has(t, "Keys and tokens that the member has seen go on working")
	a := owner.post(person+"/remove?lang=en").leads(t, w.ours.path("people"))
	owner.follow(a).has(t, "The member was removed").lacks(t, w.ours.email(accounts.RoleViewer))
	viewer.get(w.ours.path("payments")).is(t, http.StatusNotFound)
	viewer.get("/dashboard?lang=en").is(t, http.StatusOK).has(t, "You do not belong to an organisation yet.")
	if got := w.trail(t, w.ours, accounts.ActionRemoveMember); len(got) != 1 || got[0].Actor != w.ours.email(accounts.RoleOwner) {
		t.Errorf("recorded %+v", got)
	}
}

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

func TestInviteSomebodyNew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.owner(t)
	owner.post(w.ours.path("people/invite?lang=en"), "email", "nobody", "role", "king").
		is(t, http.StatusUnprocessableEntity).has(t, "This is not an email address.", "Choose a role.")
	owner.post(w.ours.path("people/invite?lang=en"), "email", w.ours.email(accounts.RoleViewer), "role", "viewer").
		is(t, http.StatusUnprocessableEntity).has(t, "is a member already")
	link := owner.invited("New@ours.example", "developer")
	owner.get(w.ours.path("people?lang=en")).has(t, "New@ours.example").lacks(t, link)

	c := w.client(t)
	for range 2 { // looking uses nothing up
		c.get(link+"?lang=en").is(t, http.StatusOK).
			has(t, "ours", "Developer", "New@ours.example", w.ours.email(accounts.RoleOwner), "Choose a password for your account")
	}
	c.post(link+"?lang=en", "password", "short", "again", "short").is(t, http.StatusUnprocessableEntity).has(t, "The password is too short")
	c.post(link+"?lang=en", "password", password, "again", "other").is(t, http.StatusUnprocessableEntity).has(t, "not typed the same twice")
	a := c.post(link+"?lang=en", "password", password, "again", password).leads(t, w.ours.path("payments"))
	if got := a.header.Get("Location"); !strings.Contains(got, "done=joined") {
		t.Errorf("leads to %q", got)
	}
	c.get(w.ours.path("people")).is(t, http.StatusOK)
	if got := w.trail(t, w.ours, accounts.ActionAcceptInvitation); len(got) != 1 || got[0].Actor != "New@ours.example" {
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
	owner.get(link+"?lang=en").is(t, http.StatusOK).has(t, "for another email address").lacks(t, "Accept the invitation</button>")
	owner.post(link+"?lang=en").is(t, http.StatusUnprocessableEntity).has(t, "for another email address")
	// Signed out: through the sign-in and back. A password makes no second account.
	c := w.client(t)
	page := c.get(link).is(t, http.StatusOK)
	if !strings.Contains(page.body, "/dashboard/sign-in?next="+url.QueryEscape(link)) {
		t.Error("no way to sign in")
	}
	c.post(link, "password", password, "again", password).leads(t, "/dashboard/sign-in?next="+url.QueryEscape(link))
	c.post("/dashboard/sign-in", "email", email, "password", password, "next", link).leads(t, link)
	c.get(link+"?lang=en").has(t, "Accept the invitation")
	c.post(link).leads(t, w.ours.path("payments"))
	c.get(w.ours.path("people")).is(t, http.StatusForbidden) // a viewer here
	c.get(w.other.path("people")).is(t, http.StatusOK)
	c.get("/dashboard/organizations").is(t, http.StatusOK).has(t, "ours", "other")
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
	w.wait(accounts.InvitationLasts + time.Minute)
	w.client(t).get(expired+"?lang=en").is(t, http.StatusNotFound).has(t, "its seven days are over")
	if got := w.trail(t, w.ours, accounts.ActionRevokeInvitation); len(got) != 1 {
		t.Errorf("recorded %+v", got)
	}
}
