package books_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/books"
	"daftar/domain"
)

// own is the tenant's own stream, to which its days belong.
var own = books.KeyOf(key.Tenant(), "")

var today = domain.DayOf(t0)

func closing(change func(*books.CloseDay)) books.CloseDay {
	c := books.CloseDay{
		Day:      today,
		Methods:  []books.DayMethod{{Acquirer: "sandbox", Method: "card", Count: 2, Amount: 15_000}},
		Returned: 4_500, WaitingCount: 1, Waiting: 5_000,
		CashCounted: new(int64(9_800)), CashExpected: new(int64(10_000)),
	}
	if change != nil {
		change(&c)
	}
	return c
}

// A day is closed once, as it was then, with the difference of the cash; other days stay open.
func TestCloseDay(t *testing.T) {
	t.Parallel()
	a := books.Blank(own)
	for _, c := range []books.CloseDay{
		closing(nil),
		closing(func(c *books.CloseDay) {
			c.Day, c.Methods, c.CashCounted, c.CashExpected = today.Add(-40), nil, nil, nil
		}),
	} {
		events, err := books.Decide(&a, c, t0)
		if err != nil || len(events) != 1 {
			t.Fatalf("%+v: %v, %v", c, events, err)
		}
		if _, closed := a.ClosedDay(c.Day); closed {
			t.Fatalf("%s is closed before its event", c.Day)
		}
		a.Evolve(events[0])
		if again, err := books.Decide(&a, c, t0); !errors.Is(err, books.RefusedDayClosed) || again != nil {
			t.Errorf("%s, again: %v, %v", c.Day, again, err)
		}
	}
	want := books.DayClosed{
		At: t0, Organization: own.Organization, Mode: own.Mode, Day: today, Currency: domain.LYD,
		Methods: closing(nil).Methods, Returned: 4_500, WaitingCount: 1, Waiting: 5_000,
		CashCounted: new(int64(9_800)), CashExpected: new(int64(10_000)), Difference: -200,
	}
	got, closed := a.ClosedDay(today)
	if diff := cmp.Diff(want, got); diff != "" || !closed || a.Version != 2 {
		t.Errorf("version %d, closed: %t (-want +got):\n%s", a.Version, closed, diff)
	}
	bare, closed := a.ClosedDay(today.Add(-40))
	if !closed || bare.Methods == nil || bare.CashCounted != nil || bare.Difference != 0 {
		t.Errorf("a day without payments and cash: %+v, %t", bare, closed)
	}
	if _, closed := a.ClosedDay(today.Add(-1)); closed {
		t.Error("a day that nobody closed is closed")
	}
	// What is stored is what holds.
	stream := []record{{1, stored(t, "day.closed.v1")}, {2, stored(t, "day.closed.v1.bare")}}
	replayed, err := books.Replay(own, stream)
	if e, closed := replayed.ClosedDay(day.Add(-2)); err != nil || !closed || e.Difference != -200 {
		t.Errorf("replayed: %+v, %t, %v", e, closed, err)
	}
	if entries, err := books.Entries(stream); err != nil || len(entries) != 0 {
		t.Errorf("closing a day moves money: %+v, %v", entries, err)
	}
}

func TestCloseDayRefuses(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", books.MaxText+1)
	for name, change := range map[string]func(*books.CloseDay){
		"no day":           func(c *books.CloseDay) { c.Day = domain.Day{} },
		"tomorrow":         func(c *books.CloseDay) { c.Day = today.Add(1) },
		"only counted":     func(c *books.CloseDay) { c.CashExpected = nil },
		"only expected":    func(c *books.CloseDay) { c.CashCounted = nil },
		"less than none":   func(c *books.CloseDay) { c.CashCounted = new(int64(-1)) },
		"too much cash":    func(c *books.CloseDay) { c.CashExpected = new(int64(1_000_000_000_000_001)) },
		"given back":       func(c *books.CloseDay) { c.Returned = -1 },
		"waiting":          func(c *books.CloseDay) { c.Waiting = 1_000_000_000_000_001 },
		"count of waiting": func(c *books.CloseDay) { c.WaitingCount = -1 },
		"count":            func(c *books.CloseDay) { c.Methods[0].Count = -1 },
		"amount":           func(c *books.CloseDay) { c.Methods[0].Amount = -1 },
		"method":           func(c *books.CloseDay) { c.Methods[0].Method = long },
		"acquirer":         func(c *books.CloseDay) { c.Methods[0].Acquirer = "a\nb" },
		"methods":          func(c *books.CloseDay) { c.Methods = make([]books.DayMethod, books.MaxMethods+1) },
	} {
		a := books.Blank(own)
		events, err := books.Decide(&a, closing(change), t0)
		if !errors.Is(err, books.RefusedMalformed) || events != nil {
			t.Errorf("%s: %v, %v", name, events, err)
		}
	}
	a := books.Blank(key)
	if _, err := books.Decide(&a, closing(nil), t0); !errors.Is(err, books.RefusedMalformed) {
		t.Errorf("on the account at a provider: %v", err)
	}
	// The day is Libya's: at 23:30 in UTC it is tomorrow there.
	own := books.Blank(own)
	late := time.Date(t0.Year(), t0.Month(), t0.Day(), 23, 30, 0, 0, time.UTC)
	tomorrow := closing(func(c *books.CloseDay) { c.Day = today.Add(1) })
	if _, err := books.Decide(&own, tomorrow, late); err != nil {
		t.Errorf("after midnight in Libya: %v", err)
	}
}
