package dashboardstories

import (
	"time"

	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/projections"
)

func moneyStories() []Story {
	applications, _ := paymentRows()
	today := domain.DayOf(now)
	before := projections.Turnover{Totals: []projections.CurrencyFigures{
		{Currency: domain.LYD, Figures: projections.Figures{Succeeded: projections.Total{
			Count: 1_894, Sum: 229_500_250,
		}}},
	}}
	outcomes := projections.Outcomes{Scanned: 2_000, Bounded: true, Methods: []projections.MethodOutcomes{
		{
			Acquirer: "plutu", Method: "adfali", Paid: 1_204, Failed: 131, Open: 2,
			Reasons: map[string]int{"insufficient_funds": 74, "abandoned": 41, "code_locked": 16},
		},
		{
			Acquirer: "moamalat", Method: "moamalat", Paid: 388, Failed: 402,
			Reasons: map[string]int{"declined": 377, "timed_out": 25},
		},
		{Acquirer: "lypay", Method: "lypay", Paid: 19},
	}}
	// one in every days has no payment
	span := func(s view.Span, every int) view.MoneyPage {
		form := view.MoneyForm{Span: s}
		from, to, _, _ := form.Read(applications, today)
		form.From, form.To = from.String(), to.String()
		var t projections.Turnover
		n := int64(0)
		for day := from; !to.Before(day); day = day.Add(1) {
			if n++; n%int64(every) == 0 {
				continue
			}
			f := projections.Figures{Succeeded: projections.Total{
				Count: 40 + n*7%60, Sum: 4_200_000 + n*n*91_000%9_700_000,
			}}
			if n%5 == 0 {
				f.Late = projections.Total{Count: 2, Sum: f.Succeeded.Sum / 6}
				f.Canceled = projections.Total{Count: 3, Sum: 90_000}
			}
			if n%13 == 0 {
				f.Duplicates = projections.Total{Count: 1, Sum: 45_000}
			}
			t.Days = append(t.Days, projections.DayFigures{Day: day, Currency: domain.LYD, Figures: f})
			if len(t.Totals) == 0 {
				t.Totals = []projections.CurrencyFigures{{Currency: domain.LYD}}
			}
			t.Totals[0].Add(f)
		}
		p := view.MoneyPage{
			Form: form, Applications: applications, From: from, To: to,
			Charts: view.ChartsOf(t, before, from, to), Outcomes: outcomes,
		}
		p.BeforeFrom, p.BeforeTo = view.SpanBefore(from, to)
		return p
	}
	wrong := view.MoneyPage{
		Form: view.MoneyForm{From: "2025-01-01", To: "2026-11-20"}, Applications: applications,
	}
	wrong.From, wrong.To, _, wrong.FormErrors = wrong.Form.Read(applications, today)
	late, lately := span("7", 4), now.Add(-20*time.Second)
	late.AsOf = &lately
	// Nothing to compare with, and nothing that is seldom: its columns are left out.
	first := span("7", 4)
	for n := range first.Charts {
		c := &first.Charts[n]
		c.Before, c.Total.Late, c.Total.Duplicates = projections.Figures{}, projections.Total{}, projections.Total{}
		for k := range c.Days {
			c.Days[k].Late, c.Days[k].Duplicates = projections.Total{}, projections.Total{}
		}
	}
	first.Outcomes = projections.Outcomes{}
	return []Story{
		{"money-late", inside(view.SectionMoney, late)},
		{"money", inside(view.SectionMoney, span(view.SpanMonth, 9))},
		{"money-week", inside(view.SectionMoney, span("7", 4)).seenBy(viewerIdentity)},
		{"money-first", inside(view.SectionMoney, first)},
		{"money-quarter", inside(view.SectionMoney, span("90", 11))},
		{"money-none", inside(view.SectionMoney, span("7", 1))},
		{"money-wrong", inside(view.SectionMoney, wrong)},
	}
}
