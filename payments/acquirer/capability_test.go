package acquirer_test

import (
	"testing"

	"daftar/domain"
	"daftar/payments/acquirer"
)

func TestACapabilityCarriesOnlyExactAmounts(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name     string
		decimals int
		money    domain.Money
		want     bool
	}{
		{"three decimals carry every dirham", 3, domain.Money{Minor: 5_001, Currency: domain.LYD}, true},
		{"two decimals carry tens of dirhams", 2, domain.Money{Minor: 5_010, Currency: domain.LYD}, true},
		{"two decimals would have to round", 2, domain.Money{Minor: 5_001, Currency: domain.LYD}, false},
		{"whole dinars", 0, domain.Money{Minor: 5_000, Currency: domain.LYD}, true},
		{"whole dinars would lose dirhams", 0, domain.Money{Minor: 5_100, Currency: domain.LYD}, false},
		{"the smallest amount", 3, domain.Money{Minor: 2_000, Currency: domain.LYD}, true},
		{"below the smallest", 3, domain.Money{Minor: 1_999, Currency: domain.LYD}, false},
		{"the largest amount", 3, domain.Money{Minor: 9_000, Currency: domain.LYD}, true},
		{"above the largest", 3, domain.Money{Minor: 9_001, Currency: domain.LYD}, false},
		{"another currency", 3, domain.Money{Minor: 5_000, Currency: "USD"}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := acquirer.Capability{Currency: domain.LYD, Decimals: tc.decimals, Min: 2_000, Max: 9_000}
			if got := c.Carries(tc.money); got != tc.want {
				t.Errorf("Carries(%s) with %d decimals = %t, want %t", tc.money, tc.decimals, got, tc.want)
			}
		})
	}
}

// A merchant's bounds narrow the acquirer's exactly, and never widen them.
func TestBoundsNarrowACapability(t *testing.T) {
	t.Parallel()
	c := acquirer.Capability{Currency: domain.LYD, Decimals: 3, Min: 2_000, Max: 9_000}
	for _, tc := range []struct{ least, most, from, to int64 }{
		{0, 0, 2_000, 9_000}, {3_001, 0, 3_001, 9_000}, {0, 3_001, 2_000, 3_001}, {3_001, 3_001, 3_001, 3_001},
		{1_000, 10_000, 2_000, 9_000}, {1, 2_000, 2_000, 2_000},
	} {
		got := c.Within(tc.least, tc.most)
		for minor, want := range map[int64]bool{tc.from - 1: false, tc.from: true, tc.to: true, tc.to + 1: false} {
			if got.Carries(domain.Money{Minor: minor, Currency: domain.LYD}) != want {
				t.Errorf("within %d and %d: %d is taken: %t", tc.least, tc.most, minor, !want)
			}
		}
	}
	if none := c.Within(9_001, 0); none.Carries(domain.Money{Minor: 9_001, Currency: domain.LYD}) {
		t.Error("bounds beyond the acquirer's widen it")
	}
	if c.Min != 2_000 || c.Max != 9_000 {
		t.Errorf("the capability itself has changed: %+v", c)
	}
}

func TestNoMoneyIsNoPayment(t *testing.T) {
	t.Parallel()
	unbounded := acquirer.Capability{Currency: domain.LYD, Decimals: 3, Min: -10, Max: 10}
	for _, minor := range []int64{0, -5} {
		if unbounded.Carries(domain.Money{Minor: minor, Currency: domain.LYD}) {
			t.Errorf("Carries(%d) = true, want false", minor)
		}
	}
}

func TestAnUnknownReasonIsStillADecline(t *testing.T) {
	t.Parallel()
	for _, r := range acquirer.Reasons() {
		if got := acquirer.ParseReason(string(r)); got != r {
			t.Errorf("ParseReason(%q) = %q", r, got)
		}
	}
	if got := acquirer.ParseReason("mercury_retrograde"); got != acquirer.GenericDecline {
		t.Errorf("ParseReason of an unknown word = %q, want %q", got, acquirer.GenericDecline)
	}
}

// An origin is one source that a Content-Security-Policy can name.
func TestOriginOf(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://pay.example/a?b=c#d":    "https://pay.example",
		"HTTPS://Pay.Example:443":        "https://pay.example",
		"https://pay.example:6006/x":     "https://pay.example:6006",
		"http://127.0.0.1:80/":           "http://127.0.0.1",
		"http://127.0.0.1:8090":          "http://127.0.0.1:8090",
		"https://pay.example:80":         "https://pay.example:80",
		"https://u:p@pay.example":        "",
		"https://pay.example;script-src": "",
		"https://*.example":              "",
		"https://[::1]:8090":             "",
		"https://دفع.example":            "",
		"javascript:alert(1)":            "",
		"//pay.example":                  "",
		"https://":                       "",
		"/bank":                          "",
		"":                               "",
	} {
		if got := acquirer.OriginOf(address); got != want {
			t.Errorf("the origin of %s is %q, want %q", address, got, want)
		}
	}
	c := acquirer.Capability{
		Pages: acquirer.OriginsOf("https://pay.example/api", "https://[::1]", "https://pay.example:443/b"),
	}
	if len(c.Pages) != 1 || !c.LeadsTo("https://pay.example/x") {
		t.Errorf("pages %q", c.Pages)
	}
	for _, address := range []string{
		"http://pay.example/x", "https://pay.example.evil.example/x", "https://pay.example:444",
		"https://evil.example/https://pay.example", "",
	} {
		if c.LeadsTo(address) {
			t.Errorf("%s is taken for a page of the acquirer", address)
		}
	}
}
