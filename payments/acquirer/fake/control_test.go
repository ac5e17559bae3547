package fake_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"daftar/payments/acquirer/fake"
)

// ask sends a request from this machine to control, after change has changed it.
func ask(method, path, body string, change func(*http.Request)) int {
	mux := http.NewServeMux()
	fake.Control(mux, new(fake.Books), new(fake.Plan))
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:9"
	change(r)
	rec := httptest.NewRecorder()
	mux.ServeHTTP(rec, r)
	return rec.Code
}

func TestControlIsForThisMachineOnly(t *testing.T) {
	t.Parallel()
	const plan = `{"call":"*","faults":["html"]}`
	for peer, allowed := range map[string]bool{
		"127.0.0.1:9": true, "127.8.9.10:9": true, "[::1]:9": true, "[::ffff:127.0.0.1]:9": true,
		"192.0.2.1:9": false, "10.0.0.1:9": false, "[2001:db8::1]:9": false, "[::ffff:10.0.0.1]:9": false,
		"": false, "@": false,
	} {
		from := func(r *http.Request) { r.RemoteAddr = peer }
		got := ask("GET", "/control/ledger", "", from)
		if (got == http.StatusOK) != allowed || !allowed && got != http.StatusForbidden {
			t.Errorf("ledger from %q: %d", peer, got)
		}
		got = ask("POST", "/control/faults", plan, from)
		if (got == http.StatusNoContent) != allowed || !allowed && got != http.StatusForbidden {
			t.Errorf("faults from %q: %d", peer, got)
		}
	}
	for name, header := range map[string][2]string{
		"a proxy":                      {"X-Forwarded-For", "127.0.0.1"},
		"a proxy with an empty header": {"X-Forwarded-For", ""},
		"a standard proxy":             {"Forwarded", "for=127.0.0.1"},
		"another proxy":                {"X-Real-Ip", "127.0.0.1"},
		"a web page":                   {"Sec-Fetch-Site", "cross-site"},
		"a web page of an old browser": {"Origin", "https://elsewhere.example"},
	} {
		with := func(r *http.Request) { r.Header[header[0]] = []string{header[1]} }
		if got := ask("POST", "/control/faults", plan, with); got != http.StatusForbidden {
			t.Errorf("%s: %d, want %d", name, got, http.StatusForbidden)
		}
	}
}

func TestFaultsThatDoNotExistAreRefused(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{
		`{"call":"confirm","faults":["none","html"]}`: http.StatusNoContent,
		`{"call":"confirm","faults":["earthquake"]}`:  http.StatusUnprocessableEntity,
		`{"calls":"confirm"}`:                         http.StatusBadRequest,
		`html`:                                        http.StatusBadRequest,
	} {
		if got := ask("POST", "/control/faults", body, func(*http.Request) {}); got != want {
			t.Errorf("%s: %d, want %d", body, got, want)
		}
	}
}
