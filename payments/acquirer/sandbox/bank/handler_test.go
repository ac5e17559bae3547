package bank_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"daftar/payments/acquirer/sandbox/bank"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const secret = "bank and merchant know it"

func newBank(t *testing.T) http.Handler {
	t.Helper()
	b, err := bank.New(bank.Config{Secret: secret, PublicURL: "http://bank.example", Logger: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b.Handler()
}

// ask sends a request from this machine; header holds pairs of names and values.
func ask(h http.Handler, method, path, body string, header ...string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(method, path, strings.NewReader(body))
	req.RemoteAddr = "127.0.0.1:50000"
	for i := 0; i < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	return rec
}

func asMerchant(h http.Handler, method, path, body string) *httptest.ResponseRecorder {
	return ask(h, method, path, body, "Authorization", "Bearer "+secret)
}

// wantProblem checks an error's status and that its JSON message has the words.
func wantProblem(t *testing.T, what string, rec *httptest.ResponseRecorder, status int, words string) {
	t.Helper()
	var problem struct {
		Message string `json:"message"`
	}
	body, err := io.ReadAll(rec.Body)
	if err != nil {
		t.Fatal(err)
	}
	err = json.Unmarshal(body, &problem)
	if err != nil || rec.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%s: %q is no JSON: %v", what, body, err)
	}
	if rec.Code != status || !strings.Contains(problem.Message, words) {
		t.Errorf("%s: %d %q, want %d and %q", what, rec.Code, problem.Message, status, words)
	}
}

const good = `{"id":"0123456789abcdefghjkmnpqrs","intent":"6ba7b810-9dad-51d1-80b4-00c04fd430c8",` +
	`"method":"wallet","amount":5000,"currency":"LYD","phone":"0912345678"}`

func TestTheAPIWantsTheSecret(t *testing.T) {
	t.Parallel()
	h := newBank(t)
	for _, header := range [][]string{
		nil, {"Authorization", ""}, {"Authorization", "Bearer "}, {"Authorization", "Bearer " + secret + "x"},
		{"Authorization", "Basic " + secret}, {"X-Api-Key", secret},
	} {
		for _, call := range [][2]string{
			{"POST", "/v1/payments"}, {"GET", "/v1/payments/0123456789"}, {"POST", "/v1/payments/0123456789/confirm"},
			{"POST", "/v1/payments/0123456789/resend"}, {"POST", "/v1/payments/0123456789/cancel"},
			{"POST", "/v1/payments/0123456789/refunds"},
		} {
			wantProblem(t, call[1], ask(h, call[0], call[1], good, header...), http.StatusUnauthorized, "secret")
		}
	}
	if rec := ask(h, "GET", "/control/payments", ""); rec.Body.String() != "[]\n" {
		t.Errorf("a payment was opened without the secret: %s", rec.Body)
	}
}

func TestControlIsForThisMachineOnly(t *testing.T) {
	t.Parallel()
	h := newBank(t)
	if rec := asMerchant(h, "POST", "/v1/payments", good); rec.Code != http.StatusCreated {
		t.Fatalf("open: %d %s", rec.Code, rec.Body)
	}
	const settle = "/control/payments/0123456789abcdefghjkmnpqrs/settle"
	for peer, allowed := range map[string]bool{
		"127.0.0.1:9": true, "127.8.9.10:9": true, "[::1]:9": true, "[::ffff:127.0.0.1]:9": true,
		"192.0.2.1:9": false, "10.0.0.1:9": false, "[2001:db8::1]:9": false, "[::ffff:10.0.0.1]:9": false,
		"": false, "@": false,
	} {
		for _, call := range [][2]string{
			{"GET", "/control/payments"}, {"GET", "/control/ledger"}, {"GET", "/control/refunds"}, {"POST", settle},
		} {
			req := httptest.NewRequest(call[0], call[1], strings.NewReader(`{"outcome":"declined"}`))
			req.RemoteAddr = peer
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, req)
			if want := map[bool]int{true: 200, false: 403}[allowed]; rec.Code != want {
				t.Errorf("%s from %q: %d, want %d", call[1], peer, rec.Code, want)
			}
		}
	}
	for _, header := range [][]string{
		{"X-Forwarded-For", "127.0.0.1"}, {"X-Forwarded-For", ""}, {"Forwarded", "for=127.0.0.1"},
		{"X-Real-Ip", "127.0.0.1"},
	} {
		rec := ask(h, "GET", "/control/ledger", "", header...)
		wantProblem(t, header[0], rec, http.StatusForbidden, "this machine only")
	}
	byWebPage := ask(h, "POST", settle, `{"outcome":"paid"}`,
		"Origin", "https://elsewhere.example",
		"Sec-Fetch-Site", "cross-site")
	wantProblem(t, "a web page", byWebPage, http.StatusForbidden, "this machine only")
	if rec := ask(h, "GET", "/control/ledger", ""); rec.Body.String() != "[]\n" {
		t.Errorf("ledger: %s", rec.Body)
	}
}

func TestUnknownPathsAndMethods(t *testing.T) {
	t.Parallel()
	h := newBank(t)
	for _, path := range []string{
		"/", "/v1", "/v1/payments/", "/v1/payments/a/b", "/bank", "/control", "/control/payments/x",
	} {
		wantProblem(t, path, asMerchant(h, "GET", path, ""), http.StatusNotFound, "nothing at this path")
	}
	for path, allow := range map[string]string{
		"/v1/payments":               "POST",
		"/v1/payments/x":             "GET",
		"/v1/payments/x/confirm":     "POST",
		"/v1/payments/x/resend":      "POST",
		"/v1/payments/x/cancel":      "POST",
		"/v1/payments/x/refunds":     "POST",
		"/bank/x":                    "GET, POST",
		"/bank.css":                  "GET",
		"/control/ledger":            "GET",
		"/control/refunds":           "GET",
		"/control/payments":          "GET",
		"/control/payments/x/settle": "POST",
	} {
		rec := asMerchant(h, "DELETE", path, "")
		wantProblem(t, path, rec, http.StatusMethodNotAllowed, "DELETE")
		if got := rec.Header().Get("Allow"); got != allow {
			t.Errorf("%s: Allow %q, want %q", path, got, allow)
		}
	}
}

func TestBadRequestsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	h := newBank(t)
	with := func(from, to string) string { return strings.Replace(good, from, to, 1) }
	for _, tc := range []struct {
		body   string
		status int
		words  string
	}{
		{``, 400, "not valid JSON"},
		{`{`, 400, "not valid JSON"},
		{`<html>`, 400, "not valid JSON"},
		{good + `{}`, 400, "not valid JSON"},
		{`[]`, 400, "not a JSON object"},
		{`7`, 400, "not a JSON object"},
		{with(`"id"`, `"ID"`), 400, "field ID is unknown"},
		{with(`"id"`, `"extra":1,"id"`), 400, "field extra is unknown"},
		{with(`"id"`, `"id":"9999999999","id"`), 400, "twice"},
		{with(`5000`, `"5000"`), 400, "field amount has the wrong type"},
		{with(`5000`, `5000.5`), 400, "field amount has the wrong type"},
		{with(`5000`, `5e3`), 400, "field amount has the wrong type"},
		{with(`0123456789abcdefghjkmnpqrs`, `short`), 400, "field id"},
		{with(`0123456789abcdefghjkmnpqrs`, `0123456789/../..`), 400, "field id"},
		{with(`0123456789abcdefghjkmnpqrs`, strings.Repeat("a", 37)), 400, "field id"},
		{with(`6ba7b810-`, `6ba7b810`), 400, "field intent"},
		{with(`LYD`, `lyd`), 400, "field currency"},
		{with(`"wallet"`, `"cheque"`), 400, "field method"},
		{with(`"phone"`, `"language":"fr","phone"`), 400, "field language"},
		{with(`"wallet"`, `"card"`), 400, "field return_url"},
		{with(`"phone"`, `"return_url":"javascript:alert(1)","phone"`), 400, "field return_url"},
		{with(`"phone"`, `"return_url":"https://user:word@shop.example/","phone"`), 400, "field return_url"},
		{with(`"phone"`, `"notify_url":"/notify","phone"`), 400, "field notify_url"},
		{with(`"phone"`, `"description":"`+strings.Repeat("a", 16<<10)+`","phone"`), 413, "16384"},
	} {
		what := tc.body[:min(len(tc.body), 200)]
		wantProblem(t, what, asMerchant(h, "POST", "/v1/payments", tc.body), tc.status, tc.words)
	}
	if rec := ask(h, "GET", "/control/payments", ""); rec.Body.String() != "[]\n" {
		t.Errorf("a bad request opened a payment: %s", rec.Body)
	}
	for _, amount := range []string{"0", "-5000", "1000000001"} {
		rec := asMerchant(h, "POST", "/v1/payments", with(`5000`, amount))
		if rec.Code != 422 || !strings.Contains(rec.Body.String(), `"reason":"amount_refused"`) {
			t.Errorf("amount %s: %d %s", amount, rec.Code, rec.Body)
		}
	}
}

func TestBadRequestsAboutAPayment(t *testing.T) {
	t.Parallel()
	h := newBank(t)
	if rec := asMerchant(h, "POST", "/v1/payments", good); rec.Code != http.StatusCreated {
		t.Fatalf("open: %d %s", rec.Code, rec.Body)
	}
	const known, unknown = "0123456789abcdefghjkmnpqrs", "zzzzzzzzzzzzzzzzzzzzzzzzzz"
	for _, tc := range []struct {
		method, path, body string
		status             int
		words              string
	}{
		{"POST", "/v1/payments/" + known + "/confirm", `{}`, 400, "field code is missing"},
		{"POST", "/v1/payments/" + known + "/confirm", `{"code":111111}`, 400, "field code has the wrong type"},
		{"POST", "/v1/payments/" + unknown + "/confirm", `{"code":"111111"}`, 404, "knows no payment"},
		{"POST", "/v1/payments/" + unknown + "/resend", ``, 404, "knows no payment"},
		{"POST", "/v1/payments/" + unknown + "/cancel", ``, 404, "knows no payment"},
		{"GET", "/v1/payments/" + unknown, ``, 404, "knows no payment"},
		{"POST", "/v1/payments/" + known + "/refunds", ``, 400, "not valid JSON"},
		{"POST", "/v1/payments/" + known + "/refunds", `{}`, 400, "field amount is not positive"},
		{"POST", "/v1/payments/" + known + "/refunds", `{"amount":-5000}`, 400, "field amount is not positive"},
		{"POST", "/v1/payments/" + known + "/refunds", `{"amount":"5000"}`, 400, "field amount has the wrong type"},
		{"POST", "/v1/payments/" + known + "/refunds", `{"amount":1,"reason":"x"}`, 400, "field reason is unknown"},
		{"POST", "/v1/payments/" + known + "/refunds", `{"amount":5000}`, 409, "not paid"},
		{"POST", "/v1/payments/" + unknown + "/refunds", `{"amount":5000}`, 404, "knows no payment"},
		{"POST", "/control/payments/" + known + "/settle", `{"outcome":"refunded"}`, 400, "field outcome"},
		{"POST", "/control/payments/" + known + "/settle", `{}`, 400, "field outcome"},
		{"POST", "/control/payments/" + unknown + "/settle", `{"outcome":"paid"}`, 404, "knows no payment"},
		{"GET", "/control/payments?intent=x", ``, 400, "parameter intent"},
		{"GET", "/control/payments?intent=", ``, 400, "parameter intent"},
		{"POST", "/v1/payments", strings.Replace(good, "5000", "6000", 1), 409, "another payment"},
		{"POST", "/v1/payments", strings.Replace(good, "6ba7b810", "6ba7b811", 1), 409, "another payment"},
	} {
		what := tc.method + " " + tc.path + " " + tc.body
		wantProblem(t, what, asMerchant(h, tc.method, tc.path, tc.body), tc.status, tc.words)
	}
}

// The answers to a refund have exactly these members.
func TestAnswersToRefunds(t *testing.T) {
	t.Parallel()
	h := newBank(t)
	const id = "0123456789abcdefghjkmnpqrs"
	asMerchant(h, "POST", "/v1/payments", good)
	if rec := ask(h, "POST", "/control/payments/"+id+"/settle", `{"outcome":"paid"}`); rec.Code != 200 {
		t.Fatalf("settle: %d %s", rec.Code, rec.Body)
	}
	const refunds = "/v1/payments/" + id + "/refunds"
	given := regexp.MustCompile(
		`^{"id":"` + id + `","reference":"SR[0-9A-Z]{14}","amount":5000,"currency":"LYD"}\n$`)
	rec := asMerchant(h, "POST", refunds, `{"amount":5000}`)
	if rec.Code != http.StatusCreated || !given.Match(rec.Body.Bytes()) {
		t.Errorf("given back: %d %s", rec.Code, rec.Body)
	}
	const refused = `{"message":"that is more than is left of what was taken",` +
		`"error":"refund_refused","id":"` + id + `"}`
	rec = asMerchant(h, "POST", refunds, `{"amount":1}`)
	if rec.Code != http.StatusUnprocessableEntity || rec.Body.String() != refused+"\n" {
		t.Errorf("more than is left: %d %s", rec.Code, rec.Body)
	}
	again := ask(h, "POST", "/control/payments/"+id+"/settle", `{"outcome":"declined"}`)
	wantProblem(t, "declined after a refund", again, http.StatusConflict, "only a refund gives it back")
}

func TestNewNamesEverythingThatIsWrong(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"", "bank.example", "ftp://bank.example", "http://bank.example/sub", "http://u:p@bank.example",
		"http://bank.example?x",
	} {
		_, err := bank.New(bank.Config{PublicURL: address, Logger: zerolog.Nop()})
		if err == nil || !strings.Contains(err.Error(), "public URL") || !strings.Contains(err.Error(), "secret") {
			t.Errorf("New(%q): %v, want both the public URL and the secret named", address, err)
		}
	}
	_, err := bank.New(bank.Config{
		Secret: secret, PublicURL: "http://bank.example", Journal: t.TempDir() + "/no/such/folder",
		Logger: zerolog.Nop(),
	})
	if err == nil || !strings.Contains(err.Error(), "journal") {
		t.Errorf("New with a journal that cannot be made: %v", err)
	}
}
