package plutu

import (
	"testing"

	"daftar/domain"
	"daftar/payments/acquirer/plutu/fake"
)

func TestAmounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"12": 12_000, "12.5": 12_500, "12.50": 12_500, "12.500": 12_500, "12.501": 12_501, "0.01": 10,
		"0.001": 1, "012.5": 12_500, "12.50000": 12_500, "1000000.00": domain.MaxAmount,
		"999999999999.999": 999_999_999_999_999,
		"1,000.00":         1_000_000, "1,250.00": 1_250_000, "12,500.5": 12_500_500,
		"999,999.990": 999_999_990, "1,000,000.00": domain.MaxAmount, "1,000,000": domain.MaxAmount,
		"999,999,999,999.999": 999_999_999_999_999,
	} {
		got, err := parseAmount(text)
		if err != nil || got != (domain.Money{Minor: want, Currency: domain.LYD}) {
			t.Errorf("%s: %v, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "0", "0.00", "-1", "+1", ".5", "5.", "1,5", "1.25e1", "0x10", " 12", "12 ", "12.5001", "12.5 LYD",
		"١٢", "NaN", "Infinity", "9999999999999", "true", "12.5\n",
		"1,250", "12,500", "1,25.00", "1,2500.00", "1250,000.00", "12,34,567.00", "0,250.00", "01,250.00",
		",250.00", "1,,250.00", "1,250,.00", "1,250.0,0", "1,250.", "1.250,00", "1.250.000,00",
		"1'250.00", "1 250.00", "1\u00a0250.00", "1٬250.00", "1,250.0001", "0,000.00",
		"1,000,000,000,000.00", "1,250.00e1", "-1,250.00", "\u20681,250.00\u2069",
	} {
		if got, err := parseAmount(text); err == nil {
			t.Errorf("%q is %v, want an error", text, got)
		}
	}
}

// Every amount that is written reads as the same.
func FuzzAmount(f *testing.F) {
	for _, minor := range []int64{1, 10, 12_500, 999_990, domain.MaxAmount} {
		f.Add(minor)
	}
	f.Fuzz(func(t *testing.T, tens int64) {
		money := domain.Money{Minor: tens % (domain.MaxAmount / 10) * 10, Currency: domain.LYD}
		if money.Minor <= 0 {
			return
		}
		text := formatAmount(money)
		for _, text := range []string{text, fake.Grouped(text)} {
			if got, err := parseAmount(text); err != nil || got != money {
				t.Errorf("%v is written %q and read %v, %v", money, text, got, err)
			}
		}
	})
}
