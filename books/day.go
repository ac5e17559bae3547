package books

import (
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"daftar/domain"
)

// CloseDay records what a day took. Its account is the tenant's own: that without an acquirer.
type CloseDay struct {
	Day                       domain.Day
	Methods                   []DayMethod
	Returned                  int64 // and the others as in DayClosed
	WaitingCount, Waiting     int64
	CashCounted, CashExpected *int64 // both or none
}

func (CloseDay) command() {}

// DayClosed says that a day was closed, and what was known of it then. It moves nothing.
type DayClosed struct {
	// When it was closed, by the ledger's clock.
	At time.Time `json:"at"`
	// The organisation whose day it is.
	Organization uuid.UUID `json:"organization"`
	// The mode of the applications whose payments these are: live or test.
	Mode domain.Mode `json:"mode"`
	// Empty: a day is of all providers.
	Acquirer string `json:"acquirer"`
	// The day in Libya, which is closed once.
	Day domain.Day `json:"day"`
	// The ISO 4217 code of all amounts, which are in the currency's minor unit.
	Currency domain.Currency `json:"currency"`
	// What payments brought, by provider and method; without what was taken twice.
	Methods []DayMethod `json:"methods"`
	// What was given back on the day, of payments of any day.
	Returned int64 `json:"returned"`
	// How many payments that were created on the day had an attempt without an outcome.
	WaitingCount int64 `json:"waiting_count"`
	// What they would bring.
	Waiting int64 `json:"waiting"`
	// The cash that a person counted; null: none was.
	CashCounted *int64 `json:"cash_counted"`
	// The cash that should have been there; null where none was counted.
	CashExpected *int64 `json:"cash_expected"`
	// The cash counted less the cash expected; 0 where none was counted.
	Difference int64 `json:"difference"`
}

// DayMethod is what a method of payment brought on a day.
type DayMethod struct {
	// The provider, by its short name; empty: unknown.
	Acquirer string `json:"acquirer"`
	// The method of payment, such as card; empty: unknown.
	Method string `json:"method"`
	// How many payments were made.
	Count int64 `json:"count"`
	// Their sum.
	Amount int64 `json:"amount"`
}

func (e DayClosed) stored() (string, int, any) { return TypeDayClosed, 1, e }

func (e DayClosed) check() error {
	if e.Acquirer != "" || e.Methods == nil || (e.CashCounted == nil) != (e.CashExpected == nil) {
		return errors.New("it has a provider, no methods, or half of the cash")
	}
	return checkFields(e.Currency, e.Day)
}

// ClosedDay finds a day that was closed.
func (a *ProviderAccount) ClosedDay(day domain.Day) (e DayClosed, closed bool) {
	e, closed = a.days[day]
	return e, closed
}

func decideDay(a *ProviderAccount, c CloseDay, now time.Time) ([]Event, error) {
	if a.Acquirer != "" || c.Day.IsZero() || domain.DayOf(now).Before(c.Day) {
		return nil, malformed("the account, or the day, which has not come")
	}
	amounts := []int64{c.Returned, c.WaitingCount, c.Waiting}
	for _, m := range c.Methods {
		if !fits(m.Acquirer) || !fits(m.Method) {
			return nil, malformed("a method")
		}
		amounts = append(amounts, m.Count, m.Amount)
	}
	var difference int64
	if c.CashCounted != nil && c.CashExpected != nil {
		amounts = append(amounts, *c.CashCounted, *c.CashExpected)
		difference = *c.CashCounted - *c.CashExpected
	} else if c.CashCounted != c.CashExpected {
		return nil, malformed("one of two amounts of cash")
	}
	if slices.Min(amounts) < 0 || !bounded(amounts...) || len(c.Methods) > MaxMethods {
		return nil, malformed("an amount, or the number of methods")
	}
	if _, closed := a.ClosedDay(c.Day); closed {
		return nil, RefusedDayClosed
	}
	return []Event{DayClosed{
		At: now, Organization: a.Organization, Mode: a.Mode, Day: c.Day, Currency: domain.LYD,
		Methods: append([]DayMethod{}, c.Methods...), Returned: c.Returned,
		WaitingCount: c.WaitingCount, Waiting: c.Waiting,
		CashCounted: c.CashCounted, CashExpected: c.CashExpected, Difference: difference,
	}}, nil
}
