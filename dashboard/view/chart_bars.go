package view

import (
	"fmt"
	"strconv"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/projections"
)

// period is a day, a week or a month: what one bar shows.
type period struct {
	From, To domain.Day
	projections.Figures
}

// unit is the length of periods: with more than about forty bars, none could be seen on a phone.
type unit uint8

const (
	days unit = iota
	weeks
	months
)

// The least numbers of days that are shown by weeks, and by months.
const byWeeks, byMonths = 45, 190

func unitOf(all []projections.DayFigures) unit {
	switch {
	case len(all) >= byMonths:
		return months
	case len(all) >= byWeeks:
		return weeks
	}
	return days
}

// periodsOf adds days up. The last week is complete, so that it can be compared.
func periodsOf(all []projections.DayFigures) (periods []period) {
	u := unitOf(all)
	for n, d := range all {
		begins := n == 0
		switch u {
		case days:
			begins = true
		case weeks:
			begins = begins || (len(all)-n)%7 == 0
		case months:
			begins = begins || d.Day.Day == 1
		}
		if begins {
			periods = append(periods, period{From: d.Day})
		}
		p := &periods[len(periods)-1]
		p.To = d.Day
		p.Add(d.Figures)
	}
	return periods
}

// bestOf is the period in which most was paid.
func bestOf(all []period) period {
	best := all[0]
	for _, p := range all {
		if p.Succeeded.Sum > best.Succeeded.Sum {
			best = p
		}
	}
	return best
}

// bar is a period in the chart; places and sizes are percentages of it, as attributes. What came late
// is on top of what came in time.
type bar struct {
	Title, Path  string
	SlotX, SlotW string
	X, W         string
	Y, H         string
	LateY, LateH string
	Late, Empty  bool
	// Label is the amount above the highest bar, which extends from LabelX as Anchor says.
	Label, LabelX, Anchor string
}

// Bars are the periods with their positions. Time runs in the reading direction of the page: in
// Arabic the first one is at the right, as in the table and in the words "from" and "to".
// Sizes are percentages, so that neither the lines nor the pattern are stretched on a narrow
// screen.
func (r rendering) Bars(c chart, f MoneyForm) []bar {
	slot := 100 / float64(len(c.periods))
	width := slot * 0.72
	if len(c.periods) > 31 {
		width = slot * 0.88 // 6 pixels on a phone
	}
	percent := func(f float64) string { return strconv.FormatFloat(f, 'f', 3, 64) + "%" }
	bars := make([]bar, 0, len(c.periods))
	for k, p := range c.periods {
		at := float64(k) * slot
		if r.Lang.Dir() == "rtl" {
			at = 100 - at - slot
		}
		top := 100 - 100*float64(p.Succeeded.Sum)/float64(c.top)
		late := 100 * float64(p.Late.Sum) / float64(c.top)
		b := bar{
			Title: fmt.Sprintf("%s: %s (%d)", r.periodText(p),
				locale.AmountText(r.Lang, c.Money(p.Succeeded.Sum)), p.Succeeded.Count),
			Path:  paidIn(p.From, p.To, f.Application),
			SlotX: percent(at), SlotW: percent(slot), X: percent(at + (slot-width)/2), W: percent(width),
			Y: percent(top + late), H: percent(100 - top - late), LateY: percent(top), LateH: percent(late),
			Late: p.Late.Sum > 0, Empty: p.Succeeded.Sum == 0,
		}
		if p == c.best {
			b.label(c.Money(p.Succeeded.Sum), at+slot/2, percent)
		}
		bars = append(bars, b)
	}
	return bars
}

// label writes the amount above the middle of the bar, or next to it at an edge.
func (b *bar) label(m domain.Money, middle float64, percent func(float64) string) {
	b.Label, b.LabelX, b.Anchor = m.Figures(), percent(middle), "middle"
	switch {
	case middle < 15:
		b.LabelX, b.Anchor = b.X, "start"
	case middle > 85:
		b.LabelX, b.Anchor = percent(100), "end"
	}
}

// paidIn is the list of what was paid of the payments of some days.
func paidIn(from, to domain.Day, application string) string {
	return PaymentsForm{
		Application: application, Status: string(domain.StatusSucceeded), From: from.String(), To: to.String(),
	}.Link("")
}

// DayPath is the list of what was paid of the payments of a day.
func (f MoneyForm) DayPath(d domain.Day) string { return paidIn(d, d, f.Application) }

// periodText names the days of a period.
func (r rendering) periodText(p period) string {
	if p.From == p.To {
		return locale.Day(r.Lang, noon(p.From))
	}
	return r.BriefDay(p.From) + " – " + r.BriefDay(p.To)
}

// BriefDay is a day without the year, if it is that of today.
func (r rendering) BriefDay(d domain.Day) string {
	return locale.ShortDate(r.Lang, noon(d), r.Page.Year)
}

// Marks are the days labelled under the bars: the first, one in the middle and the last.
func (c chart) Marks() []domain.Day {
	all := c.periods
	last := len(all) - 1
	switch {
	case last < 1:
		return []domain.Day{all[0].From}
	case last < 4:
		return []domain.Day{all[0].From, all[last].To}
	}
	return []domain.Day{all[0].From, all[last/2].From, all[last].To}
}

// ChartTitle says what a bar is.
func (r rendering) ChartTitle(c chart) string { return r.T.Money.Charts[unitOf(c.Days)] }

// Summary describes the chart in words, for readers who cannot see it.
func (r rendering) Summary(c chart) string {
	t := r.T.Money
	return fmt.Sprintf("%s %s. %s %s: %s.", t.Total,
		locale.AmountText(r.Lang, c.Money(c.Total.Succeeded.Sum)),
		t.Best, r.periodText(c.best), locale.AmountText(r.Lang, c.Money(c.best.Succeeded.Sum)))
}
