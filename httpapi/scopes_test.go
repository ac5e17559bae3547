package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/httpapi"
	"daftar/internal/web"
)

// scopeRow is an operation of the API, with its status for a token of each scope, in the order of
// accounts.Scopes: read, payments, refunds, books.
type scopeRow struct {
	method, path string
	body         string
	want         [4]int
}

// scopeRows is the table of what tokens may do; there is no intent of the uuid.
var scopeRows = []scopeRow{
	{"POST", "/payment-intents", "{}", [4]int{403, 422, 403, 403}},
	{"GET", "/payment-intents", "", [4]int{200, 200, 200, 403}},
	{"GET", "/payment-intents/{uuid}", "", [4]int{404, 404, 404, 403}},
	{"POST", "/payment-intents/{uuid}/expire", "", [4]int{403, 404, 403, 403}},
	{"GET", "/payment-intents/{uuid}/events", "", [4]int{404, 404, 404, 403}},
	{"POST", "/payment-intents/{uuid}/refunds", `{"refund_reference":"r"}`, [4]int{403, 403, 404, 403}},
	{"GET", "/payment-intents/{uuid}/refunds", "", [4]int{404, 404, 404, 403}},
	{"GET", "/refunds/{uuid}", "", [4]int{404, 404, 404, 403}},
	{"GET", "/books/balance", "", [4]int{403, 403, 403, 200}},
	{"GET", "/books/journal", "", [4]int{403, 403, 403, 200}},
	{"GET", "/webhook-deliveries", "", [4]int{200, 200, 200, 403}},
}

// Every operation is requested with a token of each scope. The refusal names the scope that is
// needed, and nothing of the request counts.
func TestScopes(t *testing.T) {
	t.Parallel()
	l := serveLogged(t, nil)
	rows := map[string]scopeRow{}
	for _, row := range scopeRows {
		rows[row.method+" "+row.path] = row
	}
	needs := map[string]accounts.Scope{}
	httpapi.Routes(func(method, path string, scope accounts.Scope) {
		needs[method+" "+path] = scope
		if _, found := rows[method+" "+path]; !found {
			t.Errorf("%s %s has no row", method, path)
		}
	})
	if len(needs) != len(scopeRows) {
		t.Errorf("%d rows for %d operations", len(scopeRows), len(needs))
	}
	for n, scope := range accounts.Scopes {
		m := l.withToken(t, accounts.TokenDraft{Name: string(scope), Scopes: []accounts.Scope{scope}})
		for _, row := range scopeRows {
			path := strings.Replace(row.path, "{uuid}", uuid.NewString(), 1)
			for _, method := range append([]string{row.method}, headOf[row.method]...) {
				got := l.do(t, m.request(t, method, l.server.URL+httpapi.Prefix+path, row.body))
				if got.status != row.want[n] {
					t.Errorf("%s %s with the scope %s: %d %s, want %d",
						method, row.path, scope, got.status, got.body, row.want[n])
				}
				if got.status != http.StatusForbidden {
					continue
				}
				needed := needs[row.method+" "+row.path]
				body := fmt.Sprintf(`{"message":"This needs an access token with the scope \"%s\"."}`, needed)
				shown := body
				if method == http.MethodHead {
					shown = ""
				}
				challenge := `Bearer realm="daftar", error="insufficient_scope", scope="` + string(needed) + `"`
				if got.body != shown || got.header.Get("WWW-Authenticate") != challenge {
					t.Errorf("%s: %s, %s", row.path, got.body, got.header.Get("WWW-Authenticate"))
				}
				if log := l.new(t, m); len(log) == 0 || log[0].Status != 403 || log[0].Error != body {
					t.Errorf("%s: the log has %+v", row.path, log)
				}
			}
		}
	}
}

// headOf has HEAD for GET: it is served alike.
var headOf = map[string][]string{http.MethodGet: {http.MethodHead}}

// withToken is the merchant with another token.
func (s *service) withToken(t *testing.T, draft accounts.TokenDraft) merchant {
	t.Helper()
	token, value, err := s.accounts.CreateToken(t.Context(), operator, s.merchant.app.Organization, draft)
	if err != nil {
		t.Fatal(err)
	}
	return merchant{s.merchant.app, value, token.ID}
}

// A token that was revoked, or whose key was rolled, is refused with 401 also where its scope would
// not do: what was just withdrawn says nothing more.
func TestScopesOfWhatIsWithdrawn(t *testing.T) {
	t.Parallel()
	l := serveLogged(t, nil)
	m := l.withToken(t, accounts.TokenDraft{Name: "Reports", Scopes: []accounts.Scope{accounts.ScopeRead}})
	if got := l.create(t, m, "{}"); got.status != http.StatusForbidden {
		t.Fatalf("before: %d %s", got.status, got.body)
	}
	l.revokeToken(t, m)
	if got := l.create(t, m, "{}"); got.status != http.StatusUnauthorized || got.body != unauthenticated {
		t.Errorf("after: %d %s", got.status, got.body)
	}
}

// A token from outside of its networks is answered as one that does not exist. The log of its
// application says why, and from where.
func TestNetworksOfTokens(t *testing.T) {
	t.Parallel()
	l := serveLogged(t, nil)
	elsewhere, err := accounts.ParseNetworks("41.252.0.0/16")
	if err != nil {
		t.Fatal(err)
	}
	here, err := accounts.ParseNetworks("127.0.0.1, ::1")
	if err != nil {
		t.Fatal(err)
	}
	url := l.server.URL + httpapi.Prefix + "/payment-intents"
	for _, row := range []struct {
		networks  web.NetworkSet
		status    int
		challenge string
	}{
		{here, http.StatusOK, ""},
		{elsewhere, http.StatusUnauthorized, "unknown, revoked or expired"},
	} {
		m := l.withToken(t, accounts.TokenDraft{Name: "Server", Networks: row.networks})
		for range 2 {
			got := l.do(t, m.request(t, http.MethodGet, url, ""))
			if got.status != row.status || !strings.Contains(got.header.Get("WWW-Authenticate"), row.challenge) ||
				got.status != http.StatusOK && got.body != unauthenticated {
				t.Errorf("from %v: %d %s", row.networks, got.status, got.body)
			}
		}
		const why = "The access token is bound to other networks; this request came from 127.0.0.1."
		log := l.new(t, m)
		if len(log) != 2 || strings.Contains(log[0].Error, why) != (row.status != http.StatusOK) {
			t.Errorf("the log of %v has %+v", row.networks, log)
		}
	}
}
