package view

import (
	"html/template"
	"strconv"
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments"
	"daftar/payments/decisions"
	"daftar/projections"
	"daftar/requestlog"
)

// OverviewDays is how many days before today the overview compares: to the same weekday.
const OverviewDays = 7

// Overview is the first page after the sign-in: what happened today, and what needs the reader.
type Overview struct {
	Applications []accounts.Application
	Today        domain.Day
	Rows         []PaymentRow             // the latest
	Days         []projections.DayFigures // of a week ago to today; empty: not theirs to see
	Steps        Steps                    // of a new organisation
	Failing      []payments.Health        // methods that may be out of order
	Open         []decisions.Exception    // the longest waiting, for finance
	Endpoints    []string                 // applications whose webhooks fail, for developers
	Requests     []FailedRequests         // of the API, for developers
	AsOf         *time.Time               // as in PaymentList
}

// FailedRequests are the failed requests of an application.
type FailedRequests struct {
	requestlog.Failed

	Name string
}

func (Overview) head(t *Texts) (template, title string) {
	return "overview", t.Sections[SectionOverview]
}

// Form is an empty search.
func (Overview) Form() PaymentsForm { return PaymentsForm{} }

// parts are the parts of the overview in the order of each role's work.
var parts = map[accounts.Role][]string{
	accounts.RoleOwner:     {"today", "needs", "latest", "week"},
	accounts.RoleFinance:   {"waiting", "needs", "today", "week", "latest"},
	accounts.RoleSupport:   {"search", "latest", "needs"},
	accounts.RoleDeveloper: {"needs", "latest", "today", "week"},
	accounts.RoleViewer:    {"today", "latest", "week"},
}

// Parts are the names of the templates that the reader sees, in their order.
func (o Overview) Parts(r rendering) []string {
	var shown []string
	if len(o.Steps) > o.Steps.Done() {
		if shown = append(shown, "steps"); len(o.Rows) == 0 {
			return shown
		}
	}
	for _, part := range parts[r.Page.SignedIn.Role] {
		if (part == "today" || part == "week") && len(o.Days) == 0 || part == "waiting" && len(o.Open) == 0 ||
			part == "needs" && len(o.Open) > 0 && !o.Needs(r.Page.SignedIn) {
			continue
		}
		shown = append(shown, part)
	}
	return shown
}

// Undecided is how many payments wait for a decision, unless they are listed.
func (o Overview) Undecided(me Identity) int {
	if len(o.Open) > 0 {
		return 0
	}
	return me.ToDecide
}

// Needs reports whether anything needs the reader.
func (o Overview) Needs(me Identity) bool {
	return o.Undecided(me)+me.Stopped+len(o.Failing)+len(o.Endpoints)+len(o.Requests) > 0
}

// leastOutcomes is how many attempts say something about a method.
const leastOutcomes = 5

// FailingMethods are the methods of which most attempts fail.
func FailingMethods(all []payments.Health) (failing []payments.Health) {
	for _, h := range all {
		if rate, known := h.Rate(); known && rate < poorRate && h.Paid+h.Failed >= leastOutcomes {
			failing = append(failing, h)
		}
	}
	return failing
}

// TodaysFigures are those of today, and LastWeeks those of the same weekday of last week.
func (o Overview) TodaysFigures() projections.DayFigures { return o.Days[len(o.Days)-1] }

// LastWeeks are the figures of the same weekday of last week.
func (o Overview) LastWeeks() projections.DayFigures { return o.Days[0] }

// Money is what was paid on a day.
func (Overview) Money(d projections.DayFigures) domain.Money {
	return domain.Money{Minor: d.Succeeded.Sum, Currency: d.Currency}
}

// weekDay is a day of the last seven: a bar, and a link to its figures.
type weekDay struct {
	Name, Path string
	Money      domain.Money
	X, Width   string // of the bar, in percent
}

// Week are the last seven days, today first.
func (o Overview) Week(r rendering) []weekDay {
	most := int64(1)
	for _, d := range o.Days[1:] {
		most = max(most, d.Succeeded.Sum)
	}
	var all []weekDay
	for n := len(o.Days) - 1; n > 0; n-- {
		d := o.Days[n]
		width, x := 100*d.Succeeded.Sum/most, int64(0)
		if r.Lang.Dir() == "rtl" {
			x = 100 - width
		}
		percent := func(n int64) string { return strconv.FormatInt(n, 10) + "%" }
		all = append(all, weekDay{
			Name: r.DayName(d.Day), Path: moneyOn(d.Day), Money: o.Money(d), X: percent(x), Width: percent(width),
		})
	}
	return all
}

// TodayPath and LastWeekPath are the pages of those days' figures.
func (o Overview) TodayPath() string { return moneyOn(o.Today) }

// LastWeekPath is the page of the figures of the same weekday of last week.
func (o Overview) LastWeekPath() string { return moneyOn(o.Days[0].Day) }

func moneyOn(d domain.Day) string {
	return "money?" + MoneyForm{From: d.String(), To: d.String()}.Query()
}

// DayName is a day with its name, without the year.
func (r rendering) DayName(d domain.Day) string { return locale.Day(r.Lang, noon(d)) }

// Percent is the success rate of a method.
func (rendering) Percent(h payments.Health) template.HTML {
	rate, _ := h.Rate()
	return template.HTML(`<bdi dir="ltr">` + strconv.Itoa(rate) + `%</bdi>`) //nolint:gosec // a number
}
