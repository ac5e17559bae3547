package storybook_test

import (
	"strings"
	"testing"

	"daftar/tools/acceptance/browsertest"
	"daftar/tools/storybook"
)

// The front door is one screen on a small phone and on a laptop, in both languages: what the service
// is, its picture, and the ways on. Its button is the first thing that can be pressed after them.
func TestFrontDoorIsOneScreen(t *testing.T) {
	t.Parallel()
	address := serve(t)
	b := browsertest.Open(t, browsertest.Options{Width: smallWidth, Height: smallHeight})
	for _, name := range []string{"welcome", "welcome-demo", "welcome-sign-up", "welcome-plain"} {
		for _, l := range storybook.Languages {
			b.Navigate(address + "light/front/" + name + "." + l.String() + ".html")
			for _, size := range [][2]int{{smallWidth, smallHeight}, {1280, 800}} {
				b.Resize(size[0], size[1])
				const selector = `h1, .pitch p, .picture .sum, .try button, .try .btn, .try a`
				if n := b.Count(selector); n < 5 {
					t.Errorf("%s in %s: %d elements only", name, l, n)
				}
				script := strings.Replace(below, "SELECTOR", "`"+selector+"`", 1)
				for _, far := range browsertest.Evaluate[[]string](b, script) {
					t.Errorf("%s in %s on %d × %d: %s", name, l, size[0], size[1], far)
				}
				const primary = `[...document.querySelectorAll("main button, main .btn:not(.quiet)")].length`
				if n := browsertest.Evaluate[int](b, primary); n != 1 {
					t.Errorf("%s in %s has %d primary actions", name, l, n)
				}
			}
		}
	}
}
