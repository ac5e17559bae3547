package plutu_test

import (
	"testing"

	"daftar/checkout/acquirer/plutu"
	"daftar/domain"
)

func TestAmounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"12": 12_000, "12.5": 12_500, "12.50": 12_500, "12.500": 12_500, "12.501": 12_501, "0.01": 10, "0.001": 1,
		"012.5": 12_500, "12.50000": 12_500, "1000000.00": domain.MaxAmount, "999999999999.999": 999_999_999_999_999,
		"1,250.00": 1_250_000, "12,345,678.9": 12_345_678_900, "999,999,999,999.999": 999_999_999_999_999,
	} {
		got, err := plutu.ParseAmount(text)
		if err != nil || got != (domain.Money{Minor: want, Currency: domain.LYD}) {
			t.Errorf("%s: %v, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "0", "0.00", "-1", "+1", ".5", "5.", "1,5", "1,000", "1,00.00", "1000,000.00", ",100.00", "1,000,.00", "1,250,00", "1.250,00", "1,234,567,890,123.00", "1.25e1", "0x10", " 12", "12 ", "12.5001", "12.5 LYD",
		"١٢", "NaN", "Infinity", "9999999999999", "true", "12.5\n",
	} {
		if got, err := plutu.ParseAmount(text); err == nil {
			t.Errorf("%q is %v, want an error", text, got)
		}
	}
}

// What is written is read as the same, whatever the amount.
func FuzzAmount(f *testing.F) {
	for _, minor := range []int64{1, 10, 12_500, 999_990, domain.MaxAmount} {
		f.Add(minor)
	}
	f.Fuzz(func(t *testing.T, tens int64) {
		money := domain.Money{Minor: tens % (domain.MaxAmount / 10) * 10, Currency: domain.LYD}
		if money.Minor <= 0 {
			return
		}
		text := plutu.FormatAmount(money)
		if got, err := plutu.ParseAmount(text); err != nil || got != money {
			t.Errorf("%v is written %q and read %v, %v", money, text, got, err)
		}
	})
}
