package view

import (
	"slices"

	"daftar/books"
	"daftar/domain"
	"daftar/payments/settlements"
)

// daysShown are how many days the page of a day lists.
const daysShown = 14

// DayForm is the cash, as it was typed.
type DayForm struct{ Expected, Counted string }

// DayPage is a day: what it took, and whether it is closed.
type DayPage struct {
	FormErrors
	Day, Today domain.Day // Day is zero where the address names none that has come
	Now        books.CloseDay
	Closed     *settlements.ClosedDay // nil: it is open
	Recent     []recentDay            // the latest first
	Form       DayForm
}

func (DayPage) head(t *Texts) (template, title string) { return "day", t.Day.Title }

// recentDay is a day of the last days.
type recentDay struct {
	Day    domain.Day
	Closed bool
}

// NewDayPage is the page of a day as an address has it; empty: of today.
func NewDayPage(typed string, today domain.Day, closed map[domain.Day]settlements.ClosedDay) DayPage {
	p := DayPage{Today: today}
	for n := range daysShown {
		day := today.Add(-n)
		_, is := closed[day]
		p.Recent = append(p.Recent, recentDay{day, is})
	}
	day, known := readDay(typed)
	switch {
	case !known:
		p.Add("day", func(t *Texts) string { return t.Payments.BadDay })
		return p
	case today.Before(day):
		p.Add("day", func(t *Texts) string { return t.Day.Future })
		return p
	case day.IsZero():
		day = today
	}
	p.Day = day
	if c, is := closed[day]; is {
		p.Closed = &c
	}
	return p
}

// Read is the command of the form: the day as it is now, with the cash.
func (p DayPage) Read() (c books.CloseDay, wrong FormErrors) {
	c = p.Now
	for _, one := range []struct {
		id, typed, other string
		into             **int64
	}{
		{"expected", p.Form.Expected, p.Form.Counted, &c.CashExpected},
		{"counted", p.Form.Counted, p.Form.Expected, &c.CashCounted},
	} {
		var known bool
		if *one.into, known = readAmount(one.typed); !known {
			wrong.Add(one.id, func(t *Texts) string { return t.Settlements.BadAmount })
		} else if one.typed == "" && one.other != "" {
			wrong.Add(one.id, func(t *Texts) string { return t.Day.BothAmounts })
		}
	}
	return c, wrong
}

// Facts are what the day had when it was closed, or has now.
func (p DayPage) Facts() books.CloseDay {
	c := p.Closed
	if c == nil {
		return p.Now
	}
	return books.CloseDay{
		Day: c.Day, Methods: c.Methods, Returned: c.Returned, WaitingCount: c.WaitingCount, Waiting: c.Waiting,
		CashCounted: c.CashCounted, CashExpected: c.CashExpected,
	}
}

// Taken is the sum of what the methods brought.
func (p DayPage) Taken() (sum int64) {
	for _, m := range p.Facts().Methods {
		sum += m.Amount
	}
	return sum
}

// dayChange is what a method brought, or was given back, when the day was closed and now.
type dayChange struct {
	Acquirer, Method string // both empty: given back
	Then, Now        int64
}

// Changes are what is no longer as it was when the day was closed.
func (p DayPage) Changes() (changes []dayChange) {
	if p.Closed == nil {
		return nil
	}
	for _, m := range p.Closed.Methods {
		changes = append(changes, dayChange{m.Acquirer, m.Method, m.Amount, 0})
	}
	for _, m := range p.Now.Methods {
		n := slices.IndexFunc(changes, func(c dayChange) bool {
			return c.Acquirer == m.Acquirer && c.Method == m.Method
		})
		if n < 0 {
			n, changes = len(changes), append(changes, dayChange{m.Acquirer, m.Method, 0, 0})
		}
		changes[n].Now = m.Amount
	}
	changes = append(changes, dayChange{Then: p.Closed.Returned, Now: p.Now.Returned})
	return slices.DeleteFunc(changes, func(c dayChange) bool { return c.Then == c.Now })
}

// DayPath is the address of a day's page, below the organisation.
func DayPath(day domain.Day) string { return "day?day=" + day.String() }

// DayPath is for the templates.
func (rendering) DayPath(day domain.Day) string { return DayPath(day) }

// MethodText names a method of payment, and with whom.
func (r rendering) MethodText(acquirer, method string) string {
	if acquirer == "" {
		return r.T.Day.Unknown
	}
	return r.T.Acquirers.Name(acquirer) + " · " + r.T.Payment.MethodName(method)
}
