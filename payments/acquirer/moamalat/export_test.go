package moamalat

import (
	"time"

	"daftar/domain"
)

// ParseMoney reads an amount of a list.
func ParseMoney(amount, currency string) (domain.Money, error) {
	return parseMoney(text(amount), text(currency))
}

// NewDates returns a source of dates for requests.
func NewDates(now func() time.Time) func(terminal string) string {
	d := dates{now: now}
	return d.next
}
