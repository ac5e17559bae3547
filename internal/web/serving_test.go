package web_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"daftar/internal/web"
)

func TestSecurityHeaders(t *testing.T) {
	t.Parallel()
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "page") })
	want := map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
			"font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
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

// A page whose form may lead on allows that besides, and nothing else.
func TestLeadingPolicy(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	web.SecurityHeaders("http://x")(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	strict := w.Header().Get("Content-Security-Policy")
	if got := web.LeadingPolicy(nil); got != strict {
		t.Errorf("leading nowhere: %q, want %q", got, strict)
	}
	want := strings.Replace(strict, "form-action 'self';", "form-action 'self' https://a.example https://b.example:6006;", 1)
	if got := web.LeadingPolicy([]string{"https://a.example", "https://b.example:6006"}); got != want || got == strict {
		t.Errorf("leading on: %q, want %q", got, want)
	}
}

// Another company's script gets its own host; what it frames, any host over TLS. A script without
// an address gets nothing.
func TestAllowEmbedding(t *testing.T) {
	t.Parallel()
	headers := func(script string) http.Header {
		w := httptest.NewRecorder()
		web.SecurityHeaders("http://x")(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			web.AllowEmbedding(w.Header(), script)
		})).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		return w.Header()
	}
	const host = "https://npg.example:*"
	given := headers("https://npg.example:6006/js/lightbox.js")
	if got, want := given.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self' "+host+"; style-src 'self' 'unsafe-inline' "+host+
		"; img-src 'self' data: "+host+"; font-src 'self' "+host+"; connect-src 'self' "+host+"; frame-src https:; form-action 'self' "+host+
		"; base-uri 'none'; frame-ancestors 'none'"; got != want {
		t.Errorf("the policy is %q, want %q", got, want)
	}
	if got := given.Get("Cross-Origin-Opener-Policy"); got != "same-origin-allow-popups" {
		t.Errorf("windows: %q", got)
	}
	strict := headers("nowhere")
	if got, want := given.Get("Permissions-Policy"), strings.Replace(strict.Get("Permissions-Policy"), "payment=()", "payment=*", 1); got != want || !strings.Contains(got, "payment=*,") {
		t.Errorf("permissions: %q", got)
	}
	if got := strict.Get("Content-Security-Policy"); got != web.LeadingPolicy(nil) || strict.Get("Cross-Origin-Opener-Policy") != "same-origin" {
		t.Errorf("a script without a host: %q", got)
	}
}

func TestAssetsAreServed(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(web.SecurityHeaders("http://x")(web.AssetHandler()))
	t.Cleanup(server.Close)
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	const forEver, askAgain = "public, max-age=31536000, immutable", "no-cache"
	for _, file := range []struct {
		path, kind, content string
		budget              int64 // in bytes, packed
	}{
		{web.StylesheetPath, "text/css; charset=utf-8", web.Stylesheet(), 11 << 10},
		{web.ScriptPath, "text/javascript; charset=utf-8", web.Script(), 6 << 10},
		{web.PasskeyScriptPath, "text/javascript; charset=utf-8", web.PasskeyScript(), 2 << 10},
		{web.FontPath, "font/woff2", string(web.Font()), 40 << 10},
	} {
		_, extension, _ := strings.Cut(strings.TrimPrefix(file.path, web.AssetPrefix), ".")
		for _, row := range []struct {
			method, path, encoding string
			status                 int
			cache, gotEncoding     string
		}{
			{"GET", file.path, "", 200, forEver, ""},
			{"GET", file.path, "br, gzip", 200, forEver, "gzip"},
			{"GET", file.path, "gzip;q=0", 200, forEver, ""},
			{"HEAD", file.path, "", 200, forEver, ""},
			// another server's version: usable, but asked for again
			{"GET", web.AssetPrefix + "0000." + extension, "", 200, askAgain, ""},
			{"POST", file.path, "", 405, "no-store", ""},
			{"GET", "/static/other", "", 404, "no-store", ""},
			{"GET", web.AssetPrefix + "0000.map", "", 404, "no-store", ""},
		} {
			if file.path == web.FontPath {
				row.gotEncoding = "" // it is packed as it is
			}
			name := row.method + " " + row.path + " " + row.encoding
			req, err := http.NewRequestWithContext(t.Context(), row.method, server.URL+row.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Accept-Encoding", row.encoding)
			res, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			body := readBody(t, res)
			if res.StatusCode != row.status || res.Header.Get("Cache-Control") != row.cache || res.Header.Get("Content-Encoding") != row.gotEncoding {
				t.Errorf("%s: %d, Cache-Control %q, Content-Encoding %q", name, res.StatusCode, res.Header.Get("Cache-Control"), res.Header.Get("Content-Encoding"))
			}
			if row.status != http.StatusOK {
				continue
			}
			if got := res.Header.Get("Content-Type"); got != file.kind {
				t.Errorf("%s: Content-Type %q", name, got)
			}
			if (row.gotEncoding == "gzip" || file.path == web.FontPath) && res.ContentLength > file.budget {
				t.Errorf("%s: %d bytes packed, the budget is %d", name, res.ContentLength, file.budget)
			}
			if row.method == http.MethodGet && body != file.content {
				t.Errorf("%s: %d bytes, want the file's %d", name, len(body), len(file.content))
			}
		}
	}
}

// readBody reads the answer, unpacked.
func readBody(t *testing.T, res *http.Response) string {
	t.Helper()
	defer res.Body.Close()
	var r io.Reader = res.Body
	if res.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		r = unpacked
	}
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// The policy forbids some of this and forgets the rest: markup made of text is how
// pages are broken into, and words in the script would be in one language.
func TestScriptsAreTame(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{"the script": web.Script(), "the script for passkeys": web.PasskeyScript()} {
		for _, wild := range []string{"eval(", "Function(", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "localStorage", "document.cookie", "http:", "https:"} {
			if strings.Contains(script, wild) {
				t.Errorf("%s contains %s", name, wild)
			}
		}
		if !strings.Contains(script, "'use strict'") {
			t.Errorf("%s is not strict", name)
		}
		for _, r := range script {
			if r > 0x7f {
				t.Fatalf("%s contains %q: its words come with the page", name, r)
			}
		}
	}
}

// Pages in both directions come from dir alone, so a physical side in the style
// sheet is a bug in one of the two languages. Amount columns and the tick, which
// never mirrors, are the exceptions.
func TestStylesheetIsLogical(t *testing.T) {
	t.Parallel()
	physical := regexp.MustCompile(`(?:margin|padding|border)-(?:left|right|top|bottom)|[{;]\s*(?:left|right|top|bottom|width|height)\s*:|text-align: *(?:left|right)|float`)
	for line := range strings.SplitSeq(web.Stylesheet(), "\n") {
		if found := physical.FindString(line); found != "" && !strings.HasPrefix(line, "th.n, td.n ") {
			t.Errorf("%q in: %s", found, line)
		}
	}
	for _, outside := range []string{"@import", "url(", "//"} {
		if strings.Contains(strings.Replace(web.Stylesheet(), `url("`+web.FontPath+`")`, "", 1), outside) {
			t.Errorf("the style sheet contains %q", outside)
		}
	}
}

// Contrast is WCAG 2.2 AA in both schemes: 4.5 for text, 3 for the edge of a field
// and for the focus ring.
func TestContrast(t *testing.T) {
	t.Parallel()
	pairs := []struct {
		front, back string
		least       float64
	}{
		{"ink", "paper", 7}, {"ink", "card", 7}, {"ink", "tint", 7}, {"ink", "warn-bg", 7}, {"ink", "bad-bg", 7},
		{"soft", "paper", 4.5}, {"soft", "card", 4.5}, {"soft", "tint", 4.5},
		{"accent", "paper", 4.5}, {"accent", "card", 4.5}, {"accent", "tint", 4.5},
		{"link", "paper", 4.5}, {"link", "card", 4.5}, {"link", "tint", 4.5}, {"accent-ink", "accent", 4.5}, {"accent-ink", "press", 4.5},
		{"good", "tint", 4.5}, {"good", "card", 4.5}, {"warn", "warn-bg", 4.5}, {"warn", "card", 4.5},
		{"soft", "line", 3}, {"bad", "paper", 4.5}, {"bad", "card", 4.5}, {"bad", "bad-bg", 4.5},
		{"field", "paper", 3}, {"field", "card", 3},
	}
	light, dark, found := strings.Cut(web.Stylesheet(), "@media (prefers-color-scheme: dark)")
	if !found {
		t.Fatal("no dark scheme")
	}
	dark, _, _ = strings.Cut(dark, "\n}")
	for name, scheme := range map[string]map[string]float64{"light": luminances(t, light), "dark": luminances(t, dark)} {
		for _, p := range pairs {
			front, ok1 := scheme[p.front]
			back, ok2 := scheme[p.back]
			if !ok1 || !ok2 {
				t.Errorf("%s: no colour %s or %s", name, p.front, p.back)
				continue
			}
			if got := (max(front, back) + 0.05) / (min(front, back) + 0.05); got < p.least {
				t.Errorf("%s: %s on %s has contrast %.2f, want %.1f", name, p.front, p.back, got, p.least)
			}
		}
	}
}

var colour = regexp.MustCompile(`--([a-z-]+): #([0-9a-f]{6})`)

// luminances are the relative luminances of the colours declared in css.
func luminances(t *testing.T, css string) map[string]float64 {
	t.Helper()
	found := map[string]float64{}
	for _, m := range colour.FindAllStringSubmatch(css, -1) {
		rgb, err := strconv.ParseUint(m[2], 16, 32)
		if err != nil {
			t.Fatal(fmt.Errorf("colour %s: %w", m[0], err))
		}
		linear := func(shift uint) float64 {
			c := float64(rgb>>shift&0xff) / 255
			if c <= 0.04045 {
				return c / 12.92
			}
			return math.Pow((c+0.055)/1.055, 2.4)
		}
		found[m[1]] = 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
	}
	return found
}
