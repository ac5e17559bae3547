package storybook_test

import (
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"daftar/internal/browsertest"
	"daftar/internal/storybook"
	"daftar/internal/web"
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

// everyOther visits every other page of one language and scheme in one tab, the
// first among them or not. There are too many pages to see them all in every way:
// each is seen once in each language, and its neighbours in the other scheme. Those
// of the checkout are looked at closely each time, those of the dashboard once.
func everyOther(t *testing.T, first bool, o browsertest.Options, scheme storybook.Scheme, l web.Lang, look func(*testing.T, *browsertest.Tab, browsertest.Page, string, bool)) {
	t.Helper()
	address := serve(t)
	b := browsertest.Open(t, o)
	pages, n := 0, -1
	for _, g := range storybook.Groups() {
		for _, p := range g.Pages {
			n++
			if first = !first; first {
				continue
			}
			path := storybook.Path(scheme, g, p, l)
			seen := b.Navigate(address + path)
			if seen.State != p.State || seen.Detail != p.Detail {
				t.Errorf("%s shows %+v, want %s %s", path, seen, p.State, p.Detail)
			}
			if view := browsertest.Evaluate[string](b, `document.querySelector("main").dataset.page ?? ""`); view != p.View {
				t.Errorf("%s shows %s, want %s", path, view, p.View)
			}
			look(t, b, seen, path, p.View == "" || (n/2%2 == 0) == (l == web.Arabic))
			pages++
		}
	}
	if pages < 60 {
		t.Errorf("%d pages only", pages)
	}
}

func eachKind(t *testing.T, run func(*testing.T, storybook.Scheme, web.Lang)) {
	for _, scheme := range storybook.Schemes {
		for _, l := range storybook.Languages {
			t.Run(string(scheme)+"/"+l.String(), func(t *testing.T) {
				t.Parallel()
				run(t, scheme, l)
			})
		}
	}
}

// Every page keeps the rules of accessibility, on the smallest phone, in both
// languages. What the browser has to complain about fails as well.
func TestEveryPageOnAPhone(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, scheme storybook.Scheme, l web.Lang) {
		o := browsertest.Options{Width: narrow, Scripts: true, Dark: scheme == storybook.Dark}
		first := (scheme == storybook.Light) == (l == web.Arabic)
		everyOther(t, first, o, scheme, l, func(t *testing.T, b *browsertest.Tab, p browsertest.Page, path string, closely bool) {
			if p.Lang != l.String() || p.Dir != l.Dir() || p.Title == "" {
				t.Errorf("%s: lang %q, dir %q, title %q", path, p.Lang, p.Dir, p.Title)
			}
			if n := b.Count("h1"); n != 1 {
				t.Errorf("%s: %d elements h1", path, n)
			}
			if p.Overflow > 0 {
				t.Errorf("%s: %d pixels wider than the screen", path, p.Overflow)
			}
			if n := len(b.Requests()); n == 0 || n > 4 {
				t.Errorf("%s: %d requests: %+v", path, n, b.Requests())
			}
			if closely {
				b.MustPassAxe()
				b.Screenshot("storybook/" + strings.TrimSuffix(path, ".html"))
			}
		})
	})
}

// Whoever reads at twice the usual size scrolls down, never sideways.
func TestEveryPageWithLargeText(t *testing.T) {
	t.Parallel()
	for _, l := range storybook.Languages {
		t.Run(l.String(), func(t *testing.T) {
			t.Parallel()
			o := browsertest.Options{Width: narrow, FontSize: 32}
			everyOther(t, l == web.Arabic, o, storybook.Light, l, func(t *testing.T, b *browsertest.Tab, p browsertest.Page, path string, _ bool) {
				if size := browsertest.Evaluate[float64](b, `parseFloat(getComputedStyle(document.querySelector("main p, main td, main li")).fontSize)`); size < 26 {
					t.Errorf("%s: the text keeps its size, %v pixels", path, size)
				}
				if p.Overflow > 0 {
					t.Errorf("%s: %d pixels wider than the screen", path, p.Overflow)
				}
			})
		})
	}
}
