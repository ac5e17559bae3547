package storybook_test

import (
	"strconv"
	"strings"
	"testing"

	"daftar/internal/locale"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/storybook"
)

// below returns the visible elements that do not end on the first screen.
const below = `[...document.querySelectorAll(SELECTOR)].filter(e => e.checkVisibility())
	.map(e => [e.getBoundingClientRect(), e]).filter(([r, e]) => r.top < 0 || r.bottom > innerHeight)
	.map(([r, e]) => e.outerHTML.slice(0, 60) + " ends at " + Math.round(r.bottom))`

// Without scrolling, a customer on a small phone sees whom to pay, how much, the chosen method
// with its fields, and the button; on the page for a code, its field and its problem.
// TestLongFirstScreen checks all such pages, in both languages.
func TestFirstScreen(t *testing.T) {
	t.Parallel()
	mustFitFirstScreen(t, locale.Arabic, []string{"pay", "pay-five"}, []string{"otp-wrong"})
}

// mustFitFirstScreen checks pages on which a customer chooses how to pay, pages for a code, and
// the receipt that follows.
func mustFitFirstScreen(t *testing.T, l locale.Lang, choices, codes []string) {
	t.Helper()
	address := serve(t)
	b := browsertest.Open(t, browsertest.Options{Width: smallWidth, Height: smallHeight, Scripts: true})
	look := func(name, selector string) {
		t.Helper()
		b.Navigate(address + checkoutPage(storybook.Light, name, l))
		if n := b.Count(selector); n < 4 {
			t.Errorf("%s: %d elements only", name, n)
		}
		script := strings.Replace(below, "SELECTOR", strconv.Quote(selector), 1)
		for _, far := range browsertest.Evaluate[[]string](b, script) {
			t.Errorf("%s: %s", name, far)
		}
	}
	for _, name := range choices {
		look(name, ".top b, .sum .amount, .way:has(:checked), .phone .t, .birth-year .t, .ways button")
	}
	for _, name := range codes {
		look(name, ".top b, .sum .amount, #otp, #otp-problem, #confirm")
		if f := b.Focus(); f.Name != "otp" {
			t.Errorf("%s: the focus is on %+v", name, f)
		}
	}
	look("receipt-just-paid", ".top b, .sum .amount, #back, [data-moves]")
	gap := browsertest.Evaluate[float64](b, `document.querySelector("[data-moves]").getBoundingClientRect().top -
		document.querySelector("#back").getBoundingClientRect().bottom`)
	if gap < 0 || gap > 24 {
		t.Errorf("the notice is %.0f pixels away from the button that it is about", gap)
	}
}

// The pressed button shows that the form is being sent, in place of its label, and keeps its
// size. It is animated only for readers who did not ask for reduced motion.
func TestSendingIsShown(t *testing.T) {
	t.Parallel()
	for motion, calm := range map[string]bool{"along": false, "none": true} {
		t.Run(motion, func(t *testing.T) {
			t.Parallel()
			b := browsertest.Open(t, browsertest.Options{Width: smallWidth, Scripts: true, ReducedMotion: calm})
			b.Navigate(serve(t) + checkoutPage(storybook.Light, "pay", locale.Arabic))
			type shown struct {
				Says, Label, Moves string
				Width, Height      float64
			}
			const read = `(() => {
				const button = document.querySelector(".ways button"), r = button.getBoundingClientRect()
				const after = getComputedStyle(button, "::after"), before = getComputedStyle(button, "::before")
				return {
					Says: after.content, Label: getComputedStyle(button).color, Moves: before.animationName,
					Width: r.width, Height: r.height,
				}
			})()`
			first := browsertest.Evaluate[shown](b, read)
			b.Fill("#phone", "0912345678")
			b.Click(".ways button") // answered with nothing: the page stays
			b.Await("the button to say so", func(browsertest.Page) bool { return b.Count("button[data-says]") > 0 })
			want := shown{`"جارٍ الإرسال…"`, "rgba(0, 0, 0, 0)", motion, first.Width, first.Height}
			if got := browsertest.Evaluate[shown](b, read); got != want || first.Says != "none" {
				t.Errorf("the button shows %+v, want %+v; before %+v", got, want, first)
			}
		})
	}
}

// Receipts of late or second payments have their mark on paper, too, in amber if the printer
// has colours, even on the narrow paper of a till.
func TestAmberMarkIsPrinted(t *testing.T) {
	t.Parallel()
	b, address := browsertest.Open(t, browsertest.Options{Print: true}), serve(t)
	for _, name := range []string{"receipt-late", "receipt-twice"} {
		b.Navigate(address + checkoutPage(storybook.Light, name, locale.Arabic))
		for _, width := range []int{280, 800} {
			b.Resize(width, browserHeight)
			mark := browsertest.Evaluate[struct {
				Shown         bool
				Colour, Print string
				First         bool
			}](b, `(() => {
				const mark = document.querySelector(".mark.stop"), style = getComputedStyle(mark)
				const note = document.querySelector(".attention"), amount = document.querySelector(".amount")
				return {
					Shown: mark.checkVisibility(), Colour: style.color, Print: style.printColorAdjust,
					First: note.checkVisibility() &&
						note.getBoundingClientRect().bottom <= amount.getBoundingClientRect().top,
				}
			})()`)
			if !mark.Shown || mark.Colour != "rgb(125, 81, 0)" || mark.Print != "exact" || !mark.First {
				t.Errorf("%s on %d pixels: %+v", name, width, mark)
			}
		}
	}
}
