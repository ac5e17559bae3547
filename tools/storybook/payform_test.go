package storybook_test

import (
	"slices"
	"strings"
	"testing"

	"daftar/internal/locale"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/storybook"
	"daftar/tools/storybook/checkoutstories"
)

// tripoli is the zone of customers' phones.
const tripoli = "Africa/Tripoli"

// openPhone opens a tab like a customer's phone.
func openPhone(t *testing.T) *browsertest.Tab {
	t.Helper()
	return browsertest.Open(t, browsertest.Options{
		Width: smallWidth, Height: smallHeight, Scripts: true, Zone: tripoli,
	})
}

// secondTries are the stories in which a customer chooses again: after a failure, and with one thing
// to correct.
func secondTries() (names []string) {
	for _, s := range checkoutstories.All() {
		two := s.Name == "pay-two-problems" || s.Name == "pay-sadad-empty"
		wrong := s.State == "pay" && strings.HasPrefix(s.Title.English, "Error") && !two
		if wrong || strings.HasPrefix(s.Name, "pay-failed-") {
			names = append(names, s.Name)
		}
	}
	return names
}

// The second try needs one thumb: the chosen way with its fields and the button are on the first
// screen of a small phone, the way above them and not hidden by them, and the field has the focus.
func TestSecondTryFitsTheFirstScreen(t *testing.T) {
	t.Parallel()
	names := secondTries()
	if len(names) < 20 {
		t.Errorf("%d stories only", len(names))
	}
	const look = `(() => {
		const box = s => document.querySelector(s)?.getBoundingClientRect()
		const chosen = box(".way:has(:checked)"), asks = box(".asks")
		return {
			Button: box(".ways button").bottom, Chosen: chosen ? chosen.bottom : 0, Asks: asks.top, Scrolled: scrollY,
			Words: document.querySelector(".sum .words") !== null, End: document.querySelector(".sum dt") !== null,
			Summary: document.querySelector("#problems") !== null,
			Wrong: document.querySelectorAll(".wrong").length, Focus: document.activeElement.tagName,
		}
	})()`
	for _, l := range storybook.Languages {
		t.Run(l.String(), func(t *testing.T) {
			t.Parallel()
			address, b := serve(t), openPhone(t)
			for _, name := range names {
				b.Navigate(address + checkoutPage(storybook.Light, name, l))
				got := browsertest.Evaluate[struct {
					Button, Chosen, Asks, Scrolled float64
					Words, End, Summary            bool
					Wrong                          int
					Focus                          string
				}](b, look)
				if got.Button > smallHeight || got.Chosen > got.Asks+1 || got.Scrolled > 0 {
					t.Errorf("%s does not fit the first screen: %+v", name, got)
				}
				folded := !got.Words && got.End == (name == "pay-failed-ends-soon")
				focused := !got.Summary && (got.Wrong == 0 || got.Wrong == 1 && got.Focus == "INPUT")
				if !folded || !focused {
					t.Errorf("%s: %+v", name, got)
				}
			}
		})
	}
}

// Whichever way is chosen, in whatever order, its row stays under the finger and is not hidden, and
// the button stays in view.
func TestNothingMovesUnderTheFinger(t *testing.T) {
	t.Parallel()
	const choose = `(method => {
		const radio = document.querySelector("input[name=method][value=" + method + "]"), row = radio.parentElement
		row.scrollIntoView({block: "nearest"})
		const box = e => e.getBoundingClientRect(), asks = document.querySelector(".asks")
		const hidden = () => Math.max(0, box(row).bottom - box(asks).top)
		scrollBy(0, hidden()) // as a customer does to see it
		const before = box(row).top
		row.click()
		return {
			Moved: Math.abs(box(row).top - before), Chosen: radio.checked, Hidden: hidden(),
			Button: box(asks.querySelector("button")).bottom,
		}
	})`
	for _, l := range storybook.Languages {
		t.Run(l.String(), func(t *testing.T) {
			t.Parallel()
			address, b := serve(t), openPhone(t)
			for _, name := range []string{
				"pay", "pay-five", "pay-five-sadad", "pay-all-methods", "pay-sadad-refused",
			} {
				b.Navigate(address + checkoutPage(storybook.Light, name, l))
				ways := browsertest.Evaluate[[]string](b,
					`[...document.querySelectorAll("input[name=method]:not(:disabled)")].map(e => e.value)`)
				back := slices.Clone(ways)
				slices.Reverse(back)
				for _, method := range slices.Concat(ways, back) {
					got := browsertest.Evaluate[struct {
						Moved, Hidden, Button float64
						Chosen                bool
					}](b, choose+`("`+method+`")`)
					if !got.Chosen || got.Moved > 8 || got.Hidden > 8 || got.Button > smallHeight {
						t.Errorf("%s, %s: %+v", name, method, got)
					}
				}
			}
		})
	}
}

// The end of the time to pay is one line of a small phone, on the longest day, and says whose time it
// is only where the phone has another.
func TestTheEndIsOneLine(t *testing.T) {
	t.Parallel()
	longest := map[locale.Lang]string{
		locale.Arabic: "الأربعاء 22 سبتمبر، 12:30\u00a0صباحًا", locale.English: "Wed 22 Sep, 12:30\u00a0pm",
	}
	usual := map[locale.Lang]string{
		locale.Arabic: "الأحد 22 نوفمبر، 2:30\u00a0ظهرًا", locale.English: "Sun 22 Nov, 2:30\u00a0pm",
	}
	const look = `(() => {
		const time = document.querySelector(".rows time"), zone = document.querySelector("[data-zone]")
		const lines = new Set(), range = document.createRange()
		range.selectNodeContents(time)
		for (const r of range.getClientRects()) lines.add(Math.round(r.bottom))
		return {Text: time.textContent, Lines: lines.size, Zone: zone.checkVisibility()}
	})()`
	type seen struct {
		Text  string
		Lines int
		Zone  bool
	}
	address := serveFiles(t, func(_, content string) string {
		for l, text := range usual {
			content = strings.ReplaceAll(content, text, longest[l])
		}
		return content
	})
	here, abroad := openPhone(t), browsertest.Open(t, browsertest.Options{Scripts: true, Zone: "Europe/Rome"})
	for _, l := range storybook.Languages {
		for _, name := range []string{"pay", "lightbox", "qr"} {
			page := address + checkoutPage(storybook.Light, name, l)
			here.Navigate(page)
			if got := browsertest.Evaluate[seen](here, look); got != (seen{longest[l], 1, false}) {
				t.Errorf("%s: %+v", name, got)
			}
			abroad.Navigate(page)
			if got := browsertest.Evaluate[seen](abroad, look); !got.Zone {
				t.Errorf("%s in Rome: %+v", name, got)
			}
		}
	}
}
