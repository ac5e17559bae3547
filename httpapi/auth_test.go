package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/httpapi"
	"daftar/internal/logtest"
	"daftar/internal/postgres/pgtest"
)

const (
	unauthenticated = `{"message":"Unauthenticated."}`
	missingKey      = `{"error":"Missing X-API-Key header."}`
	invalidKey      = `{"error":"Invalid API key or inactive application."}`
)

// The 401 table of the specification. The access token is checked before the API key, and both
// before anything else that is wrong with a request.
func TestCredentials(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	stranger := s.newMerchant(t)
	inactive := s.newApplication(t, s.merchant.app.Organization)
	err := s.accounts.SetActive(t.Context(), operator, inactive.app.Organization, inactive.app.ID, false)
	if err != nil {
		t.Fatal(err)
	}
	revoked := s.newApplication(t, s.merchant.app.Organization)
	s.revokeToken(t, revoked)
	token, key := "Bearer "+s.merchant.token, s.merchant.app.APIKey
	for _, row := range []struct {
		rule  string
		token []string
		key   []string
		body  string // "": the credentials are valid
	}{
		{"both", []string{token}, []string{key}, ""},
		{"the scheme is not case-sensitive (RFC 9110 11.1)", []string{"bEARER " + s.merchant.token},
			[]string{key}, ""},
		{"no access token", nil, []string{key}, unauthenticated},
		{"empty access token", []string{"Bearer "}, []string{key}, unauthenticated},
		{"no scheme", []string{s.merchant.token}, []string{key}, unauthenticated},
		{"another scheme", []string{"Basic " + s.merchant.token}, []string{key}, unauthenticated},
		{"unknown access token", []string{"Bearer at_nonsense"}, []string{key}, unauthenticated},
		{"revoked access token", []string{"Bearer " + revoked.token}, []string{key}, unauthenticated},
		{"something after the token", []string{token + " x"}, []string{key}, unauthenticated},
		{"the token twice", []string{token, token}, []string{key}, unauthenticated},
		{"the API key as token", []string{"Bearer " + key}, []string{key}, unauthenticated},
		{"token checked before a missing key", nil, nil, unauthenticated},
		{"token checked before a bad key", []string{"Bearer x"}, []string{"x"}, unauthenticated},
		{"no API key", []string{token}, nil, missingKey},
		{"empty API key", []string{token}, []string{""}, missingKey},
		{"unknown API key", []string{token}, []string{"pk_" + strings.Repeat("0", 64)}, invalidKey},
		{"no API key at all", []string{token}, []string{"secret"}, invalidKey},
		{"API key of another organisation", []string{token}, []string{stranger.app.APIKey}, invalidKey},
		{"inactive application", []string{token}, []string{inactive.app.APIKey}, invalidKey},
		{"two API keys", []string{token}, []string{key, key}, invalidKey},
	} {
		for _, request := range []struct {
			method, path, body string
			authenticated      int // the status with valid credentials
		}{
			{http.MethodGet, "/payment-intents/" + uuid.NewString(), "", 404},
			{http.MethodGet, "/payment-intents/no-uuid", "", 404},
			{http.MethodPost, "/payment-intents", "{}", 422},
			{http.MethodPost, "/payment-intents", "", 415},
			{http.MethodPost, "/payment-intents", strings.Repeat(" ", maxBody+1), 413},
		} {
			r := s.merchant.request(t, request.method, s.server.URL+httpapi.Prefix+request.path, request.body)
			r.Header["Authorization"], r.Header["X-Api-Key"] = row.token, row.key
			got := s.do(t, r)
			want := http.StatusUnauthorized
			if row.body == "" {
				want = request.authenticated
			}
			if got.status != want || row.body != "" && got.body != row.body {
				t.Errorf("%s, %s %s: got %d %s, want %d %s",
					row.rule, request.method, request.path, got.status, got.body, want, row.body)
			}
		}
	}
}

func (s *service) revokeToken(t *testing.T, of merchant) {
	t.Helper()
	if err := s.accounts.RevokeToken(t.Context(), operator, of.app.Organization, of.id); err != nil {
		t.Fatal(err)
	}
}

// The challenge of a 401 tells a developer what is wrong with the header, but not why a token was
// refused.
func TestChallengeExplainsTheHeader(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	revoked := s.newApplication(t, s.merchant.app.Organization)
	s.revokeToken(t, revoked)
	const (
		none      = `Bearer realm="daftar"`
		notBearer = none + `, error="invalid_request"` +
			`, error_description="The Authorization header must be there once, as Bearer and the access token"`
		unknown = none + `, error="invalid_token"` +
			`, error_description="The access token is unknown, revoked or expired"`
	)
	token, key := "Bearer "+s.merchant.token, s.merchant.app.APIKey
	for _, row := range []struct {
		rule       string
		token, key []string
		challenge  string
		body       string
	}{
		{"missing", nil, []string{key}, none, unauthenticated},
		{"both missing", nil, nil, none, unauthenticated},
		{"another scheme", []string{"Basic " + s.merchant.token}, []string{key}, notBearer, unauthenticated},
		{"no scheme", []string{s.merchant.token}, []string{key}, notBearer, unauthenticated},
		{"nothing after the scheme", []string{"Bearer "}, []string{key}, notBearer, unauthenticated},
		{"an empty header", []string{""}, []string{key}, notBearer, unauthenticated},
		{"twice", []string{token, token}, []string{key}, notBearer, unauthenticated},
		{"mistyped", []string{token + "x"}, []string{key}, unknown, unauthenticated},
		{"unknown", []string{"Bearer at_nonsense"}, []string{key}, unknown, unauthenticated},
		{"the API key", []string{"Bearer " + key}, []string{key}, unknown, unauthenticated},
		{"revoked", []string{"Bearer " + revoked.token}, []string{key}, unknown, unauthenticated},
		{"no API key", []string{token}, nil, none, missingKey},
		{"unknown API key", []string{token}, []string{"pk_x"}, none, invalidKey},
	} {
		r := s.merchant.request(t, http.MethodGet, s.server.URL+httpapi.Prefix+"/payment-intents", "")
		r.Header["Authorization"], r.Header["X-Api-Key"] = row.token, row.key
		got := s.do(t, r)
		challenge := got.header.Get("WWW-Authenticate")
		if got.status != http.StatusUnauthorized || got.body != row.body || challenge != row.challenge {
			t.Errorf("%s: %d %s, %s; want %s", row.rule, got.status, got.body, challenge, row.challenge)
		}
	}
}

// A credential that is changed stops working at once, although a server has it in memory, also
// for answers that need no ledger, and on a server that was not notified.
func TestCredentialsStopAtOnce(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	here, elsewhere := serve(t, db.ServiceURL(), nil), serve(t, db.ServiceURL(), nil)
	for _, row := range []struct {
		rule string
		stop func(merchant) error
		body string
	}{
		{"rolled API key", func(m merchant) error {
			_, err := elsewhere.accounts.RollAPIKey(t.Context(), operator, m.app.Organization, m.app.ID, time.Time{})
			return err
		}, invalidKey},
		{"deactivated application", func(m merchant) error {
			return elsewhere.accounts.SetActive(t.Context(), operator, m.app.Organization, m.app.ID, false)
		}, invalidKey},
		{"revoked access token", func(m merchant) error {
			return elsewhere.accounts.RevokeToken(t.Context(), operator, m.app.Organization, m.id)
		}, unauthenticated},
	} {
		for _, request := range []struct{ method, path, body string }{
			{http.MethodPost, "", bodyWith("merchant_reference", `"order-2"`)},
			{http.MethodPost, "", bodyWith()},
			{http.MethodPost, "", bodyWith("merchant_reference", `"order-3"`, "expires_at", `"2001-01-01T00:00:00Z"`)},
			{http.MethodPost, "", "{}"},
			{http.MethodPost, "", "["},
			{http.MethodPost, "", strings.Repeat(" ", maxBody+1)},
			{http.MethodGet, "/ID", ""},
			{http.MethodGet, "/" + uuid.NewString(), ""},
			{http.MethodGet, "/no-uuid", ""},
		} {
			// Each request is the first after the change.
			m, bystander := here.newMerchant(t), here.newMerchant(t)
			id := here.create(t, m, bodyWith()).field(t, "uuid").(string)
			here.create(t, bystander, bodyWith())
			if err := row.stop(m); err != nil {
				t.Fatal(err)
			}
			path := here.server.URL + httpapi.Prefix + "/payment-intents" + strings.Replace(request.path, "ID", id, 1)
			got := here.do(t, m.request(t, request.method, path, request.body))
			if got.status != http.StatusUnauthorized || got.body != row.body {
				t.Errorf("%s, %s %s %.40s: got %d %s, want %s",
					row.rule, request.method, request.path, request.body, got.status, got.body, row.body)
			}
			// The credentials of others are looked up again and still valid.
			if got := here.create(t, bystander, bodyWith()); got.status != http.StatusOK {
				t.Errorf("%s: a bystander is answered with %d %s", row.rule, got.status, got.body)
			}
		}
	}
}

// The log identifies a request without its secrets and contents.
func TestLogShowsNoSecrets(t *testing.T) {
	t.Parallel()
	var log logtest.Log
	s := serve(t, pgtest.Database(t).ServiceURL(), func(c *httpapi.Config) {
		c.Log = zerolog.New(&log).Level(zerolog.DebugLevel)
	})
	r := s.merchant.request(t, http.MethodPost, s.server.URL+httpapi.Prefix+"/payment-intents?q=in-query",
		bodyWith("description", `"in-body"`, "x", `"in-body"`))
	r.Header.Set("X-Request-Id", "id-7")
	created := s.do(t, r)
	s.create(t, s.merchant, `{"merchant_reference":"in-body`)
	stranger := accounts.NewApplication{APIKey: "pk_in-header"}
	s.create(t, merchant{app: stranger, token: s.merchant.token}, bodyWith())
	s.server.Close() // waits until the last line is written

	logged := log.String()
	for _, want := range []string{
		`"request_id":"id-7"`, `"method":"POST"`, `"path":"/api/v1/payment-intents"`,
		`"status":201`, `"status":401`, `"took"`,
	} {
		if !strings.Contains(logged, want) {
			t.Errorf("the log lacks %s:\n%s", want, logged)
		}
	}
	_, path, _ := strings.Cut(created.field(t, "checkout_url").(string), "/pay/")
	secrets := []string{s.merchant.token, s.merchant.app.APIKey, "in-header", "in-body", "in-query", path}
	for _, never := range secrets {
		if strings.Contains(logged, never) {
			t.Errorf("the log shows %q:\n%s", never, logged)
		}
	}
}
