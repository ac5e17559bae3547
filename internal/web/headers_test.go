package web_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"daftar/internal/web"
)

func TestSecurityHeaders(t *testing.T) {
	t.Parallel()
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "page")
	})
	want := map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; " +
			"img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; " +
			"base-uri 'none'; frame-ancestors 'none'",
		"X-Content-Type-Options":     "nosniff",
		"Cross-Origin-Opener-Policy": "same-origin",
		"Referrer-Policy":            "same-origin",
		"X-Robots-Tag":               "noindex",
		"Cache-Control":              "no-store",
	}
	for publicURL, hsts := range map[string]string{
		"http://127.0.0.1:8080":  "",
		"https://pay.example":    "max-age=31536000",
		"HTTPS://pay.example":    "max-age=31536000",
		"https-proxy://internal": "",
	} {
		w := httptest.NewRecorder()
		web.SecurityHeaders(publicURL)(page).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		for name, value := range want {
			if got := w.Header().Get(name); got != value {
				t.Errorf("%s: %s: got %q, want %q", publicURL, name, got, value)
			}
		}
		if !strings.Contains(w.Header().Get("Permissions-Policy"), "camera=()") {
			t.Errorf("%s: no Permissions-Policy", publicURL)
		}
		if got := w.Header().Get("Strict-Transport-Security"); got != hsts {
			t.Errorf("%s: Strict-Transport-Security %q, want %q", publicURL, got, hsts)
		}
	}
}

// A page whose form may redirect to other origins allows these in addition, and nothing else.
func TestLeadingPolicy(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	h := web.SecurityHeaders("http://x")(http.NotFoundHandler())
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	strict := w.Header().Get("Content-Security-Policy")
	if got := web.LeadingPolicy(nil); got != strict {
		t.Errorf("without origins: %q, want %q", got, strict)
	}
	want := strings.Replace(strict, "form-action 'self';",
		"form-action 'self' https://a.example https://b.example:6006;", 1)
	got := web.LeadingPolicy([]string{"https://a.example", "https://b.example:6006"})
	if got != want || got == strict {
		t.Errorf("with two origins: %q, want %q", got, want)
	}
}

// Another company's script may load from its own host; its frame may use any host over TLS. A
// script without an address gets nothing.
func TestAllowEmbedding(t *testing.T) {
	t.Parallel()
	headers := func(script string) http.Header {
		w := httptest.NewRecorder()
		page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			web.AllowEmbedding(w.Header(), script)
		})
		web.SecurityHeaders("http://x")(page).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		return w.Header()
	}
	const host = "https://npg.example:*"
	given := headers("https://npg.example:6006/js/lightbox.js")
	const want = "default-src 'none'; script-src 'self' " + host + "; style-src 'self' 'unsafe-inline' " + host +
		"; img-src 'self' data: " + host + "; font-src 'self' " + host + "; connect-src 'self' " + host +
		"; frame-src https:; form-action 'self' " + host + "; base-uri 'none'; frame-ancestors 'none'"
	if got := given.Get("Content-Security-Policy"); got != want {
		t.Errorf("the policy is %q, want %q", got, want)
	}
	if got := given.Get("Cross-Origin-Opener-Policy"); got != "same-origin-allow-popups" {
		t.Errorf("windows: %q", got)
	}
	strict := headers("nowhere")
	permissions := strings.Replace(strict.Get("Permissions-Policy"), "payment=()", "payment=*", 1)
	got := given.Get("Permissions-Policy")
	if got != permissions || !strings.Contains(got, "payment=*,") {
		t.Errorf("permissions: %q", got)
	}
	policy := strict.Get("Content-Security-Policy")
	if policy != web.LeadingPolicy(nil) || strict.Get("Cross-Origin-Opener-Policy") != "same-origin" {
		t.Errorf("a script without a host: %q", policy)
	}
}
