package moamalat_test

import (
	"sync"
	"testing"
	"time"

	"daftar/payments/acquirer/moamalat"
)

// The gateway of the test refuses a date that it has seen before.
func TestManyInquiriesAtOneMoment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.paid()
	var asking sync.WaitGroup
	for range 40 {
		asking.Go(func() {
			if _, err := w.account.Inquire(t.Context(), refOf(p)); err != nil {
				t.Errorf("inquiry: %v", err)
			}
		})
	}
	asking.Wait()
}

func TestDatesOfRequests(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 31, 22, 0, 5, 0, time.UTC) // five seconds into the new year in Tripoli
	next := moamalat.NewDates(func() time.Time { return now })
	seen := map[string]bool{}
	for i := range 600 {
		date := next("1")
		at, err := time.ParseInLocation("060102150405", date, time.FixedZone("", 2*60*60))
		if err != nil || len(date) != 12 || at.After(now) || now.Sub(at) >= 10*time.Minute {
			t.Fatalf("date %d is %q: %v", i, date, err)
		}
		if seen[date] {
			t.Fatalf("date %d, %q, was used before", i, date)
		}
		seen[date] = true
	}
	if date := next("2"); len(date) != 12 {
		t.Errorf("another terminal's date is %q", date)
	}
	// With all seconds used, requests continue.
	for range 20 {
		if date := next("1"); len(date) != 12 {
			t.Fatalf("date is %q", date)
		}
	}
}

func TestOldDatesAreForgotten(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)
	next := moamalat.NewDates(func() time.Time { return now })
	seen := map[string]bool{}
	for range 3_000 { // one a second is the most that the form allows
		date := next("1")
		if seen[date] {
			t.Fatalf("%q came twice", date)
		}
		seen[date] = true
		now = now.Add(time.Second)
	}
}
