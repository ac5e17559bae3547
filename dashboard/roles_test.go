package dashboard_test

import (
	"net/http"
	"testing"

	"daftar/accounts"
)

// Support sees single payments, but no sums.
func TestSupportSeesNoSums(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	w.project(t)
	w.support(t).get(w.ours.path("payments?lang=en")).is(t, http.StatusOK).has(t, "5.000").
		lacks(t, "1 paid", "payments.csv", "/money", "/applications", "/tokens", "/audit", "/people")
	w.finance(t).get(w.ours.path("payments?lang=en")).is(t, http.StatusOK).has(t, "1 paid").
		lacks(t, "/applications", "/tokens", "/audit", "/people")
}

// During an upgrade, servers of this release meet roles of the next one: those have no rights, and
// pages still work.
func TestRolesOfTheNextReleaseMayDoNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner, next := w.owner(t), w.viewer(t)
	link := owner.invited("next@ours.example", "viewer")
	for _, sql := range []string{
		`ALTER TABLE memberships DROP CONSTRAINT memberships_role_check`,
		`ALTER TABLE invitations DROP CONSTRAINT invitations_role_check`,
		`UPDATE memberships SET role = 'auditor' WHERE role = 'viewer'`, `UPDATE invitations SET role = 'auditor'`,
	} {
		if _, err := w.db.OwnerPool(t).Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	for _, page := range []string{"payments", "decisions", "money", "webhooks"} {
		next.get(w.ours.path(page)+"?lang=en").is(t, http.StatusForbidden).has(t, "Your role does not allow this")
	}
	next.get("/dashboard/organizations?lang=en").is(t, http.StatusOK).has(t, "auditor")
	owner.get(w.ours.path("people")+"?lang=en").is(t, http.StatusOK).has(t, "auditor")
	w.client(t).get(link+"?lang=en").is(t, http.StatusOK).has(t, "auditor")
	// An owner gives them a role that is known.
	person := w.ours.path("people/" + w.ours.people[accounts.RoleViewer].ID.String())
	owner.get(person).is(t, http.StatusOK)
	owner.follow(owner.post(person+"/role?lang=en", "role", "support")).has(t, "The role was changed", "Support")
	next.get(w.ours.path("payments")).is(t, http.StatusOK)
}
