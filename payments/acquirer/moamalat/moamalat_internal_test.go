package moamalat

import (
	"strings"
	"testing"
	"time"

	"daftar/domain"
)

func TestDatesOfRequests(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 31, 22, 0, 5, 0, time.UTC) // five seconds into the new year in Tripoli
	d := dates{now: func() time.Time { return now }}
	seen := map[string]bool{}
	for i := range 600 {
		date := d.next("1")
		at, err := time.ParseInLocation("060102150405", date, time.FixedZone("", 2*60*60))
		if err != nil || len(date) != 12 || at.After(now) || now.Sub(at) >= 10*time.Minute {
			t.Fatalf("date %d is %q: %v", i, date, err)
		}
		if seen[date] {
			t.Fatalf("date %d, %q, was used before", i, date)
		}
		seen[date] = true
	}
	if date := d.next("2"); len(date) != 12 {
		t.Errorf("another terminal's date is %q", date)
	}
	// With all seconds used, requests continue.
	for range 20 {
		if date := d.next("1"); len(date) != 12 {
			t.Fatalf("date is %q", date)
		}
	}
}

func TestOldDatesAreForgotten(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)
	d := dates{now: func() time.Time { return now }}
	seen := map[string]bool{}
	for range 3_000 { // one a second is the most that the form allows
		date := d.next("1")
		if seen[date] {
			t.Fatalf("%q came twice", date)
		}
		seen[date] = true
		now = now.Add(time.Second)
	}
}

func TestAmounts(t *testing.T) {
	t.Parallel()
	for amount, want := range map[string]int64{
		"1": 1, "1000": 1_000, "0001000": 1_000,
		"0.001": 1, "200.031": 200_031, "1.5": 1_500, "1.05": 1_050, "999999999999.999": 999_999_999_999_999,
		"": 0, "0": 0, "0.000": 0, "-1": 0, "+1": 0, "1.": 0, ".5": 0, "1,000": 0, "1.0000": 0,
		"1e3": 0, "١": 0, " 1": 0, "1 ": 0, "9999999999999999": 0,
	} {
		money, err := parseMoney(text(amount), "LYD")
		if (err == nil) != (want > 0) || money.Minor != want {
			t.Errorf("%q = %v, %v; want %d", amount, money, err, want)
		}
	}
}

func FuzzAmount(f *testing.F) {
	f.Add("200.031", "434")
	f.Add("1000", "LYD")
	f.Fuzz(func(t *testing.T, amount, currency string) {
		money, err := parseMoney(text(amount), text(currency))
		if (err == nil) != (money.Minor > 0) || err == nil && money.Currency != domain.LYD {
			t.Errorf("%q %q = %+v, %v", amount, currency, money, err)
		}
		if err != nil {
			return
		}
		// The amount has the digits of the text.
		whole, fraction, dinars := strings.Cut(amount, ".")
		back := strings.ReplaceAll(strings.ReplaceAll(money.Figures(), ",", ""), ".", "")
		if dinars {
			whole += (fraction + "00")[:3]
		}
		if strings.TrimLeft(whole, "0") != strings.TrimLeft(back, "0") {
			t.Errorf("%q was read as %v", amount, money)
		}
	})
}
