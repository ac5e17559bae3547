package dashboardstories

import (
	"slices"

	"daftar/books"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/payments/settlements"
)

// dayNow is what a day took, in the stories.
func dayNow(day domain.Day) books.CloseDay {
	return books.CloseDay{
		Day: day,
		Methods: []books.DayMethod{
			{Acquirer: "moamalat", Method: "moamalat", Count: 41, Amount: 3_204_750},
			{Acquirer: "plutu", Method: "adfali", Count: 18, Amount: 1_118_500},
			{Acquirer: "plutu", Method: "sadad", Count: 3, Amount: 97_250},
		},
		Returned: 45_000, WaitingCount: 2, Waiting: 61_500,
	}
}

// closedDay is a day as it was closed, with cash that is short.
func closedDay(day domain.Day) settlements.ClosedDay {
	c := dayNow(day)
	return settlements.ClosedDay{
		DayClosed: books.DayClosed{
			At: now, Day: day, Currency: domain.LYD, Methods: c.Methods, Returned: c.Returned,
			WaitingCount: c.WaitingCount, Waiting: c.Waiting,
			CashCounted: new(int64(1_248_250)), CashExpected: new(int64(1_250_250)), Difference: -2_000,
		},
		By: settlements.Change{At: now, Actor: financeIdentity.Email},
	}
}

func dayStories() []Story {
	today := domain.DayOf(now)
	closed := map[domain.Day]settlements.ClosedDay{}
	for _, ago := range []int{1, 2, 3, 5, 6, 9} {
		closed[today.Add(-ago)] = closedDay(today.Add(-ago))
	}
	page := func(typed string) view.DayPage {
		p := view.NewDayPage(typed, today, closed)
		p.Now = dayNow(p.Day)
		return p
	}
	yesterday := today.Add(-1).String()
	open, wrong, counted, changed := page(""), page(""), page(yesterday), page(today.Add(-2).String())
	wrong.Form = view.DayForm{Expected: "1250.250", Counted: "ألف"}
	_, wrong.FormErrors = wrong.Read()
	changed.Now.Methods = slices.Clone(changed.Now.Methods)
	changed.Now.Methods[1].Count, changed.Now.Methods[1].Amount = 20, 1_180_000
	changed.Now.Returned = 132_500
	again := page(yesterday)
	again.FormErrors = view.SettlementErrors(books.RefusedDayClosed)
	empty := page(today.Add(-4).String())
	empty.Now = books.CloseDay{Day: empty.Day}
	return []Story{
		{"day", inside(view.SectionMoney, open).seenBy(financeIdentity)},
		{"day-wrong", inside(view.SectionMoney, wrong).seenBy(financeIdentity)},
		{"day-closed", inside(view.SectionMoney, counted).seenBy(financeIdentity).after("day-closed")},
		{"day-changed", inside(view.SectionMoney, changed)},
		{"day-again", inside(view.SectionMoney, again)},
		{"day-viewer", inside(view.SectionMoney, open).seenBy(viewerIdentity)},
		{"day-empty", inside(view.SectionMoney, empty)},
		{"day-none", inside(view.SectionMoney, page("2026-11-31"))},
	}
}
