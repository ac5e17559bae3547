package httpapi_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
)

// Rule 1 of POST /payment-intents, and the answer of GET afterwards.
func TestCreateAndRetrieve(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	expires := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	body := bodyWith(
		"merchant_reference", `" order-1\u00e9 "`,
		"customer", `{"external_id":"c-1"}`,
		"return_url", `"lyshop:orders?a='&b"`,
		"metadata", `{"z":"1","a":""}`,
		"expires_at", `"`+expires.Format(time.RFC3339Nano)+`"`)
	r := s.merchant.request(t, http.MethodPost, s.server.URL+httpapi.Prefix+"/payment-intents", body)
	r.Header.Set("X-Request-Id", "my-id-1")
	created := s.do(t, r)
	if created.status != http.StatusCreated {
		t.Fatalf("got %d %s", created.status, created.body)
	}
	if got := created.header.Get("X-Request-Id"); got != "my-id-1" {
		t.Errorf("X-Request-Id %q", got)
	}
	for name, want := range map[string]any{
		"merchant_reference": " order-1é ",
		"amount":             5000.0,
		"currency":           "LYD",
		"status":             "requires_payment_method",
		"description":        "Order 1",
		"customer":           map[string]any{"external_id": "c-1"},
		"return_url":         "lyshop:orders?a='&b",
		"metadata":           map[string]any{"z": "1", "a": ""},
	} {
		if diff := cmp.Diff(want, created.field(t, name)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if !strings.Contains(created.body, `"metadata":{"z":"1","a":""}`) {
		t.Error("the keys of metadata are in another order")
	}
	at, err := time.Parse(time.RFC3339, created.field(t, "expires_at").(string))
	if err != nil || !at.Equal(expires) {
		t.Errorf("expires_at %v, want %v", at, expires)
	}
	if got := created.field(t, "checkout_url").(string); !strings.HasPrefix(got, publicURL+"/pay/") {
		t.Errorf("checkout_url %s", got)
	}
	for _, name := range []string{"Idempotent-Replayed", "Idempotent-Replayed-Differs"} {
		if got := created.header.Get(name); got != "" {
			t.Errorf("%s: %s on a new intent", name, got)
		}
	}

	id := created.field(t, "uuid").(string)
	for _, spelling := range []string{id, strings.ToUpper(id)} {
		retrieved := s.retrieve(t, s.merchant, spelling)
		if retrieved.status != http.StatusOK || retrieved.body != created.body {
			t.Errorf("retrieved %d\n%s\nwant\n%s", retrieved.status, retrieved.body, created.body)
		}
	}
}

func TestCreateWithRequiredFieldsOnly(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	created := s.create(t, s.merchant, bodyWith())
	if created.status != http.StatusCreated {
		t.Fatalf("got %d %s", created.status, created.body)
	}
	for _, want := range []string{`"customer":{"external_id":null}`, `"return_url":null`, `"metadata":null`} {
		if !strings.Contains(created.body, want) {
			t.Errorf("no %s in %s", want, created.body)
		}
	}
	from, err := time.Parse(time.RFC3339, created.field(t, "created_at").(string))
	if err != nil {
		t.Fatal(err)
	}
	to, err := time.Parse(time.RFC3339, created.field(t, "expires_at").(string))
	if err != nil || to.Sub(from) != 24*time.Hour {
		t.Errorf("expires after %v, want 24 h", to.Sub(from))
	}
}

// Rules 2 to 4: a valid request with the same reference gets the same intent, whatever its
// expires_at.
func TestCreateAgain(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	created := s.create(t, s.merchant, bodyWith("metadata", `{"a":"1","b":"2"}`))
	if created.status != http.StatusCreated {
		t.Fatalf("got %d %s", created.status, created.body)
	}
	for _, row := range []struct {
		rule, body, differs string
	}{
		{"the same", bodyWith("metadata", `{"a":"1","b":"2"}`), ""},
		{"metadata in another order", bodyWith("metadata", `{"b":"2","a":"1"}`), ""},
		{"other fields", bodyWith("amount", "6000", "description", `"Other"`), "amount, description, metadata"},
		{"a window that has passed",
			bodyWith("metadata", `{"a":"1","b":"2"}`, "expires_at", `"2001-01-01T00:00:00Z"`), "expires_at"},
		{"a window that is too far",
			bodyWith("metadata", `{"a":"1","b":"2"}`, "expires_at", `"9999-01-01T00:00:00Z"`), "expires_at"},
	} {
		again := s.create(t, s.merchant, row.body)
		if again.status != http.StatusOK || again.body != created.body {
			t.Errorf("%s: got %d %s\nwant 200 %s", row.rule, again.status, again.body, created.body)
		}
		if got := again.header.Get("Idempotent-Replayed"); got != "true" {
			t.Errorf("%s: Idempotent-Replayed %q", row.rule, got)
		}
		if got := again.header.Get("Idempotent-Replayed-Differs"); got != row.differs {
			t.Errorf("%s: Idempotent-Replayed-Differs %q, want %q", row.rule, got, row.differs)
		}
	}
	if got := s.create(t, s.merchant, bodyWith("amount", "1")); got.status != http.StatusUnprocessableEntity {
		t.Errorf("an invalid request for a used reference is answered with %d", got.status)
	}
	// References are compared byte for byte, and belong to their application.
	for _, reference := range []string{`"Order-1"`, `"order-1 "`} {
		got := s.create(t, s.merchant, bodyWith("merchant_reference", reference))
		if got.status != http.StatusCreated {
			t.Errorf("another reference is answered with %d", got.status)
		}
	}
	other := s.newApplication(t, s.merchant.app.Organization)
	got := s.create(t, other, bodyWith())
	if got.status != http.StatusCreated || got.field(t, "uuid") == created.field(t, "uuid") {
		t.Errorf("the same reference of another application is answered with %d", got.status)
	}
}

func TestCreateConcurrently(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	const n = 16
	replies := make([]reply, n)
	var all sync.WaitGroup
	for k := range n {
		r := s.merchant.request(t, http.MethodPost, s.server.URL+httpapi.Prefix+"/payment-intents",
			bodyWith("amount", fmt.Sprint(5000+k)))
		all.Go(func() { replies[k] = s.do(t, r) })
	}
	all.Wait()
	created := 0
	for _, r := range replies {
		if r.status == http.StatusCreated {
			created++
		}
		if r.body != replies[0].body || r.status != http.StatusCreated && r.status != http.StatusOK {
			t.Errorf("got %d %s\nand %s", r.status, r.body, replies[0].body)
		}
	}
	if created != 1 {
		t.Errorf("%d of %d got 201, want 1", created, n)
	}
}

func TestCreateRefusesTheWindow(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	for n, ahead := range []time.Duration{-time.Hour, 4 * time.Minute, 31*24*time.Hour + time.Minute} {
		body := bodyWith(
			"merchant_reference", fmt.Sprintf(`"order-%d"`, n),
			"expires_at", `"`+time.Now().Add(ahead).Format(time.RFC3339)+`"`)
		got := s.create(t, s.merchant, body)
		want := `{"message":"The expires_at must be more than 5 minutes and less than 31 days ahead.",` +
			`"errors":{"expires_at":["The expires_at must be more than 5 minutes and less than 31 days ahead."]}}`
		if got.status != http.StatusUnprocessableEntity || got.body != want {
			t.Errorf("%v ahead: got %d %s", ahead, got.status, got.body)
		}
	}
}

func TestRequestsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	padded := func(size int) string {
		body := bodyWith("merchant_reference", `"padded"`)
		return body + strings.Repeat(" ", size-len(body))
	}
	for _, row := range []struct {
		rule   string
		body   string
		header http.Header
		status int
	}{
		{"the largest size", padded(maxBody), nil, 201},
		{"a byte larger", padded(maxBody + 1), nil, 413},
		{"no Content-Type", bodyWith(), http.Header{"Content-Type": nil}, 415},
		{"form", bodyWith(), http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, 415},
		{"text", bodyWith(), http.Header{"Content-Type": {"text/json"}}, 415},
		{"broken Content-Type", bodyWith(), http.Header{"Content-Type": {"application/json; charset"}}, 415},
		{"two Content-Types", bodyWith(), http.Header{"Content-Type": {"application/json", "text/plain"}}, 415},
		{"two Content-Types in one", bodyWith(),
			http.Header{"Content-Type": {"application/json, text/plain"}}, 415},
		{"other charset", bodyWith(), http.Header{"Content-Type": {"application/json; charset=utf-16"}}, 415},
		{"compressed", bodyWith(), http.Header{"Content-Encoding": {"gzip"}}, 415},
		{"charset UTF-8", bodyWith("merchant_reference", `"charset"`),
			http.Header{"Content-Type": {`Application/JSON; charset="UTF-8"`}}, 201},
		{"charset utf8", bodyWith("merchant_reference", `"charset-2"`),
			http.Header{"Content-Type": {"application/json; charset=utf8"}}, 201},
		{"charset UTF8 in quotes", bodyWith("merchant_reference", `"charset-3"`),
			http.Header{"Content-Type": {`application/json;charset="UTF8"`}}, 201},
		{"other charset like it", bodyWith(),
			http.Header{"Content-Type": {"application/json; charset=utf-8859"}}, 415},
		{"Content-Type twice", bodyWith("merchant_reference", `"twice"`),
			http.Header{"Content-Type": {"application/json", "application/json; charset=utf-8"}}, 201},
		{"Content-Type twice, joined", bodyWith("merchant_reference", `"joined"`),
			http.Header{"Content-Type": {"application/json, application/json"}}, 201},
		{"not JSON", "merchant_reference=1", nil, 400},
		{"list", "[]", nil, 400},
		{"violation", `{}`, nil, 422},
	} {
		r := s.merchant.request(t, http.MethodPost, s.server.URL+httpapi.Prefix+"/payment-intents", row.body)
		maps.Copy(r.Header, row.header)
		if got := s.do(t, r); got.status != row.status {
			t.Errorf("%s: got %d %s, want %d", row.rule, got.status, got.body, row.status)
		}
		// The limit of the size applies without a Content-Length too.
		r = s.merchant.request(t, http.MethodPost, s.server.URL+httpapi.Prefix+"/payment-intents", row.body)
		r.ContentLength = -1
		maps.Copy(r.Header, row.header)
		want := row.status
		if want == http.StatusCreated {
			want = http.StatusOK
		}
		if got := s.do(t, r); got.status != want {
			t.Errorf("%s, in chunks: got %d %s, want %d", row.rule, got.status, got.body, want)
		}
	}
}

func TestRetrieveRefuses(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	id := s.create(t, s.merchant, bodyWith()).field(t, "uuid").(string)
	sibling := s.newApplication(t, s.merchant.app.Organization)
	stranger := s.newMerchant(t)
	const forbidden = `{"message":"This payment intent belongs to another application."}`
	for _, row := range []struct {
		rule   string
		by     merchant
		id     string
		status int
		body   string
	}{
		{"another application of the organisation", sibling, id, 403, forbidden},
		{"another organisation", stranger, id, 403, forbidden},
		{"unknown uuid", s.merchant, uuid.NewString(), 404, `{"message":"Not found."}`},
		{"no uuid", s.merchant, "order-1", 404, `{"message":"Not found."}`},
		{"uuid without dashes", s.merchant, strings.ReplaceAll(id, "-", ""), 404, `{"message":"Not found."}`},
		{"uuid in braces", s.merchant, "%7B" + id + "%7D", 404, `{"message":"Not found."}`},
		{"something after it", s.merchant, id + "%0A", 404, `{"message":"Not found."}`},
	} {
		if got := s.retrieve(t, row.by, row.id); got.status != row.status || got.body != row.body {
			t.Errorf("%s: got %d %s, want %d %s", row.rule, got.status, got.body, row.status, row.body)
		}
	}
}

func TestPathsAndMethods(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	// The document names the service's own address, and no address for questions.
	wantDocument := strings.Replace(openAPI, "    email: developers@pay.example\n", "", 1)
	for _, row := range []struct {
		rule, method, path string
		status             int
		allow              string
	}{
		{"unknown path", "GET", "/api/v1/customers", 404, ""},
		{"outside the prefix", "GET", "/payment-intents", 404, ""},
		{"trailing slash", "POST", "/api/v1/payment-intents/", 404, ""},
		{"trailing slash after a uuid", "GET",
			"/api/v1/payment-intents/8f3a6f0e-5c1b-5d0e-9a57-2f6f7f1f8c11/", 404, ""},
		{"double slash is not redirected", "POST", "/api/v1//payment-intents", 404, ""},
		{"dots are not redirected", "POST", "/api/v1/x/../payment-intents", 404, ""},
		{"options", "OPTIONS", "/api/v1/payment-intents", 405, "GET, HEAD, POST"},
		{"put", "PUT", "/api/v1/payment-intents", 405, "GET, HEAD, POST"},
		{"expire", "GET", "/api/v1/payment-intents/8f3a6f0e-5c1b-5d0e-9a57-2f6f7f1f8c11/expire", 405, "POST"},
		{"events", "POST", "/api/v1/payment-intents/8f3a6f0e-5c1b-5d0e-9a57-2f6f7f1f8c11/events", 405, "GET, HEAD"},
		{"below an intent", "GET", "/api/v1/payment-intents/8f3a6f0e-5c1b-5d0e-9a57-2f6f7f1f8c11/payer", 404, ""},
		{"refunds", "PUT", "/api/v1/payment-intents/order-1/refunds", 405, "GET, HEAD, POST"},
		{"a refund", "POST", "/api/v1/refunds/8f3a6f0e-5c1b-5d0e-9a57-2f6f7f1f8c11", 405, "GET, HEAD"},
		{"delete", "DELETE", "/api/v1/payment-intents/8f3a6f0e-5c1b-5d0e-9a57-2f6f7f1f8c11", 405, "GET, HEAD"},
		{"document", "POST", "/api/v1/openapi.yaml", 405, "GET, HEAD"},
		{"document", "GET", "/api/v1/openapi.yaml", 200, ""},
	} {
		got := s.do(t, s.merchant.request(t, row.method, s.server.URL+row.path, ""))
		if got.status != row.status || got.header.Get("Allow") != row.allow {
			t.Errorf("%s: got %d, Allow %q, want %d, %q",
				row.rule, got.status, got.header.Get("Allow"), row.status, row.allow)
		}
		isDocument := got.body == wantDocument && got.header.Get("Content-Type") == "application/yaml"
		if row.status == http.StatusOK && !isDocument {
			t.Errorf("%s: not the document", row.rule)
		}
		if row.status != http.StatusOK && !strings.HasPrefix(got.body, `{"message":"`) {
			t.Errorf("%s: got %s", row.rule, got.body)
		}
	}
	id := s.create(t, s.merchant, bodyWith()).field(t, "uuid").(string)
	url := s.server.URL + httpapi.Prefix + "/payment-intents/" + id
	head := s.do(t, s.merchant.request(t, http.MethodHead, url, ""))
	if head.status != http.StatusOK || head.body != "" {
		t.Errorf("HEAD is answered with %d %q", head.status, head.body)
	}
}

// In the document that a service serves, its own address replaces that of the examples, and the
// operator's email address the placeholder.
func TestDocumentNamesTheService(t *testing.T) {
	t.Parallel()
	api := httpapi.New(httpapi.Config{
		PublicURL: "https://pay.shop.ly/", SupportEmail: "help@shop.ly", Log: zerolog.Nop(), Now: time.Now,
	})
	w := httptest.NewRecorder()
	api.ServeHTTP(w, httptest.NewRequest(http.MethodGet, httpapi.Prefix+"/openapi.yaml", http.NoBody))
	for _, want := range []string{
		"  - url: https://pay.shop.ly/api/v1\n",
		"    url: https://pay.shop.ly/docs\n",
		"    email: \"help@shop.ly\"\n",
		"checkout_url: https://pay.shop.ly/pay/",
	} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the document has no %q", want)
		}
	}
	if strings.Contains(w.Body.String(), "pay.example") {
		t.Error("the document names the service of the examples")
	}
}
