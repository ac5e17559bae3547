package lypay_test

import (
	"testing"
	"time"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/lypay/fake"
)

// listed changes a dialect so that only the lists have the amount.
func listed(d fake.Dialect) fake.Dialect {
	d.Transfer, d.Timestamps = "missing", "absent"
	return d
}

func TestPagesOfAList(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		dialect fake.Dialect
		found   bool
	}{
		"the last page":                      {listed(fake.Dialect{PageSize: 4}), true},
		"pages that are not counted":         {listed(fake.Dialect{PageSize: 4, Lists: "untold"}), true},
		"rows come in meanwhile":             {listed(fake.Dialect{PageSize: 4, Shift: 1}), true},
		"rows come in, pages not counted":    {listed(fake.Dialect{PageSize: 4, Shift: 1, Lists: "untold"}), true},
		"rows vanish, so that one is missed": {listed(fake.Dialect{PageSize: 4, Shift: -2}), false},
		"more pages than are read":           {listed(fake.Dialect{PageSize: 1}), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, tc.dialect)
			r, made := w.pay(fake.Scan{})
			for range 23 {
				w.pay(fake.Scan{})
			}
			report, err := w.account.Inquire(t.Context(), r)
			if !tc.found {
				if err == nil {
					t.Errorf("Inquire = %+v, want an error", report)
				}
				return
			}
			w.wantPaid(r, made[0])
		})
	}
}

func TestDaysOfLists(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		scan  fake.Scan
		asked time.Duration // after the scan
		found bool
	}{
		"the day":                       {fake.Scan{}, 0, true},
		"in the list of the day before": {fake.Scan{DayShift: -1}, 0, true},
		"in the list of the day after":  {fake.Scan{DayShift: 1}, 0, true},
		"in a list of long ago":         {fake.Scan{DayShift: -5}, 0, false},
		"asked for days later":          {fake.Scan{}, 72 * time.Hour, true},
		"past midnight in Tripoli":      {fake.Scan{}, 3 * time.Hour, true},
		"not in the books yet":          {fake.Scan{HiddenFor: 120_000}, time.Minute, false},
		"in the books at last":          {fake.Scan{Payer: "0920000013"}, 2 * time.Minute, true},
		"made days later": {
			fake.Scan{At: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}, 72 * time.Hour, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, listed(fake.Dialect{}))
			r, made := w.pay(tc.scan)
			w.clock.Advance(tc.asked)
			if tc.found {
				w.wantPaid(r, made[0])
				return
			}
			report, err := w.account.Inquire(t.Context(), r)
			if err == nil && report.State != acquirer.StateNotFound {
				t.Errorf("Inquire = %+v", report)
			}
		})
	}
}
