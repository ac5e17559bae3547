package dashboard_test

import (
	"net/http"
	"testing"

	"daftar/accounts"
	"daftar/accounts/people"
)

func TestPeopleAreSeenByRole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.ours.path("people")
	everybody := []string{w.ours.email(accounts.RoleOwner), w.ours.email(accounts.RoleDeveloper),
		w.ours.email(accounts.RoleViewer)}
	w.owner(t).get(path+"?lang=en").is(t, http.StatusOK).has(t, everybody...).has(t, "Invite someone", "Change")
	w.developer(t).get(path+"?lang=en").is(t, http.StatusOK).has(t, everybody...).
		lacks(t, "people/invite", w.ours.people[accounts.RoleViewer].ID.String())
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
	page := owner.get(person+"?lang=en").is(t, http.StatusOK).has(t, "Sees payments, revenue and webhooks",
		"Decides about late and duplicate money", "Finds payments, writes notes")
	if got := page.form(t, "/role").Get("role"); got != "viewer" {
		t.Errorf("%q is chosen", got)
	}
	owner.post(person+"/role", "role", "developer").leads(t, w.ours.path("people"))
	viewer.get(w.ours.path("people")).is(t, http.StatusOK) // at once
	got := w.trail(t, w.ours, people.ActionChangeRole)
	if len(got) != 1 || got[0].Detail["to"] != "developer" {
		t.Errorf("recorded %+v", got)
	}
	owner.post(person+"/role", "role", "king").is(t, http.StatusNotFound)

	// Other roles may not, and members of other organisations are not found.
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
		owner.post(self+form[0], form[1:]...).is(t, http.StatusUnprocessableEntity).
			has(t, "This is the only owner.", "Nothing was changed.")
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
	got := w.trail(t, w.ours, people.ActionRemoveMember)
	if len(got) != 1 || got[0].Actor != w.ours.email(accounts.RoleOwner) {
		t.Errorf("recorded %+v", got)
	}
}
