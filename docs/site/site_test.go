package site_test

import (
	"compress/gzip"
	"html"
	"image/png"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"daftar/docs/site"
	"daftar/internal/layout"
	"daftar/internal/web"
)

const publicURL = "https://pay.shop.ly"

// documentation is the site behind the headers that the server adds.
var documentation = web.SecurityHeaders(publicURL)(
	site.New(site.Config{PublicURL: publicURL, Log: zerolog.Nop()}))

func ask(method, address string, header http.Header) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, address, http.NoBody)
	maps.Copy(r.Header, header)
	w := httptest.NewRecorder()
	documentation.ServeHTTP(w, r)
	return w
}

// reader walks through the pages.
type reader struct {
	t     *testing.T
	pages map[string]string // by address, without what follows #
	links [][2]string       // from, to
}

var (
	reference = regexp.MustCompile(`(?:<a(?: class="\w+")?|<img|<link rel="stylesheet"|<link rel="alternate" ` +
		`type="text/markdown"|<script) (?:href|src)="([^"]*)"`)
	// asMarkdown is a link to a page for programs.
	asMarkdown = regexp.MustCompile(`href="/docs[^"]*\.md(\?lang=en)?"`)
)

// read reads a page and those that it leads to.
func (r *reader) read(address string) {
	if _, known := r.pages[address]; known {
		return
	}
	got := ask(http.MethodGet, address, nil)
	if got.Code != http.StatusOK {
		r.t.Errorf("%s: %d", address, got.Code)
	}
	body := got.Body.String()
	r.pages[address] = body
	if !strings.HasPrefix(got.Header().Get("Content-Type"), "text/html") {
		return
	}
	for _, found := range reference.FindAllStringSubmatch(body, -1) {
		to, err := url.Parse(html.UnescapeString(found[1]))
		if err != nil {
			r.t.Errorf("%s leads to %s: %v", address, found[1], err)
			continue
		}
		from, _ := url.Parse(address)
		target := from.ResolveReference(to)
		r.links = append(r.links, [2]string{address, target.String()})
		if target.Host == "" && strings.HasPrefix(target.Path, site.Prefix) {
			target.Fragment = ""
			r.read(target.String())
		}
	}
}

// Every link leads to an existing page and heading of the documentation, or to one of the few
// places outside.
func TestLinks(t *testing.T) {
	t.Parallel()
	r := reader{t: t, pages: map[string]string{}}
	r.read(site.Prefix)
	r.read(site.Prefix + "?lang=en")
	r.read(site.Prefix + "/search")
	r.read(site.Prefix + "/search?lang=en")
	anchors := 0
	for _, link := range r.links {
		target, _ := url.Parse(link[1])
		switch {
		case target.Host != "":
			if target.Scheme != "https" && target.Host != "127.0.0.1:3000" {
				t.Errorf("%s leads to %s", link[0], link[1])
			}
		case strings.HasPrefix(target.Path, site.Prefix):
			if target.Fragment == "" {
				continue
			}
			name := target.Fragment
			target.Fragment, target.RawFragment = "", ""
			if anchors++; !strings.Contains(r.pages[target.String()], ` id="`+name+`"`) {
				t.Errorf("%s leads to %s, and there is no such heading", link[0], link[1])
			}
		case target.Path != "/api/v1/openapi.yaml" && !strings.HasPrefix(target.Path, layout.AssetPrefix):
			t.Errorf("%s leads to %s", link[0], link[1])
		}
	}
	// Each page is also there as Markdown. The others are the search's list, style sheet, script, collection.
	if pages, pictures := 2*(2*23+1)+3, 12; len(r.pages) != pages+pictures || anchors < 900 {
		t.Errorf("%d pages with pictures and %d anchors were found", len(r.pages), anchors)
	}
}

// Each page has what a reader, a screen reader and a search engine need, in its language,
// and leads to itself in the other one.
func TestPages(t *testing.T) {
	t.Parallel()
	r := reader{t: t, pages: map[string]string{}}
	r.read(site.Prefix)
	titles := map[string]string{}
	for address, body := range r.pages {
		if !strings.HasPrefix(body, "<!doctype html>") {
			continue
		}
		language, other := `<html lang="ar" dir="rtl">`, address+"?lang=en"
		if path, english := strings.CutSuffix(address, "?lang=en"); english {
			language, other = `<html lang="en" dir="ltr">`, path
		}
		for _, want := range []string{
			language, `<a class="switch" href="` + other + `"`, `<meta name="description" content="`,
			`aria-current="page"`, `id="content"`,
		} {
			if !strings.Contains(body, want) {
				t.Errorf("%s has no %s", address, want)
			}
		}
		title := regexp.MustCompile(`<title>([^<]+)</title>`).FindStringSubmatch(body)
		if len(title) != 2 {
			t.Fatalf("%s has no title", address)
		}
		if other := titles[title[1]]; other != "" {
			t.Errorf("%s has the title of %s", address, other)
		}
		titles[title[1]] = address
		if strings.Count(body, "<h1") != 1 {
			t.Errorf("%s has %d titles", address, strings.Count(body, "<h1"))
		}
		body = asMarkdown.ReplaceAllString(body, "")
		for _, trace := range []string{
			"raw HTML omitted", "&lt;code", ".md\"", ".md#", "pay.example", "style=", "<script>", " onclick",
		} {
			if strings.Contains(body, trace) {
				t.Errorf("%s has %q", address, trace)
			}
		}
	}
	if len(titles) != 2*23 {
		t.Errorf("%d titles", len(titles))
	}
}

// Pictures are PNG, keep their place while they load, and pages below another one are in the
// navigation only there.
func TestPagesBelowAnother(t *testing.T) {
	t.Parallel()
	const below = `<a class="below" href="/docs/integrate/social?lang=en"`
	page := ask(http.MethodGet, "/docs/integrate/social?lang=en", nil).Body.String()
	if !strings.Contains(page, below+` aria-current="page"`) {
		t.Error("the page is not in its navigation")
	}
	if strings.Contains(ask(http.MethodGet, "/docs/errors?lang=en", nil).Body.String(), below) {
		t.Error("a page that is below another one is in the navigation of all pages")
	}
	picture := regexp.MustCompile(
		`<img src="([^"]+)" alt="[^"]{20,}" width="(\d+)" height="(\d+)" loading="lazy">`)
	found := picture.FindAllStringSubmatch(page, -1)
	if len(found) != 3 {
		t.Fatalf("%d pictures", len(found))
	}
	for _, f := range found {
		got := ask(http.MethodGet, f[1], nil)
		size, err := png.DecodeConfig(got.Body)
		if err != nil || got.Header().Get("Content-Type") != "image/png" {
			t.Errorf("%s: %v, %v", f[1], got.Header(), err)
		}
		if f[2] != strconv.Itoa(size.Width/2) || f[3] != strconv.Itoa(size.Height/2) {
			t.Errorf("%s has %d × %d pixels, and %s × %s on the page", f[1], size.Width, size.Height, f[2], f[3])
		}
		policy := got.Header().Get("Content-Security-Policy")
		if !strings.Contains(policy, "img-src 'self'") {
			t.Errorf("pages may not show it: %s", policy)
		}
	}
}

// The service's address replaces the example's in everything that can be copied.
func TestAddressOfTheService(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/docs/webhooks":     "curl https://pay.shop.ly/api/v1/payment-intents/",
		"/docs/api?lang=en":  "<code>https://pay.shop.ly/api/v1</code>",
		"/docs/postman.json": `"value": "https://pay.shop.ly/api/v1"`,
	} {
		if got := ask(http.MethodGet, path, nil); !strings.Contains(got.Body.String(), want) {
			t.Errorf("%s has no %s", path, want)
		}
	}
	odd := site.New(site.Config{
		PublicURL:    "http://[::1]:8080",
		SupportEmail: "help@shop.ly",
		Log:          zerolog.Nop(),
	})
	w := httptest.NewRecorder()
	odd.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/docs/api", http.NoBody))
	if !strings.Contains(w.Body.String(), "<code>http://[::1]:8080/api/v1</code>") {
		t.Error("an address of a machine's own is not shown")
	}
	// A contact address is shown if one is configured.
	const question = `<a href="mailto:help@shop.ly">`
	if !strings.Contains(w.Body.String(), question) ||
		strings.Contains(ask(http.MethodGet, "/docs/api", nil).Body.String(), "mailto:") {
		t.Error("the address for questions is not the one that was set")
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	page := ask(http.MethodGet, "/docs/errors", nil)
	tag := page.Header().Get("ETag")
	for _, row := range []struct {
		what, method, path string
		header             http.Header
		status             int
		empty              bool
	}{
		{"a page", "GET", "/docs", nil, 200, false},
		{"with a slash", "GET", "/docs/", nil, 200, false},
		{"only its headers", "HEAD", "/docs/errors", nil, 200, true},
		{"known already", "GET", "/docs/errors", http.Header{"If-None-Match": {tag}}, 304, true},
		{"known in another language", "GET", "/docs/errors?lang=en",
			http.Header{"If-None-Match": {tag}}, 200, false},
		{"no page", "GET", "/docs/nothing", nil, 404, false},
		{"above", "GET", "/docs/../docs/errors", nil, 404, false},
		{"a page below another", "GET", "/docs/integrate/social", nil, 200, false},
		{"a picture", "GET", "/docs/integrate/pictures/link@2x.png", nil, 200, false},
		{"no picture", "GET", "/docs/integrate/pictures/", nil, 404, false},
		{"a file", "GET", "/docs/pages.json", nil, 404, false},
		{"as Markdown", "GET", "/docs/errors.md?lang=en", nil, 200, false},
		{"the first page as Markdown", "GET", "/docs.md", nil, 200, false},
		{"no page as Markdown", "GET", "/docs/nothing.md", nil, 404, false},
		{"a form", "POST", "/docs", nil, 405, false},
	} {
		got := ask(row.method, row.path, row.header)
		if got.Code != row.status || (got.Body.Len() == 0) != row.empty {
			t.Errorf("%s: %d with %d bytes", row.what, got.Code, got.Body.Len())
		}
		cache, want := got.Header().Get("Cache-Control"), "no-store"
		if row.status < http.StatusBadRequest {
			want = "public, max-age=300"
		}
		if cache != want || got.Header().Get("Content-Security-Policy") == "" ||
			got.Header().Get("X-Robots-Tag") != "" || got.Header().Get("X-Request-Id") == "" {
			t.Errorf("%s: the headers are %v", row.what, got.Header())
		}
	}
	packed := ask(http.MethodGet, "/docs/errors", http.Header{"Accept-Encoding": {"gzip"}})
	unpacked, err := gzip.NewReader(packed.Body)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil || string(text) != page.Body.String() || packed.Header().Get("Vary") != "Accept-Encoding" {
		t.Errorf("packed it is another page: %v", err)
	}
}
