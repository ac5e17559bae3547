package dashboardstories

import (
	"daftar/books"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/projections"
)

func bookStories() []Story {
	today := domain.DayOf(now)
	first, _ := view.ReadMonth("2026-10", today)
	before := []projections.BookBalance{
		{Acquirer: "plutu", Account: books.Due, Amount: 1_204_500},
		{Acquirer: "plutu", Account: books.Bank, Amount: 88_402_250},
		{Acquirer: "plutu", Account: books.Fees, Amount: 1_350_250},
		{Acquirer: "plutu", Account: books.Sales, Amount: -90_957_000},
	}
	after := []projections.BookBalance{
		{Acquirer: "plutu", Account: books.Due, Amount: 2_940_000},
		{Acquirer: "moamalat", Account: books.Due, Amount: 11_075_500},
		{Acquirer: "plutu", Account: books.Bank, Amount: 131_990_750},
		{Acquirer: "moamalat", Account: books.Bank, Amount: 44_100_000},
		{Acquirer: "plutu", Account: books.Late, Amount: -45_000},
		{Acquirer: "plutu", Account: books.Duplicate, Amount: -120_000},
		{Acquirer: "plutu", Account: books.Sales, Amount: -136_951_000},
		{Acquirer: "moamalat", Account: books.Sales, Amount: -56_025_500},
		{Acquirer: "plutu", Account: books.Refunds, Amount: 155_000},
		{Acquirer: "plutu", Account: books.Fees, Amount: 2_030_000},
		{Acquirer: "moamalat", Account: books.Fees, Amount: 850_000},
		{Acquirer: "plutu", Account: books.Differences, Amount: 250},
	}
	month := view.BooksPage{Month: "2026-10", First: first, Today: today, Rows: view.BookRowsOf(before, after)}
	due := func(acquirer string, ago int, amount int64) projections.DueDay {
		return projections.DueDay{Acquirer: acquirer, Day: today.Add(-ago), Amount: amount}
	}
	month.Providers = view.ProvidersDue([]projections.DueDay{
		due("moamalat", 9, 1_480_000), due("moamalat", 8, 95_500), due("moamalat", 2, 4_200_000),
		due("moamalat", 1, 3_300_000), due("moamalat", 0, 2_000_000),
		due("plutu", 1, 1_900_000), due("plutu", 0, 1_040_000),
	}, before, after)
	month.Providers[0].Habit = books.HabitOf([]books.Paid{{
		ValueDate: today.Add(-3), Net: 7_311_250, Fees: 118_750, ExpectedFees: new(int64(111_450)),
		Taken: []books.Taken{{On: today.Add(-5), Amount: 6_430_000}, {On: today.Add(-7), Amount: 1_000_000}},
	}})
	for n := range month.Providers {
		month.Providers[n].Today = today
	}
	letter := view.LetterPage{ProviderDue: month.Providers[0]}
	arrived := month
	arrived.Providers = view.ProvidersDue(nil, before, after)
	empty := view.BooksPage{Month: "2026-10", First: first, Today: today}
	wrong := view.BooksPage{Month: "2026-13", Today: today}
	wrong.FormErrors.Add("month", func(t *view.Texts) string { return t.Books.BadMonth })
	return []Story{
		{"books", inside(view.SectionMoney, month)},
		{"books-letter", inside(view.SectionMoney, letter)},
		{"books-arrived", inside(view.SectionMoney, arrived)},
		{"books-empty", inside(view.SectionMoney, empty)},
		{"books-wrong", inside(view.SectionMoney, wrong)},
	}
}
