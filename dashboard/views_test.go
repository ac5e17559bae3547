package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/domain"
)

// Each word of the search narrows the list; tabs count the results, and the view can be saved.
func TestListIsSearchedNarrowedAndKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for n, what := range []string{"Green tea", "قهوة عربية", "Espresso"} {
		w.sale(t, w.ours, 0, func(c *domain.Create) {
			c.Description, c.Amount.Minor = what, 25_500*int64(1+n/2)
		}, paid(attemptA, 25_500*int64(1+n/2))...)
	}
	w.sale(t, w.ours, 1, func(c *domain.Create) { c.Description, c.Amount.Minor = "Black tea", 25_500 })
	w.project(t)
	c := w.owner(t)
	list := w.ours.path("payments") + "?lang=en"
	c.get(list).is(t, http.StatusOK).has(t, "Payments: 4", "Any status 4", "Awaiting payment 1",
		"Paid 3", "Canceled 0")
	c.get(list+"&q=25.500+5678").is(t, http.StatusOK).
		has(t, "Green tea", "قهوة", "Payments: 2", "Any status 2").lacks(t, "Black tea", "Espresso")
	c.get(list+"&q=%D9%A2%D9%A5%D9%AB%D9%A5+tea&status=requires_payment_method").is(t, http.StatusOK).
		has(t, "Black tea", "Payments: 1", "Any status 2", "Paid 1").lacks(t, "Green tea")
	c.get(list+"&q=sbx-aaaa").is(t, http.StatusOK).has(t, "Payments: 3").lacks(t, "Black tea")
	page := c.get(list+"&sort=largest").is(t, http.StatusOK).text()
	if strings.Index(page, "Espresso") > strings.Index(page, "Black tea") {
		t.Errorf("not the largest first:\n%s", page)
	}

	views := w.ours.path("payments/views") + "?lang=en"
	c.get(views).is(t, http.StatusOK).has(t, "You have not saved a view yet")
	c.get(views+"&q=25.500+5678&status=succeeded").is(t, http.StatusOK).has(t, "25.500 5678", "Paid")
	c.post(views, "name", "", "query", "q=tea").is(t, http.StatusUnprocessableEntity).has(t, "Write a name")
	c.post(views, "name", "Tea", "query", "").is(t, http.StatusNotFound)
	c.post(views, "name", "Tea", "query", "q=tea&status=succeeded&more=x").is(t, http.StatusSeeOther)
	c.post(views, "name", "Tea", "query", "q=coffee").is(t, http.StatusUnprocessableEntity).
		has(t, "You have a view of that name")
	c.get(list).is(t, http.StatusOK).has(t, "Tea")
	viewer := w.as(t, w.ours.email(accounts.RoleViewer))
	viewer.get(views).is(t, http.StatusOK).has(t, "You have not saved a view yet").lacks(t, "Tea")
	all, err := w.settings.SavedViews(t.Context(), w.ours.people[accounts.RoleOwner].Actor("", ""),
		w.ours.org.ID)
	if err != nil || len(all) != 1 || all[0].Query != "q=tea&status=succeeded" {
		t.Fatalf("views %+v, %v", all, err)
	}
	one := w.ours.path("payments/views/" + all[0].ID.String())
	viewer.post(one+"/rename?lang=en", "name", "Mine").is(t, http.StatusNotFound)
	viewer.post(one+"/delete?lang=en").is(t, http.StatusNotFound)
	c.post(one+"/rename?lang=en", "name", " ").is(t, http.StatusUnprocessableEntity).has(t, "1 to 255")
	c.post(one+"/rename?lang=en", "name", "Leaves").is(t, http.StatusSeeOther)
	c.get(views).is(t, http.StatusOK).has(t, "Leaves")
	c.post(one+"/delete?lang=en").is(t, http.StatusSeeOther)
	c.get(views).is(t, http.StatusOK).has(t, "You have not saved a view yet")
	for n := range settings.MaxSavedViews {
		c.post(views, "name", strings.Repeat("x", n+1), "query", "q=tea").is(t, http.StatusSeeOther)
	}
	c.post(views, "name", "one more", "query", "q=tea").is(t, http.StatusUnprocessableEntity).
		has(t, "You have 20 views")
}
