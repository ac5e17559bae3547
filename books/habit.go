package books

import (
	"cmp"
	"slices"

	"daftar/domain"
)

// Paid is what a provider's habit is measured by: a settlement.
type Paid struct {
	ValueDate    domain.Day
	Taken        []Taken
	Net, Fees    int64
	ExpectedFees *int64 // nil: no contract was on record
}

// Habit is when and for how much a provider paid in the past.
type Habit struct {
	Settlements int // that were measured; 0: nothing is known
	// Usual is within how many days of its taking half of the money was in the bank, and Slow within how
	// many nine tenths were.
	Usual, Slow int
	// Last is the newest day on which money came to the bank, and Net what came on it.
	Last domain.Day
	Net  int64
	// Fees were charged, and ExpectedFees by the contract, of the settlements for which one was on record.
	Fees, ExpectedFees int64
	Contract           bool // one was on record for some of them
}

// HabitOf measures settlements. Money that was given back says nothing of when a provider pays.
func HabitOf(settlements []Paid) Habit {
	h := Habit{Settlements: len(settlements)}
	type lag struct {
		days   int
		amount int64
	}
	var lags []lag
	total := int64(0)
	for _, s := range settlements {
		switch {
		case h.Last.Before(s.ValueDate):
			h.Last, h.Net = s.ValueDate, s.Net
		case h.Last == s.ValueDate:
			h.Net += s.Net
		}
		if s.ExpectedFees != nil {
			h.Contract = true
			h.Fees, h.ExpectedFees = h.Fees+s.Fees, h.ExpectedFees+*s.ExpectedFees
		}
		for _, t := range s.Taken {
			if t.Amount > 0 {
				lags = append(lags, lag{max(t.On.DaysUntil(s.ValueDate), 0), t.Amount})
				total += t.Amount
			}
		}
	}
	slices.SortFunc(lags, func(a, b lag) int { return cmp.Compare(a.days, b.days) })
	reached := int64(0)
	for _, l := range lags {
		if reached*2 < total {
			h.Usual = l.days
		}
		if reached*10 < total*9 {
			h.Slow = l.days
		}
		reached += l.amount
	}
	return h
}

// Expected is the day on which money of a day usually is in the bank.
func (h Habit) Expected(taken domain.Day) domain.Day { return taken.Add(h.Usual) }

// Overdue reports whether money of a day should be in the bank today, as nine tenths of it were in the past.
func (h Habit) Overdue(taken, today domain.Day) bool {
	return h.Settlements > 0 && taken.Add(h.Slow).Before(today)
}
