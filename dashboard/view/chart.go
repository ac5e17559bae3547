package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/projections"
)

// chart is the turnover of some days in one currency, as bars and as a table.
type chart struct {
	Currency domain.Currency
	Total    projections.Figures
	Before   projections.Figures      // the total of as many days before
	Days     []projections.DayFigures // every day of the range, also days without payments
	top      int64                    // of the scale, in minor units
}

// ChartsOf makes a chart of the turnover for each currency, with the totals of the days before.
func ChartsOf(t, before projections.Turnover, from, to projections.Day) []chart {
	charts := make([]chart, 0, len(t.Totals))
	for _, total := range t.Totals {
		c := chart{Currency: total.Currency, Total: total.Figures}
		for _, b := range before.Totals {
			if b.Currency == c.Currency {
				c.Before = b.Figures
			}
		}
		c.Days = DaysOf(t, c.Currency, from, to)
		most := int64(0)
		for _, d := range c.Days {
			most = max(most, d.Succeeded.Sum)
		}
		c.top = topOfScale(most, c.Currency)
		charts = append(charts, c)
	}
	return charts
}

// DaysOf are the figures of every day of the range in one currency, also of days without payments.
func DaysOf(t projections.Turnover, c domain.Currency, from, to projections.Day) []projections.DayFigures {
	known := make(map[projections.Day]projections.DayFigures)
	for _, d := range t.Days {
		if d.Currency == c {
			known[d.Day] = d
		}
	}
	var days []projections.DayFigures
	for day := from; !to.Before(day); day = day.Add(1) {
		figures := known[day]
		figures.Day, figures.Currency = day, c
		days = append(days, figures)
	}
	return days
}

// topOfScale is the next round amount, whose half is round too.
func topOfScale(most int64, c domain.Currency) int64 {
	unit := int64(1)
	for range c.Exponent() {
		unit *= 10
	}
	for ; ; unit *= 10 {
		for _, n := range []int64{10, 12, 16, 20, 30, 40, 60, 80} {
			if n*unit >= most {
				return n * unit
			}
		}
	}
}

// ActiveDays are the days with payments, the last first.
func (c chart) ActiveDays() []projections.DayFigures {
	var active []projections.DayFigures
	for _, day := range slices.Backward(c.Days) {
		if day.Figures != (projections.Figures{}) {
			active = append(active, day)
		}
	}
	return active
}

// Money is an amount in the chart's currency.
func (c chart) Money(minor int64) domain.Money {
	return domain.Money{Minor: minor, Currency: c.Currency}
}

// Scale are the amounts of the lines, from top to bottom.
func (c chart) Scale() []string {
	scale := make([]string, 0, 3)
	for _, minor := range []int64{c.top, c.top / 2, 0} {
		// The amounts are round dinars, so the decimals are left out.
		decimals := "." + strings.Repeat("0", c.Currency.Exponent())
		scale = append(scale, strings.TrimSuffix(c.Money(minor).Figures(), decimals))
	}
	return scale
}

// bar is a day in the chart; places and sizes are percentages of it, as attributes.
type bar struct {
	Title        string
	SlotX, SlotW string
	X, W         string
	Y, H         string
	LateY, LateH string
	Late, Empty  bool
}

// Bars are the days with their positions. Time runs in the reading direction of the page: in
// Arabic the first day is at the right, as in the table and in the words "from" and "to".
// Sizes are percentages, so that neither the lines nor the pattern are stretched on a narrow
// screen.
func (r rendering) Bars(c chart) []bar {
	n := float64(len(c.Days))
	slot := 100 / n
	width := slot * 0.72
	percent := func(f float64) string { return strconv.FormatFloat(f, 'f', 3, 64) + "%" }
	bars := make([]bar, 0, len(c.Days))
	for k, d := range c.Days {
		at := float64(k) * slot
		if r.Lang.Dir() == "rtl" {
			at = 100 - at - slot
		}
		height := 100 * float64(d.Succeeded.Sum) / float64(c.top)
		late := 100 * float64(d.Late.Sum) / float64(c.top)
		bars = append(bars, bar{
			Title: fmt.Sprintf("%s: %s (%d)", locale.Day(r.Lang, noon(d.Day)),
				locale.AmountText(r.Lang, c.Money(d.Succeeded.Sum)), d.Succeeded.Count),
			SlotX: percent(at), SlotW: percent(slot), X: percent(at + (slot-width)/2), W: percent(width),
			Y: percent(100 - height), H: percent(height - late), LateY: percent(100 - late), LateH: percent(late),
			Late: d.Late.Sum > 0, Empty: d.Succeeded.Sum == 0,
		})
	}
	return bars
}

// Marks are the days labelled under the bars: the first, one in the middle and the last.
func (c chart) Marks() []projections.Day {
	last := len(c.Days) - 1
	switch {
	case last < 1:
		return []projections.Day{c.Days[0].Day}
	case last < 4:
		return []projections.Day{c.Days[0].Day, c.Days[last].Day}
	}
	return []projections.Day{c.Days[0].Day, c.Days[last/2].Day, c.Days[last].Day}
}

// Summary describes the chart in words, for readers who cannot see it.
func (r rendering) Summary(c chart) string {
	t := r.T.Money
	best := c.Days[0]
	for _, d := range c.Days {
		if d.Succeeded.Sum > best.Succeeded.Sum {
			best = d
		}
	}
	return fmt.Sprintf("%s %s. %s %s: %s.", t.Total,
		locale.AmountText(r.Lang, c.Money(c.Total.Succeeded.Sum)),
		t.Best, locale.Date(r.Lang, noon(best.Day)), locale.AmountText(r.Lang, c.Money(best.Succeeded.Sum)))
}
