package dashboard_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/internal/locale"
)

func (w *world) tokenCounts(t *testing.T, value string) bool {
	t.Helper()
	_, err := w.accounts.Reauthenticate(t.Context(), value, w.ours.apps[0].APIKey, true, "102.69.1.20")
	return err == nil
}

func TestCreateToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.developer(t)
	c.get(w.ours.path("tokens/new?lang=en")).is(t, http.StatusOK).has(t, "Libya’s time")
	for typed, objection := range map[string]string{"yesterday": "Write a day and a time",
		"2020-01-01T10:00": "has passed", "٢٠٢٠-٠١-٠١T١٠:٠٠": "has passed"} {
		c.post(w.ours.path("tokens?lang=en"), "name", "server", "expires_at", typed).
			is(t, http.StatusUnprocessableEntity).has(t, objection)
	}
	c.post(w.ours.path("tokens?lang=en"), "name", "").is(t, http.StatusUnprocessableEntity).
		has(t, "Write a name.")

	end := locale.Tripoli(w.now().Add(48 * time.Hour))
	made := c.post(w.ours.path("tokens?lang=en"), "name", "خادم", "expires_at", end.Format("2006-01-02T15:04")).
		is(t, http.StatusOK)
	value := secretIn(t, made, "token")
	if !w.tokenCounts(t, value) {
		t.Error("the new token is not let in")
	}
	w.wantRecord(t, accounts.ActionCreateToken)
	if err := w.accounts.FlushLastUsed(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.get(w.ours.path("tokens?lang=en")).is(t, http.StatusOK).lacks(t, value, "other first").
		has(t, "خادم", "…"+value[len(value)-4:], "102.69.1.20", "In force", "Does not expire",
			locale.Date(locale.English, end)+", "+end.Format("15:04"))
	w.wait(49 * time.Hour)
	if w.tokenCounts(t, value) {
		t.Error("the token is let in after its end")
	}
	w.developer(t).get(w.ours.path("tokens?lang=en")).has(t, "Expired")
}

// The page that shows a token is the answer to a form. Sending the form again, by a reload, a
// second click or after a lost answer, creates no second token.
func TestATokenFormCreatesOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.developer(t)
	form := c.get(w.ours.path("tokens/new?lang=en")).form(t, "/tokens")
	if form.Get("form") == c.get(w.ours.path("tokens/new?lang=en")).form(t, "/tokens").Get("form") {
		t.Error("two forms have the same number")
	}
	// A corrected form keeps its number.
	corrected := c.send(http.MethodPost, w.ours.path("tokens?lang=en"), form).
		is(t, http.StatusUnprocessableEntity).form(t, "/tokens")
	if corrected.Get("form") != form.Get("form") {
		t.Error("the corrected form has another number")
	}
	corrected.Set("name", "Till")
	value := secretIn(t, c.send(http.MethodPost, w.ours.path("tokens?lang=en"), corrected).is(t, http.StatusOK),
		"token")
	again := c.send(http.MethodPost, w.ours.path("tokens?lang=en"), corrected).leads(t, w.ours.path("tokens"))
	page := c.follow(again).is(t, http.StatusOK).
		has(t, "This token was created before, and no other was created.").lacks(t, value)
	if n := strings.Count(page.text(), "Till"); n != 2 { // its name, and for the button that revokes it
		t.Errorf("the list names it %d times:\n%s", n, page.text())
	}
	if !w.tokenCounts(t, value) {
		t.Error("the token that was shown is not let in")
	}
}

func TestRevokeToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.owner(t)
	id, value := w.ours.tokens[0].ID.String(), w.ours.values[0]
	c.get(w.ours.path("tokens?lang=en")).has(t, "stops at once and for good", "never used")
	c.follow(c.post(w.ours.path("tokens/"+id+"/revoke?lang=en"))).has(t, "was revoked and is refused", "Revoked")
	if w.tokenCounts(t, value) || !w.tokenCounts(t, w.ours.values[1]) {
		t.Error("the revoked token is let in, or the other is not")
	}
	w.wantRecord(t, accounts.ActionRevokeToken)
	c.follow(c.post(w.ours.path("tokens/"+id+"/revoke?lang=en"))).has(t, "was revoked before")
	if all := w.actions(t); slices.Contains(all[1:], accounts.ActionRevokeToken) {
		t.Error("the second form is in the audit trail, too")
	}
}

func TestTokensOfOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.viewer(t).post(w.ours.path("tokens/"+w.ours.tokens[0].ID.String()+"/revoke")).is(t, http.StatusForbidden)
	w.viewer(t).post(w.ours.path("tokens"), "name", "x").is(t, http.StatusForbidden)
	owner := w.owner(t)
	for _, id := range []string{w.other.tokens[0].ID.String(), uuid.NewString(), "x"} {
		owner.post(w.ours.path("tokens/"+id+"/revoke")).is(t, http.StatusNotFound)
	}
	all, err := w.accounts.Tokens(t.Context(), operator, w.other.org.ID)
	revoked := func(t accounts.Token) bool { return t.RevokedAt != nil }
	if err != nil || slices.ContainsFunc(all, revoked) {
		t.Errorf("the other organisation's tokens are %+v, %v", all, err)
	}
	if !strings.Contains(owner.get(w.ours.path("tokens")).text(), "ours first") {
		t.Error("the owner does not see the token")
	}
}

// Every role and every scope: developers and owners create tokens, only owners those that refund.
// The form offers what its user may choose; a choice that it does not offer is refused.
func TestScopesByRole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const offered = `name="scope_`
	rights := map[accounts.Role]map[accounts.Scope]int{
		accounts.RoleOwner: {accounts.ScopeRead: 200, accounts.ScopePayments: 200,
			accounts.ScopeRefunds: 200, accounts.ScopeBooks: 200},
		accounts.RoleDeveloper: {accounts.ScopeRead: 200, accounts.ScopePayments: 200,
			accounts.ScopeRefunds: 403, accounts.ScopeBooks: 200},
		accounts.RoleFinance: {accounts.ScopeRead: 403, accounts.ScopePayments: 403,
			accounts.ScopeRefunds: 403, accounts.ScopeBooks: 403},
		accounts.RoleSupport: {accounts.ScopeRead: 403, accounts.ScopePayments: 403,
			accounts.ScopeRefunds: 403, accounts.ScopeBooks: 403},
		accounts.RoleViewer: {accounts.ScopeRead: 403, accounts.ScopePayments: 403,
			accounts.ScopeRefunds: 403, accounts.ScopeBooks: 403},
	}
	for _, role := range accounts.Roles {
		c := w.as(t, w.ours.email(role))
		form := c.get(w.ours.path("tokens/new?lang=en"))
		for _, scope := range accounts.Scopes {
			want, known := rights[role][scope]
			if !known {
				t.Fatalf("no row for %s and %s", role, scope)
			}
			if got := strings.Contains(form.body, offered+string(scope)+`"`); got != (want == http.StatusOK) {
				t.Errorf("%s is offered %s: %t", role, scope, got)
			}
			c.post(w.ours.path("tokens"), "name", "x", "scope_"+string(scope), "yes").is(t, want)
		}
	}
}

// What a token may do, and from where, is chosen in the form, shown in the list and kept in the
// audit trail.
func TestScopesAndNetworksOfATokenForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.owner(t)
	form := c.get(w.ours.path("tokens/new?lang=en")).form(t, "/tokens")
	if form.Get("scope_payments") != "yes" || form.Has("scope_read") || form.Has("scope_refunds") {
		t.Errorf("a new form proposes %v", form)
	}
	form.Set("name", "Reports")
	form.Del("scope_payments")
	form.Set("networks", "41.252.0.0/33")
	form = c.send(http.MethodPost, w.ours.path("tokens?lang=en"), form).is(t, http.StatusUnprocessableEntity).
		has(t, "Choose at least one.", "Write addresses or networks such as 41.252.0.0/16").form(t, "/tokens")
	form.Set("scope_read", "yes")
	form.Set("scope_refunds", "yes")
	form.Set("networks", "2001:db8:7::/48, 41.252.7.7/16")
	c.send(http.MethodPost, w.ours.path("tokens?lang=en"), form).is(t, http.StatusOK)
	c.get(w.ours.path("tokens?lang=en")).has(t, "Reports", "Read, Refunds", "41.252.0.0/16", "2001:db8:7::/48",
		"Anywhere")
	c.get(w.ours.path("audit?lang=en")).has(t, "What it may do", "read, refunds", "41.252.0.0/16")
	all, err := w.accounts.Tokens(t.Context(), operator, w.ours.org.ID)
	if err != nil || !slices.Equal(all[0].Scopes, []accounts.Scope{accounts.ScopeRead, accounts.ScopeRefunds}) ||
		len(all[0].Networks) != 2 {
		t.Errorf("the token is %+v, %v", all[0], err)
	}
}
