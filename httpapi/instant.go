package httpapi

import (
	"cmp"
	"errors"
	"regexp"
	"strings"
	"time"
)

// dateTime is RFC 3339, but seconds may be left out, and the offset may be in the basic
// form of ISO 8601 (+0200, +02). The groups are the time to the minute, the seconds, and the offset with its
// hours and minutes; the offset is empty where none was sent.
var dateTime = regexp.MustCompile(
	`^(\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?([Zz]|([+-]\d{2})(?::?(\d{2}))?)?$`)

var (
	errNoDateTime = errors.New("no date-time")
	errNoOffset   = errors.New("no offset")
	errNoSuchTime = errors.New("no such time")
)

// expiresAt reads an instant. Whether it lies in the window is for the ledger.
func (v *validator) expiresAt(n node) *time.Time {
	const field = "expires_at"
	if !v.notRepeated(field, n) || n.isNull() || !v.isString(field, "a string or null", n) {
		return nil
	}
	instant := v.instant(field, n.text)
	return &instant
}

func (v *validator) instant(field, text string) time.Time {
	instant, err := parseInstant(text)
	switch {
	case errors.Is(err, errNoOffset):
		v.add(field, "The "+field+" must end with an offset from UTC: Z, or for example +02:00.")
	case errors.Is(err, errNoSuchTime):
		v.add(field, "The "+field+" is a date or time that does not exist.")
	case err != nil:
		v.add(field, "The "+field+" must be an ISO 8601 date-time with an offset, such as 2026-11-21T10:00:00Z.")
	}
	return instant
}

// parseInstant reads a date-time to the microsecond, which is what the ledger
// stores. Further digits are cut off, never rounded: rounding could move an
// instant over the end of the window.
func parseInstant(s string) (time.Time, error) {
	part := dateTime.FindStringSubmatch(s)
	if part == nil {
		return time.Time{}, errNoDateTime
	}
	local, offset, hours, minutes := part[1]+cmp.Or(part[2], ":00"), part[3], part[4], cmp.Or(part[5], "00")
	switch {
	case offset == "":
		return time.Time{}, errNoOffset
	case hours == "":
		offset = "Z"
	case hours[1:] > "23" || minutes > "59":
		return time.Time{}, errNoSuchTime // which time.Parse would take
	default:
		offset = hours + ":" + minutes
	}
	sent, err := time.Parse(time.RFC3339, strings.ToUpper(local)+offset)
	if err != nil {
		return time.Time{}, errNoSuchTime
	}
	instant := sent.UTC().Truncate(time.Microsecond)
	// The year is checked in both, because the answer is given in UTC and RFC 3339
	// has four digits for it.
	if sent.Year() < 1 || instant.Year() < 1 || instant.Year() > 9999 {
		return time.Time{}, errNoSuchTime
	}
	return instant, nil
}
