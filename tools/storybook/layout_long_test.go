//go:build long

package storybook_test

import (
	"testing"

	"daftar/internal/locale"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/storybook"
)

// eachLanguage runs a test in both languages, at the same time.
func eachLanguage(t *testing.T, run func(t *testing.T, l locale.Lang)) {
	t.Helper()
	for _, l := range storybook.Languages {
		t.Run(l.String(), func(t *testing.T) {
			t.Parallel()
			run(t, l)
		})
	}
}

// paymentPages are the stories of the page of one payment.
var paymentPages = []string{
	"payment", "payment-late", "payment-viewer", "payment-waiting", "payment-refunded", "payment-unknown",
}

// A payment fits into one and a half screens: facts and actions are next to the history, and
// identifiers and positions are folded. On a phone there is one column.
func TestLongPaymentPageIsSeenAtOnce(t *testing.T) {
	t.Parallel()
	type seen struct {
		Height, Gap, Adjacent float64
		Shown, Folded         int
	}
	const look = `(() => {
		const facts = document.querySelector(".pay-facts").getBoundingClientRect()
		const life = document.querySelector(".pay-life").getBoundingClientRect()
		const has = (e, what) => what.test(e.textContent), folds = [...document.querySelectorAll(".pay details")]
		const secret = e => has(e, /[0-9a-f]{8}-[0-9a-f]{4}-|\d\d:\d\d:\d\d\.\d{3} UTC/)
		return {
			Height: document.documentElement.scrollHeight, Gap: Math.abs(facts.top - life.top),
			Adjacent: Math.max(life.left - facts.right, facts.left - life.right),
			Folded: folds.filter(d => !d.open && secret(d)).length,
			Shown: [...document.querySelectorAll(".pay bdi")].filter(e => secret(e) &&
				e.checkVisibility({contentVisibilityAuto: true}) && !e.closest("details:not([open])")).length,
		}
	})()`
	eachLanguage(t, func(t *testing.T, l locale.Lang) {
		address := serve(t)
		b := browsertest.Open(t, browsertest.Options{Width: 1280, Height: 800})
		for _, story := range paymentPages {
			b.Resize(1280, 800)
			p := b.Navigate(address + dashboardPage(story, l))
			got := browsertest.Evaluate[seen](b, look)
			if got.Height > 1200 || got.Gap > 1 || got.Adjacent < 8 || got.Shown > 0 || got.Folded < 2 ||
				p.Overflow > 0 {
				t.Errorf("%s on 1280 × 800: %+v, %d pixels too wide", story, got, p.Overflow)
			}
			b.Resize(smallWidth, smallHeight)
			p = b.Page()
			if got := browsertest.Evaluate[seen](b, look); got.Gap < 100 || p.Overflow > 0 {
				t.Errorf("%s on a phone: %+v, %d pixels too wide", story, got, p.Overflow)
			}
		}
	})
}

// tablePages are stories with tables of many columns.
var tablePages = []string{
	"payments", "webhooks", "decisions", "people", "audit", "methods", "reconcile-differs", "outcomes",
}

// Rows of tables are cards on screens so narrow that the menu is above the page, so that
// nothing has to be scrolled sideways; on wider screens they are rows.
func TestLongTablesAreCardsOnTablets(t *testing.T) {
	t.Parallel()
	const rows = `(() => {
		const cells = [...document.querySelectorAll("table.stack tbody td")]
		const tables = cells.filter(c => getComputedStyle(c).display === "table-cell")
		const cut = [...document.querySelectorAll(".scroll")].filter(e => e.scrollWidth > e.clientWidth + 1)
		return {Cells: cells.length, Tables: tables.length, Cut: cut.length}
	})()`
	eachLanguage(t, func(t *testing.T, l locale.Lang) {
		address := serve(t)
		b := browsertest.Open(t, browsertest.Options{Width: smallWidth})
		for _, story := range tablePages {
			b.Navigate(address + dashboardPage(story, l))
			for width, cards := range map[int]bool{smallWidth: true, 768: true, 960: true, 1280: false} {
				b.Resize(width, browserHeight)
				p := b.Page()
				got := browsertest.Evaluate[struct{ Cells, Tables, Cut int }](b, rows)
				if got.Cells == 0 || cards != (got.Tables == 0) || cards && got.Cut > 0 || p.Overflow > 0 {
					t.Errorf("%s on %d pixels: %+v, %d pixels too wide", story, width, got, p.Overflow)
				}
			}
		}
	})
}

// On paper there is no navigation, tables are tables, and nothing is cut off.
func TestLongDashboardOnPaper(t *testing.T) {
	t.Parallel()
	const look = `(() => {
		const all = s => [...document.querySelectorAll(s)], start = e => e.outerHTML.slice(0, 80)
		const shown = s => all(s).filter(e => e.checkVisibility()).map(start)
		const outside = r => r.right > innerWidth + 1 || r.left < -1
		const cut = e => outside(e.getBoundingClientRect()) ||
			getComputedStyle(e).overflowX !== "visible" && e.scrollWidth > e.clientWidth + 1
		return {
			Navigation: shown("nav, .menu, .crumb, button, .btn, input, select, textarea, [download], .switch"),
			Cut: all("main *").filter(e => !e.closest("svg, .unseen, .deliveries h3") &&
				e.checkVisibility() && cut(e)).map(start),
			Cards: all("table.stack td").filter(e => getComputedStyle(e).display !== "table-cell").length,
			Open: all(".pay details .mono").filter(e => e.getBoundingClientRect().height === 0).length,
		}
	})()`
	type seen struct {
		Navigation, Cut []string
		Cards, Open     int
	}
	eachLanguage(t, func(t *testing.T, l locale.Lang) {
		address := serve(t)
		b := browsertest.Open(t, browsertest.Options{Width: 703, Print: true}) // A4 between margins of 12 mm
		printed := append([]string{"payment", "payment-refunded", "money", "webhook-delivery"}, tablePages...)
		for _, story := range printed {
			p := b.Navigate(address + dashboardPage(story, l))
			got := browsertest.Evaluate[seen](b, look)
			if len(got.Navigation) > 0 || len(got.Cut) > 0 || got.Cards > 0 || got.Open > 0 || p.Overflow > 0 {
				t.Errorf("%s on paper: %+v, %d pixels too wide", story, got, p.Overflow)
			}
		}
	})
}

// Where the reader's system sets the colours, lines show what colours show otherwise.
func TestLongDashboardWithForcedColours(t *testing.T) {
	t.Parallel()
	const look = `(() => {
		const style = s => getComputedStyle(document.querySelector(s))
		const line = s => s.borderTopStyle + s.borderTopWidth
		const kinds = ["ok", "wait", "off", "late"].map(k => line(style(".s." + k)))
		document.querySelector(".menu nav a").focus()
		const current = style(".menu a[aria-current]"), plain = style(".menu nav a:not([aria-current], :focus)")
		return {
			Active: matchMedia("(forced-colors: active)").matches, Kinds: new Set(kinds).size,
			Current: current.outlineStyle + current.outlineWidth, Plain: plain.outlineStyle,
			Count: style(".count").borderTopStyle, Card: style(".strip").borderTopStyle,
			Button: style(".find button").borderTopStyle,
		}
	})()`
	type seen struct {
		Active                              bool
		Kinds                               int
		Current, Plain, Count, Card, Button string
	}
	for _, dark := range []bool{false, true} {
		b := browsertest.Open(t, browsertest.Options{Width: 1280, ForcedColors: true, Dark: dark, Scripts: true})
		b.Navigate(serve(t) + dashboardPage("payments", locale.Arabic))
		want := seen{
			Active: true, Kinds: 4, Current: "solid3px", Plain: "none", Count: "solid", Card: "solid",
			Button: "solid",
		}
		if got := browsertest.Evaluate[seen](b, look); got != want {
			t.Errorf("dark %v: %+v, want %+v", dark, got, want)
		}
		b.Navigate(serve(t) + dashboardPage("money", locale.Arabic))
		bars := browsertest.Evaluate[[]string](b,
			`[".paid", ".stripe", ".ground"].map(s => getComputedStyle(document.querySelector("svg " + s)).fill)`)
		if bars[0] == bars[2] || bars[1] == bars[2] {
			t.Errorf("dark %v: the bars of the chart cannot be seen: %q", dark, bars)
		}
	}
}
