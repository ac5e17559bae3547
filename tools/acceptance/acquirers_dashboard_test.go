package acceptance_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// An owner gives the application an account in the dashboard of a running server, checks and
// limits it, and a payer finds it on the checkout within the limits. The command sees the same.
func TestAcquirerFromTheDashboard(t *testing.T) {
	t.Parallel()
	g := newGateways(t)
	db := pgtest.Database(t)
	env := slices.Concat(g.env,
		[]string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey})
	who := newShop(t, env)
	r := callWith(t, env, ownersPassword+"\n", "user", "create", "--org", who.org, "--email",
		"owner@shop.example", "--role", "owner", "--password-stdin")
	if r.code != 0 {
		t.Fatalf("user create: %s", r.errors)
	}
	served := serve(t, db.ServiceURL(), g.env...)
	root := strings.TrimSuffix(served.base, "/api/v1")
	v := (&search{t: t}).visitor("dashboard")
	v.must(http.StatusSeeOther, http.MethodPost, root+"/dashboard/sign-in",
		url.Values{"email": {"owner@shop.example"}, "password": {ownersPassword}})
	at := root + "/dashboard/" + who.org + "/applications/" + who.app + "/acquirers"
	shows := func(path string, sentences ...string) {
		t.Helper()
		body, _, _ := v.must(http.StatusOK, http.MethodGet, at+path+"?lang=en", nil)
		for _, s := range sentences {
			if !strings.Contains(body, s) {
				t.Errorf("%s lacks %q:\n%s", path, s, body)
			}
		}
		g.keepsSecrets(t, path, body)
	}
	shows("", "This application takes no money yet", "/acquirers/moamalat/credentials",
		"/acquirers/lypay/credentials")
	given := url.Values{}
	for name, value := range g.settings["moamalat"] {
		given.Set(name, fmt.Sprint(value))
	}
	v.must(http.StatusSeeOther, http.MethodPost, at+"/moamalat/credentials", given)
	_, _, to := v.must(http.StatusSeeOther, http.MethodPost, at+"/moamalat/check", url.Values{})
	if !strings.Contains(to, "checked=accepted") {
		t.Errorf("the check leads to %s", to)
	}
	v.must(http.StatusSeeOther, http.MethodPost, at+"/moamalat/limits",
		url.Values{"method": {"moamalat"}, "max": {"5.000"}})
	shows("/moamalat", root+"/acquirers/moamalat/"+who.app+"/notifications", "5.000")
	listed := call(t, env, "acquirer", "list", "--app", who.app, "--json")
	if !strings.Contains(listed.out, `"limits":{"moamalat":{"max":5000}}`) {
		t.Errorf("the command lists %s%s", listed.out, listed.errors)
	}

	offered := func(reference string) bool {
		t.Helper()
		r := served.ask(t, who, http.MethodPost, "/payment-intents", order(reference)) // of 5000
		if r.status != http.StatusCreated {
			t.Fatalf("create: %d %s", r.status, r.body)
		}
		page, _, _ := v.must(http.StatusOK, http.MethodGet, r.data.CheckoutURL, nil)
		return strings.Contains(page, `value="moamalat"`)
	}
	if !offered("within") {
		t.Error("the method is not offered within its limits")
	}
	v.must(http.StatusSeeOther, http.MethodPost, at+"/moamalat/limits",
		url.Values{"method": {"moamalat"}, "max": {"4.999"}})
	if offered("beyond") {
		t.Error("the method is offered beyond its limits")
	}
}
