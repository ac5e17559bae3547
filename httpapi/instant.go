package httpapi

import (
	"errors"
	"regexp"
	"strconv"
	"time"
)

// dateTime is RFC 3339, with the offset also in the basic form of ISO 8601
// (+0200, +02). The offset's group is empty where none was sent.
var dateTime = regexp.MustCompile(
	`^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(\.\d{1,9})?([Zz]|[+-]\d{2}(?::?\d{2})?)?$`)

var (
	errNoDateTime = errors.New("no date-time")
	errNoOffset   = errors.New("no offset")
	errNoSuchTime = errors.New("no such time")
)

// expiresAt reads an instant. Whether it lies in the window is for the ledger.
func (v *validator) expiresAt(n node) *time.Time {
	const field = "expires_at"
	if !v.notRepeated(field, n) || n.isMissing() || !v.isString(field, "a string or null", n) {
		return nil
	}
	instant, err := parseInstant(n.text)
	switch {
	case errors.Is(err, errNoOffset):
		v.add(field, "The expires_at must end with an offset from UTC: Z, or for example +02:00.")
	case errors.Is(err, errNoSuchTime):
		v.add(field, "The expires_at is a date or time that does not exist.")
	case err != nil:
		v.add(field, "The expires_at must be an ISO 8601 date-time with an offset, such as 2026-11-21T10:00:00Z.")
	}
	return &instant
}

// parseInstant reads a date-time to the microsecond, which is what the ledger
// stores. Further digits are cut off, never rounded: rounding could move an
// instant over the end of the window.
func parseInstant(s string) (time.Time, error) {
	part := dateTime.FindStringSubmatch(s)
	if part == nil {
		return time.Time{}, errNoDateTime
	}
	date, clock, fraction, offset := part[1], part[2], part[3], part[4]
	if offset == "" {
		return time.Time{}, errNoOffset
	}
	ahead, err := parseOffset(offset)
	if err != nil {
		return time.Time{}, err
	}
	local, err := time.Parse("2006-01-02T15:04:05.999999999", date+"T"+clock+fraction)
	if err != nil {
		return time.Time{}, errNoSuchTime
	}
	instant := local.Add(-ahead).Truncate(time.Microsecond)
	// The year is checked in both, because the answer is given in UTC and RFC 3339
	// has four digits for it.
	if local.Year() < 1 || instant.Year() < 1 || instant.Year() > 9999 {
		return time.Time{}, errNoSuchTime
	}
	return instant, nil
}

// parseOffset reads Z, +02:00, +0200 or +02 as the time ahead of UTC.
func parseOffset(s string) (time.Duration, error) {
	if s == "Z" || s == "z" {
		return 0, nil
	}
	hours, minutes := s[1:3], "00"
	if len(s) > len("+02") {
		minutes = s[len(s)-2:]
	}
	h, hoursErr := strconv.Atoi(hours)
	m, minutesErr := strconv.Atoi(minutes)
	if hoursErr != nil || minutesErr != nil || h > 23 || m > 59 {
		return 0, errNoSuchTime
	}
	ahead := time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
	if s[0] == '-' {
		ahead = -ahead
	}
	return ahead, nil
}
