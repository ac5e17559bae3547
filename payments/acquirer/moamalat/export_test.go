package moamalat

import (
	"time"

	"daftar/domain"
)

// ParseMoney gives the tests the parser of amounts.
func ParseMoney(amount, currency string) (domain.Money, error) {
	return parseMoney(text(amount), text(currency))
}

// NewDates gives the tests the dates of a provider's requests.
func NewDates(now func() time.Time) func(terminal string) string {
	d := dates{now: now}
	return d.next
}
