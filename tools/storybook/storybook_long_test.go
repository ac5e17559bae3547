//go:build long

package storybook_test

import (
	"strings"
	"testing"

	"daftar/internal/web"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/storybook"
)

// Every page in both languages and both schemes, each with a picture.
func TestLongEveryPageOnAPhone(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, _ int, k kind) {
		k.onAPhone(t, every, func(b *browsertest.Tab, path string) {
			b.Screenshot("storybook/" + strings.TrimSuffix(path, ".html"))
		})
	})
}

// A reader who needs twice the usual text size scrolls down, never sideways.
func TestLongEveryPageWithLargeText(t *testing.T) {
	t.Parallel()
	for _, l := range []web.Lang{web.Arabic, web.English} {
		t.Run(l.String(), func(t *testing.T) {
			t.Parallel()
			o := browsertest.Options{Width: narrow, FontSize: 32}
			kind{storybook.Light, l}.visit(t, o, every, func(b *browsertest.Tab, p browsertest.Page, path string) {
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
