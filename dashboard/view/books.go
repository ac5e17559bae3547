package view

import (
	"cmp"
	"slices"
	"time"

	"daftar/books"
	"daftar/domain"
	"daftar/projections"
)

// BooksPage is where the money is: with the providers, and on the accounts of the books before a month and
// after it.
type BooksPage struct {
	FormErrors
	Month     string // as it was typed
	Providers []ProviderDue
	First     domain.Day // of the month
	Today     domain.Day
	Rows      []bookRow
	AsOf      *time.Time // as in PaymentList
}

func (BooksPage) head(t *Texts) (template, title string) { return "books", t.Books.Title }

// ProviderDue is what a provider owes, by the days on which it took the money.
type ProviderDue struct {
	Acquirer string
	Days     []projections.DueDay // in their order
	Habit    books.Habit
	Today    domain.Day
	// Taken, less what was given back, and Arrived are of the month that is shown.
	Taken, Arrived int64
}

// ProvidersDue are the providers of days and of the balances before a month and after it, by name.
func ProvidersDue(days []projections.DueDay, before, after []projections.BookBalance) (all []ProviderDue) {
	of := func(acquirer string) *ProviderDue {
		n := slices.IndexFunc(all, func(p ProviderDue) bool { return p.Acquirer == acquirer })
		if n < 0 {
			n, all = len(all), append(all, ProviderDue{Acquirer: acquirer})
		}
		return &all[n]
	}
	for _, d := range days {
		p := of(d.Acquirer)
		p.Days = append(p.Days, d)
	}
	change := func(balances []projections.BookBalance, sign int64) {
		for _, b := range balances {
			p := of(b.Acquirer)
			switch b.Account {
			case books.Bank:
				p.Arrived += sign * b.Amount
				p.Taken += sign * b.Amount
			case books.Due, books.Fees, books.Differences:
				p.Taken += sign * b.Amount
			case books.Sales, books.Late, books.Duplicate, books.Refunds: // the other side of what was taken
			}
		}
	}
	change(before, -1)
	change(after, 1)
	slices.SortFunc(all, func(a, b ProviderDue) int { return cmp.Compare(a.Acquirer, b.Acquirer) })
	return all
}

// Due is all that it owes.
func (p ProviderDue) Due() domain.Money { return sumOf(p.Days) }

// OverdueDays are the days whose money should be in the bank; none where more was given back since.
func (p ProviderDue) OverdueDays() (days []projections.DueDay) {
	for _, d := range p.Days {
		if p.Habit.Overdue(d.Day, p.Today) {
			days = append(days, d)
		}
	}
	if sumOf(days).Minor <= 0 {
		return nil
	}
	return days
}

// Overdue is what should be in the bank.
func (p ProviderDue) Overdue() domain.Money { return sumOf(p.OverdueDays()) }

// expectedDay is what should come to the bank on a day.
type expectedDay struct {
	Day    domain.Day
	Amount domain.Money
}

// Expected is what should come from today on, by day; what usually had come before comes today.
func (p ProviderDue) Expected() (all []expectedDay) {
	if p.Habit.Settlements == 0 {
		return nil
	}
	for _, d := range p.Days {
		if p.Habit.Overdue(d.Day, p.Today) {
			continue
		}
		on := p.Habit.Expected(d.Day)
		if on.Before(p.Today) {
			on = p.Today
		}
		if len(all) == 0 || all[len(all)-1].Day != on {
			all = append(all, expectedDay{on, dirhams(0)})
		}
		all[len(all)-1].Amount.Minor += d.Amount
	}
	return all
}

func sumOf(days []projections.DueDay) domain.Money {
	sum := dirhams(0)
	for _, d := range days {
		sum.Minor += d.Amount
	}
	return sum
}

func dirhams(minor int64) domain.Money { return domain.Money{Minor: minor, Currency: domain.LYD} }

// LYD is an amount of the books.
func (rendering) LYD(minor int64) domain.Money { return dirhams(minor) }

// LetterPage is a letter to a provider about what is overdue.
type LetterPage struct{ ProviderDue }

func (LetterPage) head(t *Texts) (template, title string) { return "letter", t.Books.Letter }

// bookRow is an account of the books; a debit is positive.
type bookRow struct {
	Account       books.Account
	Acquirer      string // empty: the account is not one provider's
	Before, After int64
}

// Change is what the month changed.
func (b bookRow) Change() int64 { return b.After - b.Before }

// Amount is an amount of the row.
func (bookRow) Amount(minor int64) domain.Money {
	return domain.Money{Minor: minor, Currency: domain.LYD}
}

// ReadMonth reads a month such as 2026-10, and returns its first day; an empty text is the month of today.
func ReadMonth(text string, today domain.Day) (first domain.Day, known bool) {
	if text == "" {
		return domain.Day{Year: today.Year, Month: today.Month, Day: 1}, true
	}
	first, err := domain.ParseDay(text + "-01")
	return first, err == nil
}

// NextMonth is the first day of the month after that of a day.
func NextMonth(d domain.Day) domain.Day {
	return domain.DayIn(time.Date(d.Year, d.Month+1, 1, 0, 0, 0, 0, time.UTC))
}

// MonthBefore and MonthAfter are addresses of the page; empty: the months to come have no books.
func (p BooksPage) MonthBefore() string { return monthPath(p.First.Add(-1)) }

// MonthAfter is described above.
func (p BooksPage) MonthAfter() string {
	if next := NextMonth(p.First); !p.Today.Before(next) {
		return monthPath(next)
	}
	return ""
}

func monthPath(d domain.Day) string { return "books?month=" + d.String()[:len("2026-10")] }

// Last is the last day of the month that is over, or today.
func (p BooksPage) Last() domain.Day {
	last := NextMonth(p.First).Add(-1)
	if p.Today.Before(last) {
		return p.Today
	}
	return last
}

// BookRowsOf are the accounts of two balances, in the order of the books: what is owed to the merchant
// first. Accounts that are not of one provider are added up.
func BookRowsOf(before, after []projections.BookBalance) []bookRow {
	type key struct {
		account  books.Account
		acquirer string
	}
	rows := map[key]*bookRow{}
	of := func(b projections.BookBalance) *bookRow {
		k := key{b.Account, b.Acquirer}
		if !b.Account.ByProvider() {
			k.acquirer = ""
		}
		if rows[k] == nil {
			rows[k] = &bookRow{Account: k.account, Acquirer: k.acquirer}
		}
		return rows[k]
	}
	for _, b := range before {
		of(b).Before += b.Amount
	}
	for _, b := range after {
		of(b).After += b.Amount
	}
	var all []bookRow
	for _, row := range rows {
		if row.Before != 0 || row.After != 0 {
			all = append(all, *row)
		}
	}
	slices.SortFunc(all, func(a, b bookRow) int {
		return cmp.Or(slices.Index(books.Accounts, a.Account)-slices.Index(books.Accounts, b.Account),
			cmp.Compare(a.Acquirer, b.Acquirer))
	})
	return all
}
