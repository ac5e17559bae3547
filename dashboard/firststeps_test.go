package dashboard_test

import (
	"net/http"
	"testing"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/internal/locale"
)

// The overview of a new organisation shows the steps that are left, to users with the rights.
func TestFirstStepsTickThemselves(t *testing.T) {
	t.Parallel()
	w := withAPI(t, withAcquirers(t))
	org, err := w.accounts.CreateOrganization(t.Context(), operator, "new")
	if err != nil {
		t.Fatal(err)
	}
	as := func(role accounts.Role) *client {
		t.Helper()
		_, err := w.people.CreateUser(t.Context(), operator, org.ID, string(role)+"@new.example", role, password)
		if err != nil {
			t.Fatal(err)
		}
		return w.as(t, string(role)+"@new.example")
	}
	in := "/dashboard/" + org.ID.String()
	owner, list := as(accounts.RoleOwner), in+"/overview?lang=en"
	leads := func(page answer, to map[string]string) {
		t.Helper()
		for name, path := range to {
			if got := page.link(t, name); got != path+"?lang=en" {
				t.Errorf("%s leads to %s, not to %s", name, got, path)
			}
		}
	}
	const (
		application = "Create an application"
		acquirer    = "Connect your account with a payment provider"
		brand       = "Add your shop’s name and logo as customers see them"
		people      = "Invite the people you work with"
		link        = "Create a payment link and send it to a customer"
	)
	page := owner.get(list).is(t, http.StatusOK).has(t, "0 of 5 done", acquirer, brand, link).
		lacks(t, acquirer+"</a>", brand+"</a>", link+"</a>")
	leads(page, map[string]string{application: in + "/applications/new", people: in + "/people/invite"})
	app, err := w.accounts.CreateApplication(t.Context(), operator, org.ID, accounts.Draft{Name: "shop"})
	if err != nil {
		t.Fatal(err)
	}
	of := in + "/applications/" + app.ID.String()
	leads(owner.get(list).has(t, "1 of 5 done").lacks(t, application+"</a>"),
		map[string]string{acquirer: of + "/acquirers", brand: of + "/brand", people: in + "/people/invite",
			link: in + "/links/new"})
	err = w.settings.SetBrand(t.Context(), operator, org.ID, app.ID,
		settings.Brand{Names: locale.Text{English: "Shop"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	owner.get(list).has(t, "2 of 5 done").lacks(t, brand+"</a>")
	developer := as(accounts.RoleDeveloper)
	owner.get(list).has(t, "3 of 5 done").lacks(t, people+"</a>")
	developer.get(list).has(t, "2 of 4 done").lacks(t, people)
	for _, role := range []accounts.Role{accounts.RoleFinance, accounts.RoleSupport, accounts.RoleViewer} {
		as(role).get(list).is(t, http.StatusOK).has(t, "There are no payments yet.").
			lacks(t, "done", in+"/developers")
	}
	owner.get(in+"/payments?lang=en").lacks(t, "3 of 5 done").has(t, "There are no payments yet.")
	w.createIntent(t, app)
	w.catchUp(t, 0)
	owner.get(list).has(t, "4 of 5 done").lacks(t, "There are no payments yet.")
}
