package layout_test

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

	"daftar/internal/layout"
	"daftar/internal/web"
)

func TestAssetsAreServed(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(web.SecurityHeaders("http://x")(layout.AssetHandler()))
	t.Cleanup(server.Close)
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	const cached, revalidated = "public, max-age=31536000, immutable", "no-cache"
	for _, file := range []struct {
		path, kind, content string
		budget              int64 // in bytes, packed
	}{
		{layout.StylesheetPath, "text/css; charset=utf-8", layout.Stylesheet(), 6 << 10},
		{layout.DashboardStylesheetPath, "text/css; charset=utf-8", layout.DashboardStylesheet(), 12 << 10},
		{layout.ScriptPath, "text/javascript; charset=utf-8", layout.Script(), 6 << 10},
		{layout.PasskeyScriptPath, "text/javascript; charset=utf-8", layout.PasskeyScript(), 2 << 10},
		{layout.TillScriptPath, "text/javascript; charset=utf-8", layout.TillScript(), 2 << 10},
		{layout.FontPath, "font/woff2", string(layout.Font()), 40 << 10},
	} {
		_, extension, _ := strings.Cut(strings.TrimPrefix(file.path, layout.AssetPrefix), ".")
		for _, row := range []struct {
			method, path, encoding string
			status                 int
			cache, gotEncoding     string
		}{
			{"GET", file.path, "", 200, cached, ""},
			{"GET", file.path, "br, gzip", 200, cached, "gzip"},
			{"GET", file.path, "gzip;q=0", 200, cached, ""},
			{"HEAD", file.path, "", 200, cached, ""},
			// another server's version: usable, but not to be cached
			{"GET", layout.AssetPrefix + "0000." + extension, "", 200, revalidated, ""},
			{"POST", file.path, "", 405, "no-store", ""},
			{"GET", "/static/other", "", 404, "no-store", ""},
			{"GET", layout.AssetPrefix + "0000.map", "", 404, "no-store", ""},
		} {
			if file.path == layout.FontPath {
				row.gotEncoding = "" // it is compressed already
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
			if res.StatusCode != row.status || res.Header.Get("Cache-Control") != row.cache ||
				res.Header.Get("Content-Encoding") != row.gotEncoding {
				t.Errorf("%s: %d, Cache-Control %q, Content-Encoding %q",
					name, res.StatusCode, res.Header.Get("Cache-Control"), res.Header.Get("Content-Encoding"))
			}
			if row.status != http.StatusOK {
				continue
			}
			if got := res.Header.Get("Content-Type"); got != file.kind {
				t.Errorf("%s: Content-Type %q", name, got)
			}
			packed := row.gotEncoding == "gzip" || file.path == layout.FontPath
			if packed && res.ContentLength > file.budget {
				t.Errorf("%s: %d bytes packed, the budget is %d", name, res.ContentLength, file.budget)
			}
			if row.method == http.MethodGet && body != file.content {
				t.Errorf("%s: %d bytes, want the file's %d", name, len(body), len(file.content))
			}
		}
	}
}

// The style sheet of the dashboard begins with that of customers, who load none of its rules.
func TestCustomersLoadOnlyTheirRules(t *testing.T) {
	t.Parallel()
	customers, all := layout.Stylesheet(), layout.DashboardStylesheet()
	if !strings.HasPrefix(all, customers) || !strings.Contains(all[len(customers):], "\n.menu nav {") {
		t.Error("the style sheet of the dashboard is not that of customers with more rules")
	}
	for _, theirs := range []string{"\n.menu nav {", "\n.app main {", "\nth {"} {
		if strings.Contains(customers, theirs) {
			t.Errorf("customers load %q", theirs)
		}
	}
}

// readBody reads and decompresses the answer.
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

// The content security policy forbids only some of these. Markup made from text allows
// script injection, and words in the script would be in one language.
func TestScriptsUseNothingDangerous(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"the script":              layout.Script(),
		"the script for passkeys": layout.PasskeyScript(),
	} {
		for _, dangerous := range []string{
			"eval(", "Function(", "innerHTML", "outerHTML", "insertAdjacentHTML",
			"document.write", "localStorage", "document.cookie", "http:", "https:",
		} {
			if strings.Contains(script, dangerous) {
				t.Errorf("%s contains %s", name, dangerous)
			}
		}
		if !strings.Contains(script, "'use strict'") {
			t.Errorf("%s is not strict", name)
		}
		for _, r := range script {
			if r > 0x7f {
				t.Fatalf("%s contains %q: words belong to the page", name, r)
			}
		}
	}
}

// The direction of a page comes from dir alone, so a physical side in the style sheet
// is a bug in one of the two languages. Amount columns and the tick, which is never
// mirrored, are the exceptions.
func TestStylesheetIsLogical(t *testing.T) {
	t.Parallel()
	physical := regexp.MustCompile(`(?:margin|padding|border)-(?:left|right|top|bottom)` +
		`|[{;]\s*(?:left|right|top|bottom|width|height)\s*:` +
		`|text-align: *(?:left|right)|float`)
	for line := range strings.SplitSeq(layout.DashboardStylesheet(), "\n") {
		if found := physical.FindString(line); found != "" && !strings.HasPrefix(line, "th.n, td.n ") {
			t.Errorf("%q in: %s", found, line)
		}
	}
	withoutFont := strings.Replace(layout.DashboardStylesheet(), `url("`+layout.FontPath+`")`, "", 1)
	for _, outside := range []string{"@import", "url(", "//"} {
		if strings.Contains(withoutFont, outside) {
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
		{"soft", "paper", 4.5}, {"soft", "card", 4.5}, {"soft", "tint", 4.5}, {"soft", "line", 3},
		{"accent", "paper", 4.5}, {"accent", "card", 4.5}, {"accent", "tint", 4.5},
		{"link", "paper", 4.5}, {"link", "card", 4.5}, {"link", "tint", 4.5},
		{"accent-ink", "accent", 4.5}, {"accent-ink", "press", 4.5},
		{"good", "tint", 4.5}, {"good", "card", 4.5},
		{"warn", "warn-bg", 4.5}, {"warn", "card", 4.5},
		{"bad", "paper", 4.5}, {"bad", "card", 4.5}, {"bad", "bad-bg", 4.5},
		{"field", "paper", 3}, {"field", "card", 3},
	}
	light, dark, found := strings.Cut(layout.Stylesheet(), "@media (prefers-color-scheme: dark)")
	if !found {
		t.Fatal("no dark scheme")
	}
	dark, _, _ = strings.Cut(dark, "\n}")
	for name, scheme := range map[string]map[string]float64{
		"light": luminances(t, light), "dark": luminances(t, dark),
	} {
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
