package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daftar/accounts"
	"daftar/accounts/settings"
)

// shopName is a name for the shop page of an application.
func shopName(a accounts.NewApplication) string { return "shop-" + a.ID.String()[:8] }

func settingShopPage(r *asking) request {
	return anApplication("/shop", "name", shopName(r.of.apps[r.app]), "enabled", "yes")(r)
}

// shopPoster makes the page first.
func shopPoster(r *asking) request {
	r.t.Helper()
	app := r.of.apps[r.app]
	err := r.w.settings.SetShopPage(r.t.Context(), operator, r.of.org.ID, app.ID,
		settings.ShopPage{Name: shopName(app), Enabled: true})
	if err != nil {
		r.t.Fatal(err)
	}
	return anApplication("/shop/poster")(r)
}

func TestShopPageIsMade(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	app, c := w.ours.apps[0], w.developer(t)
	path := "applications/" + app.ID.String()
	c.get(w.ours.path(path+"?lang=en")).is(t, 200).has(t, "Shop page and its code")
	c.get(w.ours.path(path+"/shop/poster")).is(t, 404)
	form := c.get(w.ours.path(path+"/shop?lang=en")).is(t, 200).
		has(t, "http", "/shop/…", "cannot be changed").form(t, "/shop")
	if form.Get("enabled") != "yes" {
		t.Error("a new page is off")
	}
	send := func(form url.Values) answer {
		return c.send(http.MethodPost, w.ours.path(path+"/shop?lang=en"), form)
	}
	for field, wrong := range map[string]struct{ value, says string }{
		"name":           {"daftar", "not available"},
		"description_ar": {"ادفع في shop.ly", "without a web or mail address"},
		"description_en": {strings.Repeat("a", 201), "at most 200 characters"},
		"amount":         {"0.5", "from 1.000 to 1,000,000.000"},
	} {
		bad := url.Values{"name": {"maydan"}, "enabled": {"yes"}}
		bad.Set(field, wrong.value)
		send(bad).is(t, http.StatusUnprocessableEntity).has(t, wrong.says)
	}
	form.Set("name", "Maydan") // phones begin with a capital
	form.Set("amount", "٥")
	form.Set("description_en", "Coffee")
	c.follow(send(form)).is(t, 200).has(t, "The shop page was saved", "/shop/maydan", "takes payments")
	w.wantRecord(t, settings.ActionSetShopPage)
	c.get(w.ours.path(path+"/shop/poster?lang=en")).is(t, 200).
		has(t, "/shop/maydan", "5.000", "امسح الرمز", "Scan with")

	form.Set("name", "another")
	form.Del("enabled")
	c.follow(send(form)).is(t, 200).has(t, "/shop/maydan").lacks(t, "/shop/another")
	f, err := w.settings.Front(t.Context(), "maydan")
	if err != nil || f.Page.Enabled || f.Page.Fixed != 5_000 || f.ID != app.ID {
		t.Errorf("the page is %+v: %v", f.Page, err)
	}
	other := w.ours.path("applications/" + w.ours.apps[1].ID.String() + "/shop?lang=en")
	c.send(http.MethodPost, other, url.Values{"name": {"maydan"}}).is(t, http.StatusUnprocessableEntity).
		has(t, "Another shop has this name.")
}
