package settlements_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"daftar/accounts"
	"daftar/books"
	"daftar/domain"
	"daftar/payments/settlements"
)

// Of many who close a day at once one does; the refusals are in the audit trail. Whose role does not allow
// it, and operators, close none, and the other mode has its own days.
func TestCloseDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.twoPeople() // money is not moved: no second person is needed
	c := books.CloseDay{Day: domain.DayOf(w.ledger.Now()), Returned: 500}
	var refused atomic.Int64
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			err := w.CloseDay(t.Context(), w.finance, w.tenant(), c)
			if errors.Is(err, books.RefusedDayClosed) {
				refused.Add(1)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	failed := 0
	for _, r := range w.trail(settlements.ActionDay) {
		if r == "failed day_closed" {
			failed++
		}
	}
	if refused.Load() != 3 || failed != 3 {
		t.Errorf("%d of 4 were refused, %d in the trail", refused.Load(), failed)
	}
	viewer := w.person(accounts.RoleViewer)
	for who, by := range map[string]accounts.Actor{"viewer": viewer, "operator": operator} {
		if err := w.CloseDay(t.Context(), by, w.tenant(), c); !errors.Is(err, accounts.ErrForbidden) {
			t.Errorf("%s: %v", who, err)
		}
	}
	days, err := w.Days(t.Context(), w.tenant())
	one, closed := days[c.Day]
	if err != nil || len(days) != 1 || !closed || one.Returned != 500 || one.By.Actor != w.finance.Name ||
		one.By.At.IsZero() {
		t.Errorf("days are %+v, %v", days, err)
	}
	if days, err := w.Days(t.Context(), w.org.In(domain.ModeTest)); err != nil || len(days) != 0 {
		t.Errorf("days of the other mode: %+v, %v", days, err)
	}
}
