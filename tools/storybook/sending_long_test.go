//go:build long

package storybook_test

import (
	"slices"
	"testing"

	"daftar/internal/locale"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/storybook"
)

// From the tap to the button that says "Sending…", in milliseconds.
const sendingLimit = 100

// The button shows at once that the form is being sent, even on a slow network, because it does
// not wait for an answer.
func TestLongMeasuredSending(t *testing.T) {
	for _, calm := range []bool{false, true} {
		b := browsertest.Open(t, browsertest.Options{
			Width: smallWidth, Height: smallHeight, Scripts: true, ReducedMotion: calm,
		})
		address := serve(t) + checkoutPage(storybook.Light, "pay", locale.Arabic)
		var took []float64
		for range 20 {
			b.Navigate(address)
			b.Fill("#phone", "0912345678")
			// The frame after the one in which the attribute was set has been painted with it.
			browsertest.Evaluate[bool](b, `(() => {
				if (window.watched) return true
				window.watched = true
				const button = document.querySelector(".ways button")
				button.addEventListener("click", () => { window.tapped = performance.now() }, true)
				const shown = () => { window.shown ??= performance.now() }
				new MutationObserver(() => requestAnimationFrame(() => requestAnimationFrame(shown)))
					.observe(button, {attributes: true, attributeFilter: ["data-says"]})
				return true
			})()`)
			b.Click(".ways button")
			b.Await("the button to say so", func(browsertest.Page) bool {
				return browsertest.Evaluate[bool](b, `window.shown > 0`)
			})
			took = append(took, browsertest.Evaluate[float64](b, `window.shown - window.tapped`))
		}
		slices.Sort(took)
		t.Logf("reduced motion %t: p75 %.0f ms, from %.0f to %.0f ms", calm, took[15], took[0], took[19])
		if took[15] > sendingLimit {
			t.Errorf("reduced motion %t: the button shows it after %.0f ms in three of four cases, want %d",
				calm, took[15], sendingLimit)
		}
	}
}
