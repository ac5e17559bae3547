package books_test

import (
	"testing"

	"daftar/books"
)

// A habit is measured by money, not by settlements: nine tenths of it came within two days.
func TestHabit(t *testing.T) {
	t.Parallel()
	if h := books.HabitOf(nil); h != (books.Habit{}) || h.Overdue(day.Add(-100), day) {
		t.Errorf("of nothing: %+v", h)
	}
	h := books.HabitOf([]books.Paid{
		{ValueDate: day, Net: 70, Fees: 3, ExpectedFees: new(int64(2)), Taken: []books.Taken{
			{On: day.Add(-1), Amount: 60}, {On: day.Add(-2), Amount: 35}, {On: day.Add(-30), Amount: -10},
		}},
		{ValueDate: day.Add(-9), Net: 50, Fees: 7, Taken: []books.Taken{{On: day.Add(-19), Amount: 5}}},
		{ValueDate: day, Net: 20, Fees: 4, ExpectedFees: new(int64(4)), Taken: []books.Taken{
			{On: day.Add(1), Amount: -5},
		}},
	})
	want := books.Habit{
		Settlements: 3, Usual: 1, Slow: 2, Last: day, Net: 90, Fees: 7, ExpectedFees: 6, Contract: true,
	}
	if h != want {
		t.Errorf("%+v, want %+v", h, want)
	}
	if h.Expected(day) != day.Add(1) || h.Overdue(day.Add(-2), day) || !h.Overdue(day.Add(-3), day) {
		t.Errorf("%+v: expected %s", h, h.Expected(day))
	}
}
