package storybook_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"daftar/internal/web"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/storybook"
)

// arabicLetters are all letters and signs of Arabic that any page of the stories has.
func arabicLetters(t *testing.T) string {
	t.Helper()
	var letters []rune
	for name, content := range files(t) {
		if !strings.HasSuffix(name, ".ar.html") {
			continue
		}
		for _, r := range string(content) {
			if (unicode.Is(unicode.Arabic, r) || r == '،' || r == '؛' || r == '؟' || r >= 0x64b && r <= 0x655) && !slices.Contains(letters, r) {
				letters = append(letters, r)
			}
		}
	}
	slices.Sort(letters)
	if len(letters) < 40 {
		t.Fatalf("%d letters only: %q", len(letters), string(letters))
	}
	return string(letters)
}

// Every letter of Arabic on any page is in the font that the pages bring along, in all its
// shapes: the machine's own fonts draw none of them.
func TestFontHasEveryLetter(t *testing.T) {
	t.Parallel()
	// Letters between others, so that each has its shape of the beginning, middle and end.
	var text strings.Builder
	for _, r := range arabicLetters(t) {
		text.WriteString(strings.Repeat("ب"+string(r), 2) + "ب " + string(r) + " ")
	}
	s := serveFiles(t, func(name, content string) string {
		switch {
		case strings.HasSuffix(name, "daftar.css"): // the test waits for it
			return strings.Replace(content, "font-display: optional", "font-display: block", 1)
		case strings.HasSuffix(name, "/checkout/pay.ar.html"):
			return strings.Replace(content, "<main", `<p id="letters">`+text.String()+`</p><main`, 1)
		}
		return content
	})
	b := browsertest.Open(t, browsertest.Options{})
	b.Navigate(s + checkoutPage(storybook.Light, "pay", web.Arabic))
	b.Await("the font", func(browsertest.Page) bool {
		return browsertest.Evaluate[bool](b, `[...document.fonts].some(f => f.status === "loaded")`)
	})
	drawn := b.Fonts("#letters")
	drawn = slices.DeleteFunc(drawn, func(f browsertest.Font) bool { return f.Loaded })
	// Blanks are no letters: they may be of any font.
	blanks := strings.Count(text.String(), " ")
	for _, f := range drawn {
		if f.Glyphs > blanks {
			t.Errorf("%d glyphs are drawn with %s, a font of this machine", f.Glyphs-blanks, f.Name)
		}
	}
	if all := b.Fonts("#letters"); len(all) == len(drawn) {
		t.Errorf("drawn with %+v", all)
	}
}

// A page without Arabic letters would not load the font; one with them asks for four things.
func TestFontIsTheFourthRequest(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t, browsertest.Options{Scripts: true})
	b.Navigate(serve(t) + checkoutPage(storybook.Light, "pay", web.Arabic))
	var kinds []string
	for _, r := range b.Requests() {
		kinds = append(kinds, r.Type)
	}
	slices.Sort(kinds)
	if !slices.Equal(kinds, []string{"Document", "Font", "Script", "Stylesheet"}) {
		t.Errorf("the page loads %q", kinds)
	}
}
