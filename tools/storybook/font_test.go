package storybook_test

import (
	"bytes"
	"compress/gzip"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"daftar/internal/locale"
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
			arabic := unicode.Is(unicode.Arabic, r) || r == '،' || r == '؛' || r == '؟' || r >= 0x64b && r <= 0x655
			if arabic && !slices.Contains(letters, r) {
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

// Every Arabic letter on any page is in the font of the pages, in all its shapes, so that the
// machine's own fonts draw none of them.
func TestFontHasEveryLetter(t *testing.T) {
	t.Parallel()
	// Each letter is between others, at the beginning and at the end, so that it has all its shapes.
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
	b.Navigate(s + checkoutPage(storybook.Light, "pay", locale.Arabic))
	b.Await("the font", func(browsertest.Page) bool {
		return browsertest.Evaluate[bool](b, `[...document.fonts].some(f => f.status === "loaded")`)
	})
	drawn := b.Fonts("#letters")
	drawn = slices.DeleteFunc(drawn, func(f browsertest.Font) bool { return f.Loaded })
	// Spaces may be drawn with any font.
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

// A page without Arabic letters does not load the font. One with them makes four requests, even if
// the merchant has a logo and a colour.
func TestFontIsTheFourthRequest(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t, browsertest.Options{Scripts: true})
	address := serve(t)
	for _, story := range []string{"pay", "pay-brand", "pay-brand-wide"} {
		b.Navigate(address + checkoutPage(storybook.Light, story, locale.Arabic))
		var kinds []string
		size := 0
		for _, r := range b.Requests() {
			if r.Type == "Fetch" {
				continue // the question for the state, two seconds later
			}
			kinds = append(kinds, r.Type)
			size += packed(t, files(t)[strings.TrimPrefix(r.URL, address)])
		}
		slices.Sort(kinds)
		if !slices.Equal(kinds, []string{"Document", "Font", "Script", "Stylesheet"}) {
			t.Errorf("%s loads %q", story, kinds)
		}
		t.Logf("%s loads %d bytes", story, size)
		if size < 20_000 || size > 60_000 {
			t.Errorf("%s loads %d bytes packed, the budget is 60 kB", story, size)
		}
	}
}

// packed is the compressed size of a file in bytes.
func packed(t *testing.T, content []byte) int {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

// The logo can be seen on light and dark pages, keeps its shape, and is printed.
func TestLogoIsShown(t *testing.T) {
	t.Parallel()
	for n, k := range kinds[:2] {
		address, paper := serve(t), n == 1
		b := browsertest.Open(t, browsertest.Options{Width: narrow, Dark: k.scheme == storybook.Dark, Print: paper})
		for story, width := range map[string]float64{"pay-brand": 43, "pay-brand-wide": 120} {
			b.Navigate(address + checkoutPage(k.scheme, story, k.lang))
			seen := browsertest.Evaluate[struct {
				Width, Height  float64
				Picture, Print string
			}](b, `(() => {
				const logo = document.querySelector(".logo"), r = logo.getBoundingClientRect()
				const style = getComputedStyle(logo)
				const picture = style.backgroundImage.slice(0, 21)
				return {Width: r.width, Height: r.height, Picture: picture, Print: style.printColorAdjust}
			})()`)
			if seen.Width < width*0.65 || seen.Width > width || math.Abs(seen.Height*width/seen.Width-40) > 0.5 ||
				seen.Picture != `url("data:image/png;b` || seen.Print != "exact" {
				t.Errorf("%s on paper %t: %+v", story, paper, seen)
			}
		}
	}
}
