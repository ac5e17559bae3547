package domain

import (
	"fmt"
	"time"
	_ "time/tzdata" // a server without zone files must still know Tripoli's midnight
)

// tripoli is the time zone of all days.
var tripoli = mustLoad("Africa/Tripoli")

func mustLoad(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic("domain: load time zone: " + err.Error())
	}
	return zone
}

// Day is a day of Tripoli's calendar, from midnight to midnight there. The zero
// Day is no day.
type Day struct {
	Year  int
	Month time.Month
	Day   int
}

// DayOf is the day in Tripoli at an instant.
func DayOf(t time.Time) Day {
	year, month, day := t.In(tripoli).Date()
	return Day{year, month, day}
}

// ParseDay reads a day in the form 2026-11-20.
func ParseDay(text string) (Day, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return Day{}, fmt.Errorf("parse day: %w", err)
	}
	return DayIn(t), nil
}

// IsZero reports whether it is no day.
func (d Day) IsZero() bool { return d == Day{} }

// Start is the instant at which the day begins.
func (d Day) Start() time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, tripoli)
}

// Add is the day a number of days later.
func (d Day) Add(days int) Day { return DayIn(d.Date().AddDate(0, 0, days)) }

// Before reports whether the day is before another.
func (d Day) Before(other Day) bool { return d.Date().Before(other.Date()) }

// DaysUntil is how many days later another day is; negative: it is before.
func (d Day) DaysUntil(other Day) int { return int(other.Date().Sub(d.Date()) / (24 * time.Hour)) }

// String is the form that ParseDay reads.
func (d Day) String() string { return d.Date().Format(time.DateOnly) }

// Date is the day as a value for a date column, which has no zone.
func (d Day) Date() time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC)
}

// DayIn is the day that a time shows in its own zone.
func DayIn(t time.Time) Day {
	year, month, day := t.Date()
	return Day{year, month, day}
}

// MarshalText implements encoding.TextMarshaler.
func (d Day) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Day) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDay(string(text))
	return err
}
