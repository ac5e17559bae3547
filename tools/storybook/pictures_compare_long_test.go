//go:build long

package storybook_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"daftar/internal/locale"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/storybook"
)

// A page that is drawn twice is the same to the last pixel; every visible change is found.
func TestLongPictureDifferences(t *testing.T) {
	t.Parallel()
	pages := map[string]string{ // by the names of their pictures
		"pay":      checkoutPage(storybook.Light, "pay", locale.Arabic),
		"payments": dashboardPage("payments", locale.English),
	}
	take := func(t *testing.T, change func(name, content string) string) (folder string) {
		t.Helper()
		address := servePictured(t, change)
		folder = t.TempDir()
		b := browsertest.Open(t, browsertest.Options{Width: smallWidth, Scripts: true, ReducedMotion: true})
		for name, page := range pages {
			b.Navigate(address + page)
			for _, width := range []int{smallWidth, 1280} {
				b.Resize(width, browserHeight)
				write(t, filepath.Join(folder, name, widths[width]), b.Picture(highestPicture))
			}
		}
		return folder
	}
	before := take(t, nil)
	inSheet := func(rule string) func(name, content string) string {
		return func(name, content string) string {
			if strings.HasSuffix(name, "/daftar.css") || strings.HasSuffix(name, "/dashboard.css") {
				return content + rule
			}
			return content
		}
	}
	inPage := func(text, instead string) func(name, content string) string {
		return func(name, content string) string {
			if name == pages["pay"] || name == pages["payments"] {
				return strings.Replace(content, text, instead, 1)
			}
			return content
		}
	}
	for what, row := range map[string]struct {
		change func(name, content string) string
		differ []string // the pages that do
	}{
		"nothing": {nil, nil},
		"a button of another colour": {
			inSheet(`.ways button, .list-head .btn { background: #0b5d77 }`), []string{"pay", "payments"},
		},
		"letters of another colour": {inSheet(`h1 { color: #3b4a53 }`), []string{"pay", "payments"}},
		"a button 2 pixels lower": {
			inSheet(`.ways button { position: relative; inset-block-start: 2px }`), []string{"pay"},
		},
		"a field 2 pixels to the side": {
			inSheet(`#q, #phone { position: relative; inset-inline-start: 2px }`), []string{"pay", "payments"},
		},
		"a corner that is less round": {
			inSheet(`button, .btn { border-radius: 5px }`), []string{"pay", "payments"},
		},
		"a sign that is missing": {inPage("1,234.500", "1,234.50"), []string{"pay", "payments"}},
		"a word that is missing": {inPage("Older", ""), []string{"payments"}},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			found, compared := compare(t, before, take(t, row.change), t.TempDir())
			if compared != 2*len(pages) {
				t.Errorf("%d pictures were compared", compared)
			}
			differ := map[string]int{}
			for _, d := range found {
				t.Logf("%+v", d)
				if d.counts() {
					differ[filepath.Dir(d.Name)]++
				}
			}
			if got := slices.Sorted(maps.Keys(differ)); !slices.Equal(got, row.differ) {
				t.Errorf("%v differ, want %v", got, row.differ)
			}
			if row.change == nil && len(found) > 0 {
				t.Errorf("differs from itself: %+v", found)
			}
		})
	}
}

// widths are the names of the pictures of a page.
var widths = map[int]string{smallWidth: "phone.png", 1280: "desk.png"}

// The fonts of the pictures have every character of every page, so that the machine's own fonts
// draw none.
func TestLongPicturesHaveTheirFonts(t *testing.T) {
	t.Parallel()
	signs := map[rune]bool{'▸': true, '▾': true} // those of a fold are on no page
	for name, content := range files(t) {
		for _, r := range string(content) {
			if filepath.Ext(name) == ".html" && unicode.IsGraphic(r) && !unicode.IsSpace(r) &&
				!strings.ContainsRune(`<>&"`, r) {
				signs[r] = true
			}
		}
	}
	text := string(slices.Sorted(maps.Keys(signs)))
	styles := map[string]string{
		"sans": "", "bold": "font-weight: 700", "mono": "font-family: var(--mono)",
		"strong": "font-family: var(--mono); font-weight: 700",
	}
	address := servePictured(t, func(name, content string) string {
		switch {
		case strings.HasSuffix(name, "/daftar.css"):
			for id, style := range styles {
				content += "#signs-" + id + " { " + style + " }\n"
			}
		case name == checkoutPage(storybook.Light, "pay", locale.Arabic):
			for id := range styles {
				content = strings.Replace(content, "<main", `<p id="signs-`+id+`">`+text+`</p><main`, 1)
			}
		}
		return content
	})
	b := browsertest.Open(t, browsertest.Options{Width: 1280})
	b.Navigate(address + checkoutPage(storybook.Light, "pay", locale.Arabic))
	b.Picture(highestPicture) // waits for the fonts
	for id := range styles {
		glyphs := 0
		for _, f := range b.Fonts("#signs-" + id) {
			glyphs += f.Glyphs
			if !f.Loaded {
				t.Errorf("%s: %d signs are drawn with %s, a font of this machine", id, f.Glyphs, f.Name)
			}
		}
		if glyphs < len(signs)/2 {
			t.Errorf("%s: %d signs of %d are drawn", id, glyphs, len(signs))
		}
	}
}
