package dashboardstories

import (
	"time"

	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/projections"
)

func moneyStories() []Story {
	applications, _ := payments()
	today := projections.DayOf(now)
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
			f := projections.Figures{Succeeded: projections.Total{Count: 40 + n*7%60, Sum: 4_200_000 + n*n*91_000%9_700_000}}
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
		return view.MoneyPage{
			Form: form, Applications: applications, From: from, To: to, Charts: view.ChartsOf(t, from, to),
		}
	}
	wrong := view.MoneyPage{Form: view.MoneyForm{From: "2025-01-01", To: "2026-11-20"}, Applications: applications}
	wrong.From, wrong.To, _, wrong.FormErrors = wrong.Form.Read(applications, today)
	late, lately := span("7", 4), now.Add(-20*time.Second)
	late.AsOf = &lately
	return []Story{
		{"money-late", inside(view.SectionMoney, late)},
		{"money", inside(view.SectionMoney, span(view.SpanMonth, 9))},
		{"money-week", inside(view.SectionMoney, span("7", 4)).seenBy(viewerIdentity)},
		{"money-quarter", inside(view.SectionMoney, span("90", 11))},
		{"money-none", inside(view.SectionMoney, span("7", 1))},
		{"money-wrong", inside(view.SectionMoney, wrong)},
	}
}
