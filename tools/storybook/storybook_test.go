package storybook_test

import (
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"daftar/internal/layout"
	"daftar/internal/locale"
	"daftar/tools/storybook"
	"daftar/tools/storybook/checkoutstories"
	"daftar/tools/storybook/dashboardstories"
)

// made makes the files once, because that takes seconds under the race detector. Tests must not
// change them.
var made = sync.OnceValues(storybook.Files)

func files(t *testing.T) map[string][]byte {
	t.Helper()
	all, err := made()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A story without a group would not be shown.
func TestEveryStoryIsShown(t *testing.T) {
	t.Parallel()
	all := files(t)
	for _, s := range checkoutstories.All() {
		for _, scheme := range []string{"light", "dark"} {
			for _, l := range []string{"ar", "en"} {
				name := scheme + "/checkout/" + s.Name + "." + l + ".html"
				if !strings.Contains(string(all[name]), `data-state="`+s.State+`"`) {
					t.Errorf("%s does not show %s", name, s.State)
				}
			}
		}
	}
	for _, s := range dashboardstories.All() {
		name := "dark/dashboard/" + s.Name + ".en.html"
		if !strings.Contains(string(all[name]), `data-page="`+s.Template()+`"`) {
			t.Errorf("%s does not show %s", name, s.Template())
		}
	}
	for _, g := range storybook.Groups() {
		if len(g.Pages) == 0 {
			t.Errorf("nothing to see where the reader %s", g.What.English)
		}
	}
}

var loaded = regexp.MustCompile(`(?:<link rel="stylesheet" href|<script src|<iframe src|` +
	`<a class="switch" href|<a href)="([^"#?]+)`)

// The pages can be opened from a folder: everything that they load or link to is a file in it.
func TestFilesFindEachOther(t *testing.T) {
	t.Parallel()
	all := files(t)
	for name, content := range all {
		if path.Ext(name) != ".html" {
			continue
		}
		for _, match := range loaded.FindAllStringSubmatch(string(content), -1) {
			target := match[1]
			outside := []string{"mailto:", "tel:", "https:", "lyshop:", "http://127.0.0.1:"}
			if slices.ContainsFunc(outside, func(prefix string) bool { return strings.HasPrefix(target, prefix) }) {
				continue // contact details, or back to the shop
			}
			if _, found := all[path.Join(path.Dir(name), target)]; !found {
				t.Errorf("%s: there is no %s", name, target)
			}
		}
		if strings.Contains(string(content), layout.AssetPrefix) {
			t.Errorf("%s loads a file of the server", name)
		}
		if strings.Contains(string(content), `http-equiv="refresh"`) {
			t.Errorf("%s does not stay", name)
		}
	}
}

// Each page has the scheme of its folder, whatever the reader's own scheme is.
func TestSchemesAreFixed(t *testing.T) {
	t.Parallel()
	all := files(t)
	for _, sheet := range []string{"daftar.css", "bank.css"} {
		light, dark := string(all["light/"+sheet]), string(all["dark/"+sheet])
		if strings.Contains(light+dark, "prefers-color-scheme") || light == dark ||
			!strings.Contains(light, "@media not all") || !strings.Contains(dark, "@media all") {
			t.Errorf("%s follows the reader's scheme", sheet)
		}
	}
}

var (
	darkRules = regexp.MustCompile(`@media all \{\n((?s).*?\})\n\}`)
	variables = regexp.MustCompile(`^\s*:root \{(?:\s*--[a-z-]+: #[0-9a-f]{3,6};)+\s*\}\s*$`)
)

// The dark scheme changes only colours, in both languages. So it is enough to review a page in both
// schemes and in both languages, but not in every combination.
func TestDarkSchemeOnlyChangesColours(t *testing.T) {
	t.Parallel()
	for name, content := range files(t) {
		if !strings.HasPrefix(name, string(storybook.Dark)+"/") || path.Ext(name) != ".css" {
			continue
		}
		found := darkRules.FindAllStringSubmatch(string(content), -1)
		if len(found) != 1 || !variables.MatchString(found[0][1]) {
			t.Errorf("%s has in the dark: %q", name, found)
		}
	}
}

func TestHandler(t *testing.T) {
	t.Parallel()
	h := storybook.Handler(files(t))
	for _, row := range []struct {
		method, path string
		status       int
		kind         string
	}{
		{"GET", "/", 200, "text/html; charset=utf-8"},
		{"GET", "/" + storybook.IndexPath(storybook.Dark, locale.English), 200, "text/html; charset=utf-8"},
		{"GET", "/light/checkout/otp.ar.html", 200, "text/html; charset=utf-8"},
		{"GET", "/light/daftar.js", 200, "text/javascript; charset=utf-8"},
		{"GET", "/dark/daftar.css", 200, "text/css; charset=utf-8"},
		{"GET", checkoutstories.WatchAddress, 200, "application/json"},
		{"POST", checkoutstories.PayAction, 204, ""}, // the page stays
		{"GET", "/light/checkout/none.ar.html", 404, "text/plain; charset=utf-8"},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(row.method, row.path, http.NoBody))
		if w.Code != row.status || w.Header().Get("Content-Type") != row.kind {
			t.Errorf("%s %s: %d, %q", row.method, row.path, w.Code, w.Header().Get("Content-Type"))
		}
		got := w.Header().Get("Content-Security-Policy")
		if !strings.Contains(got, "frame-ancestors 'self'") || !strings.Contains(got, "default-src 'none'") {
			t.Errorf("%s: policy %q", row.path, got)
		}
	}
}
