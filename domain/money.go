package domain

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Currency is an ISO 4217 code in capitals.
type Currency string

// LYD is the Libyan dinar, divided into 1000 dirhams. It is the only currency
// that the service accepts at present.
const LYD Currency = "LYD"

// ParseCurrency returns the currency with the given code. The code is compared
// exactly, because ISO 4217 codes are capitals. The error is ErrUnknownCurrency.
func ParseCurrency(code string) (Currency, error) {
	if Currency(code) == LYD {
		return LYD, nil
	}
	return "", fmt.Errorf("parse currency %q: %w", code, ErrUnknownCurrency)
}

// Exponent is the number of decimal digits of the currency's minor unit.
func (c Currency) Exponent() int {
	switch c {
	case LYD:
		return 3
	}
	panic("domain: exponent of unknown currency " + string(c))
}

// Money is an amount in a currency's minor unit: 5000 of LYD is 5.000 dinars.
type Money struct {
	Minor    int64
	Currency Currency
}

// Limits of one payment intent, in minor units, both ends included
// (specification, "Limits").
const (
	MinAmount int64 = 1_000
	MaxAmount int64 = 1_000_000_000
)

// Figures writes the amount with the currency's decimals and a comma between
// thousands, in Latin digits, for every language: 1,234.500. It carries no
// currency label.
func (m Money) Figures() string {
	digits := strconv.FormatUint(magnitude(m.Minor), 10)
	exponent := m.Currency.Exponent()
	if short := exponent + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	whole, fraction := digits[:len(digits)-exponent], digits[len(digits)-exponent:]

	var b strings.Builder
	if m.Minor < 0 {
		b.WriteByte('-')
	}
	for i, d := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	if exponent > 0 {
		b.WriteByte('.')
		b.WriteString(fraction)
	}
	return b.String()
}

// figures are an amount as Figures writes it, also without commas and with fewer decimals.
var figures = regexp.MustCompile(`^([0-9]{1,9}|[0-9]{1,3}(?:,[0-9]{3}){1,2})(?:\.([0-9]+))?$`)

// ParseMoney reads what Figures writes: 1,234.500, and also 1234.5 and 1234. Nothing is
// rounded; the error is ErrNoAmount.
func ParseMoney(text string, c Currency) (Money, error) {
	parts := figures.FindStringSubmatch(text)
	exponent := c.Exponent()
	if len(parts) == 0 || len(parts[2]) > exponent {
		return Money{}, fmt.Errorf("parse %q: %w", text, ErrNoAmount)
	}
	whole := strings.ReplaceAll(parts[1], ",", "")
	fraction := parts[2] + strings.Repeat("0", exponent-len(parts[2]))
	minor, err := strconv.ParseInt(whole+fraction, 10, 64)
	return Money{Minor: minor, Currency: c}, err
}

// String is for logs and error messages: 5.000 LYD. An acquirer may name an amount in a currency
// whose decimals the service does not know.
func (m Money) String() string {
	if _, err := ParseCurrency(string(m.Currency)); err != nil {
		return fmt.Sprintf("%d of the smallest unit of %q", m.Minor, string(m.Currency))
	}
	return m.Figures() + " " + string(m.Currency)
}

// magnitude is the absolute value, also of the smallest int64.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}
