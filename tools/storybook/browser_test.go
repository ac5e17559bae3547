package storybook_test

import (
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"daftar/tools/acceptance/browsertest"
	"daftar/tools/storybook"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Around(m).Run()) }

// The screens of the smallest phones, and of a usual phone, in pixels.
const (
	narrow                  = 320
	smallWidth, smallHeight = 360, 640
)

// doubled is twice the usual text size, in pixels.
const doubled = 32

func serve(t *testing.T) (address string) {
	t.Helper()
	s := httptest.NewServer(storybook.Handler(files(t)))
	t.Cleanup(s.Close)
	return s.URL + "/"
}

// Every template fits the smallest phone, even with large text, in one scheme and one language, the
// next template in others. Axe takes most of the time, so it checks the pages of customers and a
// fifth of the rest. TestLongEveryPageOnAPhone checks every page in every way.
func TestEveryTemplateOnAPhone(t *testing.T) {
	t.Parallel()
	templates := firstOfEach(story.template)
	if len(templates) < 60 {
		t.Errorf("%d templates only", len(templates))
	}
	var byAxe, others []story
	for n, s := range templates {
		if s.forCustomers() || n%5 == 0 {
			byAxe = append(byAxe, s)
		} else {
			others = append(others, s)
		}
	}
	for n, k := range kinds {
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			k.judgeOnAPhone(t, everyNth(byAxe, n, len(kinds)), (*browsertest.Tab).MustPassAxe)
			k.judgeOnAPhone(t, everyNth(others, n, len(kinds)), func(*browsertest.Tab) {})
		})
	}
}

// everyNth returns the stories whose index has the given remainder.
func everyNth(all []story, remainder, n int) (some []story) {
	for i := remainder; i < len(all); i += n {
		some = append(some, all[i])
	}
	return some
}

// judgeOnAPhone checks pages of one kind: with text of the usual size, if asked for also with axe,
// and then with text of twice that size.
func (k kind) judgeOnAPhone(t *testing.T, some []story, axe func(*browsertest.Tab)) {
	t.Helper()
	o := browsertest.Options{Width: narrow, Scripts: true}
	k.visit(t, o, some, func(b *browsertest.Tab, p browsertest.Page, s story) {
		if p.Lang != k.lang.String() || p.Dir != k.lang.Dir() || p.Title == "" {
			t.Errorf("%s: lang %q, dir %q, title %q", k.path(s), p.Lang, p.Dir, p.Title)
		}
		if p.Overflow > 0 {
			t.Errorf("%s: %d pixels wider than the screen", k.path(s), p.Overflow)
		}
		// An acquirer's script, those for passkeys, the till and the search, and the request for the state two
		// seconds later are not counted.
		ours := slices.DeleteFunc(b.Requests(), func(r browsertest.Request) bool {
			return r.Type == "Fetch" || strings.HasSuffix(r.URL, "/form.js") ||
				strings.HasSuffix(r.URL, "/passkeys.js") || strings.HasSuffix(r.URL, "/till.js") ||
				strings.HasSuffix(r.URL, "/search.js")
		})
		// What a frame shows is a separate page.
		if n := len(ours); b.Count("iframe") == 0 && (n == 0 || n > 4) {
			t.Errorf("%s: %d requests: %+v", k.path(s), n, b.Requests())
		}
		axe(b)
		b.SetFontSize(doubled)
		k.judgeLargeText(t, b, s)
		b.SetFontSize(0)
		b.Resize(narrow, browserHeight)
	})
}

// browserHeight is the height of a screen if none is given.
const browserHeight = 800

// judgeLargeText checks the page in a tab with text of twice the usual size: it must not scroll
// sideways, and on pages of customers no word, figure or reference may be broken. The documentation
// and the dashboard have addresses and names of code that are wider than a small screen.
func (k kind) judgeLargeText(t *testing.T, b *browsertest.Tab, s story) {
	t.Helper()
	size := browsertest.Evaluate[float64](b,
		`parseFloat(getComputedStyle(document.querySelector("main p, main td, main li")).fontSize)`)
	if size < 26 {
		t.Errorf("%s: the text keeps its size, %v pixels", k.path(s), size)
	}
	widths := []int{narrow}
	if s.forCustomers() {
		widths = append(widths, smallWidth)
	}
	for _, width := range widths {
		if width != narrow {
			b.Resize(width, browserHeight)
		}
		if p := b.Page(); p.Overflow > 0 {
			t.Errorf("%s on %d pixels: %d pixels wider than the screen", k.path(s), width, p.Overflow)
		}
		if !s.forCustomers() {
			continue
		}
		if words := browsertest.Evaluate[[]string](b, broken); len(words) > 0 {
			t.Errorf("%s on %d pixels: broken apart: %q", k.path(s), width, words)
		}
	}
}

// broken returns the words and figures on more than one line. Breaks are allowed after a hyphen,
// and within a merchant's word that is wider than the screen.
const broken = `(() => {
	const found = [], text = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
	while (text.nextNode()) {
		const n = text.currentNode
		if (!n.parentElement.checkVisibility()) continue
		if (n.parentElement.closest(".unseen, script, noscript, style")) continue
		for (const m of n.data.matchAll(/[^\s\u00a0\u2013-]+/g)) {
			if (m[0].length > 25 && n.parentElement.closest("bdi")) continue
			const r = document.createRange()
			r.setStart(n, m.index)
			r.setEnd(n, m.index + m[0].length)
			const lines = new Set([...r.getClientRects()].filter(b => b.width > 0).map(b => Math.round(b.bottom)))
			if (lines.size > 1) found.push(m[0])
		}
	}
	return found
})()`
