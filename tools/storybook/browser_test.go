package storybook_test

import (
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"daftar/internal/web"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/storybook"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Around(m).Run()) }

// narrow is the width of the smallest phones, in pixels.
const narrow = 320

func serve(t *testing.T) (address string) {
	t.Helper()
	s := httptest.NewServer(storybook.Handler(files(t)))
	t.Cleanup(s.Close)
	return s.URL + "/"
}

// kind is one of the four ways in which a page is shown.
type kind struct {
	scheme storybook.Scheme
	lang   web.Lang
}

// eachKind runs a test for each kind, at the same time.
func eachKind(t *testing.T, run func(t *testing.T, n int, k kind)) {
	t.Helper()
	for n, scheme := range storybook.Schemes {
		for m, l := range storybook.Languages {
			t.Run(string(scheme)+"/"+l.String(), func(t *testing.T) {
				t.Parallel()
				run(t, len(storybook.Languages)*n+m, kind{scheme, l})
			})
		}
	}
}

// visit shows the pages of one kind that are chosen by their number, one after the
// other in one tab.
func (k kind) visit(t *testing.T, o browsertest.Options, chosen func(n int) bool, look func(b *browsertest.Tab, p browsertest.Page, path string)) {
	t.Helper()
	o.Dark = k.scheme == storybook.Dark
	address := serve(t)
	b := browsertest.Open(t, o)
	n, visited := 0, 0
	for _, g := range storybook.Groups() {
		for _, p := range g.Pages {
			n++
			if !chosen(n) {
				continue
			}
			path := storybook.Path(k.scheme, g, p, k.lang)
			seen := b.Navigate(address + path)
			if seen.State != p.State || seen.Detail != p.Detail {
				t.Errorf("%s shows %+v, want %s %s", path, seen, p.State, p.Detail)
			}
			has := browsertest.Evaluate[struct {
				View     string
				Headings int
			}](b, `{View: document.querySelector("main").dataset.page ?? "", Headings: document.querySelectorAll("h1").length}`)
			if has.View != p.View || has.Headings != 1 {
				t.Errorf("%s shows %s with %d elements h1, want %s with one", path, has.View, has.Headings, p.View)
			}
			look(b, seen, path)
			visited++
		}
	}
	if n < 150 || visited < n/4 {
		t.Errorf("%d of %d pages only", visited, n)
	}
}

// every chooses all pages.
func every(int) bool { return true }

// Every page keeps the rules of accessibility on the smallest phone. What the
// browser has to complain about fails as well. Each page is judged in one language
// and one scheme, its neighbours in the others; TestLongEveryPageOnAPhone judges
// each in all.
func TestEveryPageOnAPhone(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, number int, k kind) {
		kinds := len(storybook.Schemes) * len(storybook.Languages)
		k.onAPhone(t, func(n int) bool { return n%kinds == number }, func(*browsertest.Tab, string) {})
	})
}

// onAPhone judges the chosen pages of one kind on a phone.
func (k kind) onAPhone(t *testing.T, chosen func(n int) bool, further func(b *browsertest.Tab, path string)) {
	t.Helper()
	k.visit(t, browsertest.Options{Width: narrow, Scripts: true}, chosen, func(b *browsertest.Tab, p browsertest.Page, path string) {
		if p.Lang != k.lang.String() || p.Dir != k.lang.Dir() || p.Title == "" {
			t.Errorf("%s: lang %q, dir %q, title %q", path, p.Lang, p.Dir, p.Title)
		}
		if p.Overflow > 0 {
			t.Errorf("%s: %d pixels wider than the screen", path, p.Overflow)
		}
		// An acquirer's script, that for passkeys, and the question for the state two seconds later, come on top.
		ours := slices.DeleteFunc(b.Requests(), func(r browsertest.Request) bool {
			return strings.HasSuffix(r.URL, "/form.js") || strings.HasSuffix(r.URL, "/passkeys.js") || r.Type == "Fetch"
		})
		if n := len(ours); b.Count("iframe") == 0 && (n == 0 || n > 4) { // what a frame shows is a page of its own
			t.Errorf("%s: %d requests: %+v", path, n, b.Requests())
		}
		b.MustPassAxe()
		further(b, path)
	})
}
