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
	month := view.BooksPage{First: first, Today: today, Rows: view.BookRowsOf(before, after)}
	empty := view.BooksPage{First: first, Today: today}
	wrong := view.BooksPage{Today: today}
	wrong.FormErrors.Add("month", func(t *view.Texts) string { return t.Books.BadMonth })
	return []Story{
		{"books", inside(view.SectionMoney, month)},
		{"books-empty", inside(view.SectionMoney, empty)},
		{"books-wrong", inside(view.SectionMoney, wrong)},
	}
}
