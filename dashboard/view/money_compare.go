package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"daftar/domain"
	"daftar/projections"
)

// Change is the difference of a figure from the earlier one in percent, with the class "up",
// "down" or "same"; the zero pill if the earlier one is 0.
func (rendering) Change(now, before int64) pill {
	if before == 0 {
		return pill{}
	}
	// To the nearest percent, away from zero.
	percent := (200*(now-before) + sign(now-before)*before) / (2 * before)
	switch {
	case percent > 0:
		return pill{"+" + strconv.FormatInt(percent, 10) + "%", "up"}
	case percent < 0:
		return pill{"−" + strconv.FormatInt(-percent, 10) + "%", "down"}
	}
	return pill{"0%", "same"}
}

func sign(n int64) int64 { return int64(cmp.Compare(n, 0)) }

// rate is the success rate of a method, in its colour.
func (t methodTexts) rate(paid, failed int) pill {
	if paid+failed == 0 {
		return pill{t.NoRate, "off"}
	}
	rate := 100 * paid / (paid + failed)
	if rate < poorRate {
		return pill{strconv.Itoa(rate) + "%", "late"}
	}
	return pill{strconv.Itoa(rate) + "%", "ok"}
}

// OutcomePill is the success rate of a method in some days.
func (t methodTexts) OutcomePill(m projections.MethodOutcomes) pill { return t.rate(m.Paid, m.Failed) }

// reason is why attempts failed, and their number.
type reason struct {
	Text  string
	Count int
}

// ReasonsOf are the reasons why attempts by a method failed, the most frequent first.
func (r rendering) ReasonsOf(m projections.MethodOutcomes) []reason {
	var all []reason
	for name, n := range m.Reasons {
		text := r.T.Payment.ReasonText(name)
		if at := slices.IndexFunc(all, func(other reason) bool { return other.Text == text }); at >= 0 {
			all[at].Count += n
			continue
		}
		all = append(all, reason{text, n})
	}
	slices.SortFunc(all, func(a, b reason) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Text, b.Text)) })
	return all
}

// Newest is the number of payments that the outcomes cover, as a sentence; empty: they cover all.
func (t moneyTexts) Newest(o projections.Outcomes) string {
	if !o.Bounded {
		return ""
	}
	return fmt.Sprintf(t.NewestOf, o.Scanned)
}

// figuresRow is a row of the table of days: a day's figures, or their sum. Columns that are empty
// in all rows are left out.
type figuresRow struct {
	projections.Figures
	chart chart
}

// Row is the row of these figures.
func (c chart) Row(f projections.Figures) figuresRow { return figuresRow{f, c} }

// Of are the sums of all rows.
func (r figuresRow) Of() projections.Figures { return r.chart.Total }

// Money is an amount in the table's currency.
func (r figuresRow) Money(minor int64) domain.Money { return r.chart.Money(minor) }

type counted struct {
	Count int64
	Sum   domain.Money
}

// Sum is a total with its currency.
func (r figuresRow) Sum(t projections.Total) counted { return counted{t.Count, r.Money(t.Sum)} }
