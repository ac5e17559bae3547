package dashboard_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"daftar/accounts"
	"daftar/domain"
)

// The sign-in leads to the overview, where each role has what its work is about, and nothing that it
// may not see.
func TestOverviewByRole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.late(t, w.ours)
	w.sale(t, w.other, 0, func(c *domain.Create) { c.Description = "secret of others" })
	w.project(t)
	at := w.ours.path("overview")
	for _, path := range []string{"/dashboard", strings.TrimSuffix(w.ours.path(""), "/")} {
		if to := w.finance(t).get(path).is(t, http.StatusSeeOther).header.Get("Location"); to != at {
			t.Errorf("%s leads to %s, not to %s", path, to, at)
		}
	}
	const waiting, today, needs = "Money that waits for your decision", "Received today", "Needs your attention"
	for role, c := range map[accounts.Role]struct{ first, has, lacks []string }{
		accounts.RoleOwner:     {[]string{today, needs}, []string{"The last 7 days"}, []string{waiting}},
		accounts.RoleFinance:   {[]string{waiting, today}, []string{"Paid late", "Duplicate payment"}, nil},
		accounts.RoleSupport:   {[]string{"Find a payment", needs}, nil, []string{today, "The last 7 days"}},
		accounts.RoleDeveloper: {[]string{needs, today}, nil, []string{waiting}},
		accounts.RoleViewer:    {[]string{today, "The last 7 days"}, nil, []string{needs, waiting}},
	} {
		page := w.as(t, w.ours.email(role)).get(at+"?lang=en").is(t, http.StatusOK)
		page.has(t, append(c.has, string(i.MerchantReference), "Latest payments")...)
		page.lacks(t, append(c.lacks, "secret of others")...)
		text := page.text()
		if strings.Index(text, c.first[0]) > strings.Index(text, c.first[1]) {
			t.Errorf("%s: %q comes after %q", role, c.first[0], c.first[1])
		}
	}
}

// The figures are those of the pages that they lead to.
func TestOverviewLeadsToItsFigures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	w.project(t)
	c := w.viewer(t)
	page := c.get(w.ours.path("overview?lang=en")).is(t, http.StatusOK).has(t, "5.000", "1 paid",
		"nothing was paid")
	c.get(addressOf(t, page, "/money?from=")).is(t, http.StatusOK).has(t, "Revenue")
	c.get(page.link(t, "All payments")).is(t, http.StatusOK).has(t, "5.000")
	w.owner(t).get(w.ours.path("overview?lang=en")).is(t, http.StatusOK).has(t, "Nothing is waiting for you.")
}

// Developers see which requests of their applications failed.
func TestOverviewOfFailedRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sale(t, w.ours, 0, nil)
	w.project(t)
	_, err := w.db.OwnerPool(t).Exec(t.Context(), `
		INSERT INTO api_requests (application_uuid, at, micros, request_id, method, route, query, status, replayed,
		    error, skipped)
		SELECT $1, now(), 1, 'r', 'GET', '/payment-intents', '', 404, false, '', 0
		FROM generate_series(1, 3)`, w.ours.apps[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	developer := w.as(t, w.ours.email(accounts.RoleDeveloper))
	page := developer.get(w.ours.path("overview?lang=en")).is(t, http.StatusOK).has(t, "API requests refused")
	developer.get(addressOf(t, page, "/requests?class=4")).is(t, http.StatusOK).has(t, "404")
	w.owner(t).get(w.ours.path("overview?lang=en")).is(t, http.StatusOK).lacks(t, "API requests refused")
}

// An answer to the question of a decision opens its form with that answer chosen.
func TestAnswersOpenTheForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.late(t, w.ours)
	w.project(t)
	finance := w.finance(t)
	page := finance.get(w.ours.path("decisions?lang=en")).is(t, http.StatusOK)
	if kind := page.form(t, "/5").Get("kind"); kind != "" {
		t.Errorf("%q is chosen before there is an answer", kind)
	}
	for _, want := range []string{"delivered", "refunded"} {
		address, _, _ := strings.Cut(addressOf(t, page, "/decisions?kind="+want), "#")
		if kind := finance.get(address).is(t, http.StatusOK).form(t, "/5").Get("kind"); kind != want {
			t.Errorf("%s: %q is chosen", want, kind)
		}
	}
	owners := w.owner(t).get(w.ours.path("decisions?lang=en"))
	addressOf(t, owners, "/refund?attempt=")
	owners.lacks(t, "decisions?kind=refunded")
}

// addressOf is the first link of the page whose address has a part.
func addressOf(t *testing.T, page answer, part string) string {
	t.Helper()
	for _, link := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(page.body, -1) {
		if address := html.UnescapeString(link[1]); strings.Contains(address, part) {
			return address
		}
	}
	t.Fatalf("no link has %s:\n%s", part, page.text())
	return ""
}
