package storybook_test

import (
	"testing"

	"daftar/internal/locale"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/storybook"
)

// untidy returns what breaks the rules of layout that hold for all pages: nothing scrolls sideways, a
// field stands at least 4 pixels below its label, notices and groups at least 16 from what is before
// and after them, tables fit a desk in lines of at most 44 pixels, and bars of charts can be hit. Rows
// with lists and answers of servers in them are higher, and the pages of comparisons have their own.
const untidy = `(() => {
	const found = [], box = e => e.getBoundingClientRect(), all = s => [...document.querySelectorAll(s)]
	const shown = e => e.checkVisibility({contentVisibilityAuto: true}) &&
		!e.closest("details:not([open]) > :not(summary), .unseen, noscript")
	const inFlow = e => shown(e) && !["absolute", "fixed", "sticky"].includes(getComputedStyle(e).position)
	const name = e => e.tagName + "." + e.className + " " + e.textContent.trim().slice(0, 20)
	const next = (e, way) => { do e = e[way]; while (e && !inFlow(e)); return e }
	const root = document.documentElement
	if (root.scrollWidth > root.clientWidth) found.push(root.scrollWidth - root.clientWidth + " px too wide")
	for (const f of all("input.t, select.t, textarea, div:has(> input.t)").filter(shown)) {
		const label = next(f, "previousElementSibling")
		if (!label?.matches(".f, .hint, .wrong") || box(label).bottom > box(f).top + 4) continue
		const gap = box(f).top - box(label).bottom
		if (gap < 3.99) found.push(gap.toFixed(1) + " px below a label: " + name(label))
	}
	const groups = "fieldset, .box", parts = groups + ", .card, .scroll, .list, .tiles"
	for (const g of all("main :is(" + parts + ")").filter(inFlow)) {
		for (const way of ["previousElementSibling", "nextElementSibling"]) {
			const o = next(g, way)
			if (!o || !(g.matches(groups) || o.matches(parts))) continue
			const gap = way[0] === "p" ? box(g).top - box(o).bottom : box(o).top - box(g).bottom
			if (gap > -1 && gap < 15.99) found.push(gap.toFixed(1) + " px: " + name(g) + " and " + name(o))
		}
	}
	for (const bar of all(".chart svg a :is(.paid, .none)"))
		if (box(bar).width < 5.99) found.push("a bar of " + box(bar).width.toFixed(1) + " px")
	if (innerWidth < 1280) return found
	for (const s of all(".scroll")) if (s.scrollWidth > s.clientWidth)
		found.push("a table of " + s.scrollWidth + " px in " + s.clientWidth)
	if (document.querySelector(".prose, [data-page^=reconcile], [data-page^=outcome]")) return found
	for (const r of all(".scroll tbody tr").filter(shown)) if (box(r).height > 44.5 &&
		!r.querySelector(".answer, ul:not(details *), details[open]"))
		found.push("a row of " + box(r).height.toFixed(1) + " px: " + name(r))
	return found
})()`

// unclear returns what breaks the rules of words and actions: amounts, percentages and figures with a
// sign are isolated, so that their parts stay in order in Arabic, and have a minus sign, which is no
// hyphen; people read the names of providers, not those in addresses; a page has at most one primary
// button and at least one way on; its problems are before the heading.
const unclear = `(() => {
	const found = [], all = s => [...document.querySelectorAll(s)]
	const shown = e => e.checkVisibility({contentVisibilityAuto: true}) &&
		!e.closest("details:not([open]) > :not(summary), .unseen, noscript")
	const text = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
	while (text.nextNode()) {
		const e = text.currentNode.parentElement, words = text.currentNode.data.trim()
		if (e.closest("script, style, noscript, code, pre, textarea, [hidden], .secret, .prose, #link-message"))
			continue
		const plain = words.replace(/[\u2066\u2068].*?\u2069/g, "")
		const figures = /(?<![\d.])[\d,]+\.\d{3}(?![\d.])|\d%|[+\u2212]\d|\d[+]$/
		if (figures.test(plain) && !e.closest("bdi, svg, option, [dir=ltr]")) found.push("not isolated: " + words)
		if (/^-\d/.test(words)) found.push("a hyphen for a minus: " + words)
		if (/(^|[^\w./:@-])(plutu|moamalat|lypay|(?<!the\s+)sandbox)(?![\w/@.-]|$\w)/.test(words))
			found.push("a slug: " + words)
	}
	if (document.querySelector(".prose")) return found
	const main = document.querySelector("main")
	const filled = e => !e.matches(".copy, .find button, .link, .danger, summary") &&
		getComputedStyle(e).backgroundColor !== "rgba(0, 0, 0, 0)" && e.getBoundingClientRect().width > 1
	const primary = all("main :is(button, .btn)").filter(shown).filter(filled)
	if (primary.length > 1) found.push("primary buttons: " + primary.map(e => e.textContent.trim()).join(", "))
	const ways = all("main :is(a, button, summary, table)").filter(shown)
	if (main.dataset.page && !ways.length) found.push("no way on")
	const problems = document.querySelector("#problems")
	if (problems && !(problems.compareDocumentPosition(document.querySelector("h1")) & 4))
		found.push("the problems are below the heading")
	if (problems && main.dataset.page && !["H1", "DIV"].includes(problems.nextElementSibling.tagName))
		found.push("the problems are not right before the heading")
	return found
})()`

// Every template keeps the rules of layout, words and actions, in one language, the next one in the
// other. TestLongEveryStoryIsTidy checks all stories in both.
func TestEveryTemplateIsTidy(t *testing.T) {
	t.Parallel()
	templates := firstOfEach(story.template)
	for n, k := range kinds[:2] {
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			k.mustBeTidy(t, everyNth(templates, n, 2))
		})
	}
}

func (k kind) mustBeTidy(t *testing.T, some []story) {
	t.Helper()
	o := browsertest.Options{Width: laptopWidth, Height: laptopHeight, Scripts: true}
	k.visit(t, o, some, func(b *browsertest.Tab, _ browsertest.Page, s story) {
		for _, what := range browsertest.Evaluate[[]string](b, unclear) {
			t.Errorf("%s: %s", k.path(s), what)
		}
		for _, width := range []int{laptopWidth, 768, smallWidth} {
			b.Resize(width, laptopHeight)
			for _, what := range browsertest.Evaluate[[]string](b, untidy) {
				t.Errorf("%s on %d pixels: %s", k.path(s), width, what)
			}
		}
		b.Resize(laptopWidth, laptopHeight)
	})
}

// Pages that are empty say so in one way: a card in the middle, which is no warning.
func TestEmptyPagesAreCards(t *testing.T) {
	t.Parallel()
	names := []string{
		"applications-none", "tokens-none", "payments-none-so", "passkeys-none", "audit-nothing",
		"decisions-none", "outcomes-none", "methods-none", "webhooks-none", "requests-none", "link-new-none",
		"organizations-none", "decided-none", "people-alone",
	}
	eachDashboard(t, names, laptopWidth, laptopHeight, func(b *browsertest.Tab, name string) {
		if n := b.Count(".card.empty"); n == 0 || b.Count("main .box:not(.done, .bad)") > 0 {
			t.Errorf("%s: %d cards say that there is nothing", name, n)
		}
	})
	// A mistyped day is named, and is not the same as a day on which nothing happened.
	b := browsertest.Open(t, browsertest.Options{})
	b.Navigate(serve(t) + dashboardPage("audit-bad-day", locale.English))
	said := browsertest.Evaluate[string](b, `document.querySelector("#problems a").textContent`)
	const want = "\u20682026-13-01\u2069 is not a day. Example: 2026-11-20"
	if said != want || b.Count("main .empty, main table") > 0 {
		t.Errorf("a mistyped day: %q", said)
	}
}

// Bars of a chart lead to the payments of their days or weeks, and say their amount; the highest one
// shows it.
func TestChartsLeadToPayments(t *testing.T) {
	t.Parallel()
	type seen struct {
		Bars, Named, Led, Labels int
		LateIsOnTop              bool
	}
	const look = `(() => {
		const bars = [...document.querySelectorAll(".chart svg a")]
		const late = document.querySelector("svg .late"), paid = late?.parentElement.querySelector(".paid")
		return {
			Bars: bars.length, Led: bars.filter(a => a.hasAttribute("href")).length,
			Named: bars.filter(a => /\d/.test(a.getAttribute("aria-label")) &&
				a.querySelector("title").textContent === a.getAttribute("aria-label")).length,
			Labels: document.querySelectorAll(".chart svg text").length,
			LateIsOnTop: !!late && late.getBoundingClientRect().top < paid.getBoundingClientRect().top,
		}
	})()`
	bars := map[string]int{"money": 30, "money-week": 7, "money-quarter": 13}
	address := serve(t)
	b := browsertest.Open(t, browsertest.Options{Width: smallWidth, Height: smallHeight})
	for name, want := range bars {
		b.Navigate(address + dashboardPage(name, locale.Arabic))
		got := browsertest.Evaluate[seen](b, look)
		if got.Bars != want || got.Named != want || got.Led != want || got.Labels != 1 ||
			name != "money-week" && !got.LateIsOnTop {
			t.Errorf("%s: %+v, want %d bars", name, got, want)
		}
	}
}

// A button that would only be refused is inactive.
func TestLimitedFormsHaveInactiveButtons(t *testing.T) {
	t.Parallel()
	address := serve(t)
	b := browsertest.Open(t, browsertest.Options{Width: smallWidth, Height: smallHeight})
	for name, inactive := range map[string]string{
		"otp-limited":        "#confirm:disabled",
		"otp-resend-limited": "#resend:disabled",
		// The ways with codes wait, and one without is chosen.
		"pay-codes-limited": `.ways:has([value$="wallet"]:disabled):has(.way :checked:not([data-needs*="phone"]))`,
	} {
		b.Navigate(address + checkoutPage(storybook.Light, name, locale.Arabic))
		if b.Count(inactive) != 1 || b.Count("main a, main button:enabled") == 0 {
			t.Errorf("%s: no %s", name, inactive)
		}
	}
}
