package view

import (
	"slices"
	"strings"

	"daftar/domain"
	"daftar/projections"
)

// chart is the turnover of some days in one currency, as bars and as a table.
type chart struct {
	Currency domain.Currency
	Total    projections.Figures
	Before   projections.Figures      // the total of as many days before
	Days     []projections.DayFigures // every day of the range, also days without payments
	periods  []period                 // of the days, one for each bar
	best     period                   // in which most was paid
	top      int64                    // of the scale, in minor units
}

// ChartsOf makes a chart of the turnover for each currency, with the totals of the days before.
func ChartsOf(t, before projections.Turnover, from, to domain.Day) []chart {
	charts := make([]chart, 0, len(t.Totals))
	for _, total := range t.Totals {
		c := chart{Currency: total.Currency, Total: total.Figures}
		for _, b := range before.Totals {
			if b.Currency == c.Currency {
				c.Before = b.Figures
			}
		}
		c.Days = DaysOf(t, c.Currency, from, to)
		c.periods = periodsOf(c.Days)
		c.best = bestOf(c.periods)
		c.top = topOfScale(c.best.Succeeded.Sum, c.Currency)
		charts = append(charts, c)
	}
	return charts
}

// DaysOf are the figures of every day of the range in one currency, also of days without payments.
func DaysOf(t projections.Turnover, c domain.Currency, from, to domain.Day) []projections.DayFigures {
	known := make(map[domain.Day]projections.DayFigures)
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
