package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/domain"
	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
	"daftar/requestlog"
)

// logged is a service whose requests are logged.
type logged struct {
	*service
	log      *requestlog.Log
	requests *requestlog.Requests
	read     map[int64]bool
}

func serveLogged(t *testing.T, change func(*httpapi.Config)) *logged {
	t.Helper()
	db := pgtest.Database(t)
	l := &logged{
		log:  requestlog.New(requestlog.Config{Pool: db.Pool(t), Log: zerolog.Nop()}),
		read: map[int64]bool{},
	}
	l.service = serve(t, db.ServiceURL(), func(c *httpapi.Config) {
		c.Requests = l.log
		if change != nil {
			change(c)
		}
	})
	l.requests = requestlog.NewRequests(db.Pool(t), l.accounts)
	return l
}

// new reads the requests of a merchant since the last call, the latest first.
func (l *logged) new(t *testing.T, of merchant) (all []requestlog.Request) {
	t.Helper()
	if err := l.log.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	found, err := l.requests.Latest(t.Context(), operator, of.app.Organization, of.app.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range found {
		if !l.read[r.Ordinal] {
			all = append(all, r)
		}
		l.read[r.Ordinal] = true
	}
	return all
}

// one is the only new request of the merchant.
func (l *logged) one(t *testing.T) requestlog.Request {
	t.Helper()
	all := l.new(t, l.merchant)
	if len(all) != 1 {
		t.Fatalf("%d requests in the log, want 1: %+v", len(all), all)
	}
	return all[0]
}

const loggedBody = `{"merchant_reference":"order-%d","amount":5000,"currency":"LYD","description":"Coffee"}`

func TestRequestsAreInTheLogOfTheirApplication(t *testing.T) {
	t.Parallel()
	l := serveLogged(t, nil)
	other := l.newMerchant(t)
	const intents = "/payment-intents"
	unknown := domain.IntentID(uuid.New())
	const (
		inQuotes = "The amount must be an integer in minor units, without quotes: 5.000 LYD is 5000."
		invalid  = `{"message":"` + inQuotes + `","errors":{"amount":["` + inQuotes + `"]}}`
		notFound = `{"message":"Not found."}`
	)
	none := func() domain.IntentID { return domain.IntentID{} }
	var created domain.IntentID
	for _, row := range []struct {
		what, method, path, body string
		status                   int
		route                    string
		intent                   func() domain.IntentID
		replayed                 bool
		error                    string
	}{
		{what: "create", method: "POST", path: intents,
			body: fmt.Sprintf(loggedBody, 1), status: 201, route: intents},
		{what: "create again", method: "POST", path: intents,
			body: fmt.Sprintf(loggedBody, 1), status: 200, route: intents, replayed: true},
		{what: "retrieve", method: "GET", path: intents + "/{created}", status: 200, route: intents + "/{uuid}"},
		{what: "head", method: "HEAD", path: intents + "/{created}", status: 200, route: intents + "/{uuid}"},
		{what: "history", method: "GET", path: intents + "/{created}/events", status: 200,
			route: intents + "/{uuid}/events"},
		{what: "expire", method: "POST", path: intents + "/{created}/expire", status: 200,
			route: intents + "/{uuid}/expire"},
		{what: "unknown intent", method: "GET", path: intents + "/" + unknown.String(), status: 404,
			route:  intents + "/{uuid}",
			intent: func() domain.IntentID { return unknown }, error: notFound},
		{what: "not a uuid", method: "GET", path: intents + "/at_secret", status: 404,
			route: intents + "/{uuid}", intent: none, error: notFound},
		{what: "invalid", method: "POST", path: intents,
			body: `{"merchant_reference":"x","amount":"5","currency":"LYD","description":"d"}`, status: 422,
			route: intents, intent: none, error: invalid},
	} {
		answer := l.do(t, l.merchant.request(t, row.method,
			l.server.URL+httpapi.Prefix+strings.ReplaceAll(row.path, "{created}", created.String()), row.body))
		got := l.one(t)
		if row.what == "create" {
			created, _ = domain.ParseIntentID(answer.field(t, "uuid").(string))
		}
		want := created
		if row.intent != nil {
			want = row.intent()
		}
		if got.Method != row.method || got.Route != row.route || got.Status != row.status || got.Intent != want ||
			got.Replayed != row.replayed || got.Error != row.error {
			t.Errorf("%s: the log has %+v", row.what, got)
		}
		id := answer.header.Get("X-Request-Id")
		if got.ID != id || got.Took <= 0 || got.At.IsZero() || answer.status != row.status {
			t.Errorf("%s: id %q of %q, took %s, at %v, answered %d",
				row.what, got.ID, id, got.Took, got.At, answer.status)
		}
	}
	l.do(t, other.request(t, "GET", l.server.URL+httpapi.Prefix+intents+"/"+created.String(), ""))
	if got := l.new(t, other); len(got) != 1 || got[0].Status != 403 || got[0].Intent != created {
		t.Errorf("the other application has %+v", got)
	}
	if got := l.new(t, l.merchant); len(got) != 0 {
		t.Errorf("the log of our application has the other's request: %+v", got)
	}
	poll := l.merchant.request(t, "GET", l.server.URL+httpapi.Prefix+"/webhook-deliveries", "")
	if got := l.do(t, poll); got.status != 200 || len(l.new(t, l.merchant)) != 0 {
		t.Errorf("a poll for webhooks: %d, want 200 and no entry in the log", got.status)
	}
}

// A request without a valid token is in the log of the application whose key it has, and in
// none where there is no such key.
func TestRefusedCredentialsAreInTheLog(t *testing.T) {
	t.Parallel()
	l := serveLogged(t, nil)
	other := l.newMerchant(t)
	url := l.server.URL + httpapi.Prefix + "/payment-intents"
	organization := l.merchant.app.Organization
	gone, revoked, err := l.accounts.CreateToken(t.Context(), operator, organization,
		accounts.TokenDraft{Name: "Old"})
	if err == nil {
		err = l.accounts.RevokeToken(t.Context(), operator, organization, gone.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		what, authorization, key string
		inLog                    bool
	}{
		{"no token", "", l.merchant.app.APIKey, true},
		{"a token without its scheme", l.merchant.token, l.merchant.app.APIKey, true},
		{"a revoked token", "Bearer " + revoked, l.merchant.app.APIKey, true},
		{"another organisation's token", "Bearer " + other.token, l.merchant.app.APIKey, true},
		{"an unknown key", "Bearer " + l.merchant.token, "pk_" + strings.Repeat("a", 64), false},
		{"no key", "Bearer " + l.merchant.token, "", false},
		{"nothing", "", "", false},
	} {
		r := l.merchant.request(t, http.MethodGet, url, "")
		r.Header.Set("Authorization", row.authorization)
		r.Header.Set("X-API-Key", row.key)
		answer := l.do(t, r)
		got := l.new(t, l.merchant)
		if answer.status != 401 || len(got) > 0 != row.inLog || len(l.new(t, other)) > 0 {
			t.Errorf("%s: answered %d, the log has %+v", row.what, answer.status, got)
		}
		if row.inLog && len(got) == 1 && (got[0].Status != 401 || got[0].Error != answer.body) {
			t.Errorf("%s: the log has %+v", row.what, got[0])
		}
	}
	err = l.accounts.SetActive(t.Context(), operator, organization, l.merchant.app.ID, false)
	if err != nil {
		t.Fatal(err)
	}
	l.do(t, l.merchant.request(t, http.MethodGet, url, ""))
	if got := l.one(t); got.Status != 401 || !strings.Contains(got.Error, "inactive application") {
		t.Errorf("of an application that is not active: %+v", got)
	}
}

func TestRequestsOverTheRateAreInTheLog(t *testing.T) {
	t.Parallel()
	l := serveLogged(t, func(c *httpapi.Config) { c.Rate = httpapi.Rate{PerSecond: 1. / 3600, Burst: 1} })
	for range 2 {
		l.do(t, l.merchant.request(t, http.MethodGet, l.server.URL+httpapi.Prefix+"/payment-intents", ""))
	}
	got := l.new(t, l.merchant)
	if len(got) != 2 || got[0].Status != 429 || !strings.Contains(got[0].Error, "Too many requests") {
		t.Errorf("the log has %+v", got)
	}
}

// No text that a client sent is in the log: it may be a credential or a customer's name in the
// wrong place.
func TestNoSentTextIsInTheLog(t *testing.T) {
	t.Parallel()
	l := serveLogged(t, nil)
	const hidden = "hidden7bd1"
	intents := l.server.URL + httpapi.Prefix + "/payment-intents"
	for _, row := range []struct{ what, method, url, body, query, error string }{
		{"path", "GET", intents + "/" + hidden + "/events", "", "", ""},
		{"parameters", "GET", intents + "?merchant_reference=" + hidden + "&customer_external_id=" + hidden +
			"&limit=5&status=succeeded&created_from=2026-11-20T09:00:00Z", "",
			"limit=5&merchant_reference=…&status=succeeded&created_from=2026-11-20T09:00:00Z" +
				"&customer_external_id=…", ""},
		{"values of parameters", "GET",
			intents + "?limit=" + hidden + "&status=" + hidden + "&created_to=" + hidden + "&cursor=" + hidden, "",
			"cursor=…&limit=…&status=…&created_to=…", ""},
		{"a parameter", "GET", intents + "?" + hidden + "=" + hidden, "", "…", "There is no such parameter."},
		{"two parameters", "GET", intents + "?" + hidden + "=1&" + hidden + "a=2", "", "…",
			`"errors":{"…":["There is no such parameter.","There is no such parameter."]}`},
		{"a broken query", "GET", intents + "?limit=5&%zz" + hidden, "", "limit=5", "The query cannot be read"},
		{"cursor", "GET", l.server.URL + httpapi.Prefix + "/webhook-deliveries?after=" + hidden, "", "after=…",
			"The after must be"},
		{"metadata", "POST", intents,
			`{"merchant_reference":"m","amount":5000,"currency":"LYD","description":"d",` +
				`"metadata":{"` + hidden + `":5,"` + hidden + `a":6}}`, "",
			`(and 1 more error)","errors":{"metadata.…":["`},
		{"fields", "POST", intents,
			`{"merchant_reference":"` + hidden + strings.Repeat(" ", 300) + `","amount":5000,` +
				`"currency":"` + hidden + `","description":"d","` + hidden + `":1}`, "",
			"The currency must be"},
		{"text", "POST", intents, `{"merchant_reference":"` + hidden + `"} ` + hidden, "",
			"cannot be read as JSON"},
	} {
		r := l.merchant.request(t, row.method, row.url, row.body)
		r.Header.Set("User-Agent", hidden)
		r.Header.Set("X-Other", hidden)
		r.Header.Set("X-Request-Id", l.merchant.app.APIKey[:40])
		l.do(t, r)
		got := l.one(t)
		text := fmt.Sprintf("%+v", got)
		if strings.Contains(text, hidden) || strings.Contains(text, l.merchant.app.APIKey[:20]) ||
			strings.Contains(text, l.merchant.token) {
			t.Errorf("%s: the log has %s", row.what, text)
		}
		if got.Query != row.query || !strings.Contains(got.Error, row.error) {
			t.Errorf("%s: query %q, error %s", row.what, got.Query, got.Error)
		}
	}
}
