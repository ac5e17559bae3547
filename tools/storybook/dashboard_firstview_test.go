package storybook_test

import (
	"slices"
	"strings"
	"testing"

	"daftar/internal/locale"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/storybook"
)

// The screen of a usual laptop, and the bar of tabs at the bottom of a phone, in pixels.
const (
	laptopWidth, laptopHeight = 1280, 800
	tabsHeight                = 64
)

// dashboardStories are the names of the stories with one of the templates; without one, of all.
func dashboardStories(templates ...string) (names []string) {
	for _, s := range stories() {
		if s.group.Folder == "dashboard" && (len(templates) == 0 || slices.Contains(templates, s.page.View)) {
			names = append(names, s.page.Name)
		}
	}
	return names
}

// eachDashboard shows stories of the dashboard in both languages, in a window of that size, without
// scripts: everything that is looked at works without.
func eachDashboard(
	t *testing.T, names []string, width, height int, look func(b *browsertest.Tab, name string),
) {
	t.Helper()
	address := serve(t)
	b := browsertest.Open(t, browsertest.Options{Width: width, Height: height})
	for _, l := range storybook.Languages {
		for _, name := range names {
			b.Navigate(address + dashboardPage(name, l))
			look(b, name+"."+l.String())
		}
	}
}

// The list of payments begins on the first screen: on a laptop at least eight payments are on it,
// in a table that need not be scrolled, with a line for each.
func TestPaymentsBeginOnTheFirstScreen(t *testing.T) {
	t.Parallel()
	type seen struct {
		Rows, Shown, Cut int
		First, Highest   float64
	}
	const measure = `(() => {
		const rows = [...document.querySelectorAll("table.brief tbody tr")].map(r => r.getBoundingClientRect())
		return {
			Rows: rows.length, Shown: rows.filter(r => r.bottom <= innerHeight).length,
			First: rows.length ? rows[0].top : 0, Highest: Math.max(0, ...rows.map(r => r.height)),
			Cut: [...document.querySelectorAll(".scroll")].filter(e => e.scrollWidth > e.clientWidth).length,
		}
	})()`
	lists := dashboardStories("payments")
	full := 0
	eachDashboard(t, lists, smallWidth, smallHeight, func(b *browsertest.Tab, name string) {
		got := browsertest.Evaluate[seen](b, measure)
		if got.Rows > 0 {
			full++
		}
		if got.First > 420 || got.Cut > 0 {
			t.Errorf("%s on a phone: %+v", name, got)
		}
	})
	if full < 14 {
		t.Errorf("%d lists with payments only", full)
	}
	eachDashboard(t, lists, laptopWidth, laptopHeight, func(b *browsertest.Tab, name string) {
		got := browsertest.Evaluate[seen](b, measure)
		if got.First > 330 || got.Highest > 44 || got.Shown < min(got.Rows, 8) || got.Cut > 0 {
			t.Errorf("%s on a laptop: %+v", name, got)
		}
		if many := strings.HasPrefix(name, "payments-many"); many && got.Shown < 8 {
			t.Errorf("%s: %d payments on the first screen", name, got.Shown)
		}
	})
}

// On a phone every page has one bar at the top and tabs at the bottom, which hide nothing.
func TestPhoneNavigation(t *testing.T) {
	t.Parallel()
	type seen struct {
		Begins, Tabs, Smallest, Narrowest, Foot, Bar float64
	}
	const measure = `(() => {
		const box = e => e.getBoundingClientRect(), all = s => [...document.querySelectorAll(s)]
		const main = [...document.querySelector("main").children].filter(e => e.checkVisibility() &&
			getComputedStyle(e).position !== "absolute")
		const tabs = all(".thumb a, .bar .menu > summary").map(box), begins = box(main[0]).top
		scrollTo(0, document.documentElement.scrollHeight)
		const foot = box(document.querySelector(".foot")).bottom, bar = box(document.querySelector(".bar"))
		return {
			Begins: begins, Tabs: tabs.length, Smallest: Math.min(...tabs.map(t => t.height)),
			Narrowest: Math.min(...tabs.map(t => t.width)), Foot: foot - bar.top,
			Bar: Math.abs(bar.bottom - innerHeight),
		}
	})()`
	var names []string
	for _, s := range firstOfEach(story.template) {
		if s.group.Folder == "dashboard" {
			names = append(names, s.page.Name)
		}
	}
	inside := 0
	names = append(names, "overview-test")
	eachDashboard(t, names, smallWidth, smallHeight, func(b *browsertest.Tab, name string) {
		if b.Count(".bar") == 0 {
			return // nobody is signed in
		}
		inside++
		got := browsertest.Evaluate[seen](b, measure)
		if got.Begins > 64 || got.Smallest < 48 || got.Narrowest < 48 || got.Foot > 1 || got.Bar > 1 {
			t.Errorf("%s: %+v", name, got)
		}
	})
	if inside < 60 {
		t.Errorf("%d pages only", inside)
	}
}

// Each role has the tabs of what it may do, and the rest opens without a script. In test mode the
// bar says so.
func TestTabsByRole(t *testing.T) {
	t.Parallel()
	const read = `({
		Paths: [...document.querySelectorAll(".thumb a")].map(a => a.textContent.trim().replace(/\s+/g, " ")),
		Test: document.querySelector(".test .brief").checkVisibility() &&
			document.querySelector(".test").getBoundingClientRect().bottom < 64,
	})`
	address := serve(t)
	b := browsertest.Open(t, browsertest.Options{Width: smallWidth, Height: smallHeight})
	for name, want := range map[string]string{
		"overview":           "الرئيسية|المدفوعات|رابط جديد|تحتاج قرارًا 2",
		"overview-developer": "الرئيسية|المدفوعات|رابط جديد|تحتاج قرارًا 2",
		"overview-finance":   "الرئيسية|المدفوعات|تحتاج قرارًا 2|تحقّق",
		"overview-support":   "الرئيسية|المدفوعات|تحقّق",
		"overview-viewer":    "الرئيسية|المدفوعات|تحقّق",
	} {
		b.Navigate(address + dashboardPage(name, locale.Arabic))
		got := browsertest.Evaluate[struct {
			Paths []string
			Test  bool
		}](b, read)
		if text := strings.Join(got.Paths, "|"); text != want || !got.Test {
			t.Errorf("%s: %q, test mode shown: %v", name, text, got.Test)
		}
		b.Click(".bar .menu > summary")
		b.Await("the menu to open", func(browsertest.Page) bool { return b.Count(".menu[open]") > 0 })
		shown := browsertest.Evaluate[bool](b, `(() => {
			const nav = document.querySelector(".menu nav"), r = nav.getBoundingClientRect()
			const bar = document.querySelector(".bar").getBoundingClientRect()
			return r.top >= 0 && r.height > 100 && r.bottom <= bar.top + 1
		})()`)
		if !shown {
			t.Errorf("%s: the rest of the navigation does not open above the tabs", name)
		}
	}
}

// A decision is a question with two answers of one size, both on the first screen of a phone.
func TestDecisionsAreQuestions(t *testing.T) {
	t.Parallel()
	const measure = `(() => {
		const answers = [...document.querySelectorAll(".question:first-of-type .answers .btn")]
			.map(a => a.getBoundingClientRect())
		return {
			Answers: answers.length, Lowest: Math.max(...answers.map(r => r.bottom)),
			Differ: answers.length < 2 ? 99 : Math.abs(answers[0].width - answers[1].width) +
				Math.abs(answers[0].height - answers[1].height) + Math.abs(answers[0].top - answers[1].top),
			Numbers: [...document.querySelectorAll(".question .mono")].filter(e =>
				e.checkVisibility({contentVisibilityAuto: true}) && !e.closest("details:not([open])")).length,
		}
	})()`
	names := []string{"decisions", "decisions-finance", "decisions-chosen"}
	eachDashboard(t, names, smallWidth, smallHeight, func(b *browsertest.Tab, name string) {
		got := browsertest.Evaluate[struct {
			Answers, Numbers int
			Lowest, Differ   float64
		}](b, measure)
		if got.Answers != 2 || got.Lowest > smallHeight-tabsHeight || got.Differ > 1 || got.Numbers > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	})
}

// No figure of the overview is without a link to what it counts.
func TestFiguresOfTheOverviewAreLinks(t *testing.T) {
	t.Parallel()
	const bare = `[...document.querySelectorAll(".home :is(.amount, .count, b, .s.late)")]
		.filter(e => !e.closest("a, table, ol, .card:has(ol)")).map(e => e.outerHTML)`
	names := dashboardStories("overview")
	eachDashboard(t, names, smallWidth, smallHeight, func(b *browsertest.Tab, name string) {
		for _, figure := range browsertest.Evaluate[[]string](b, bare) {
			t.Errorf("%s: no link at %s", name, figure)
		}
	})
}
