package httpapi

import (
	"errors"
	"strings"
	"time"
	"unicode"
)

// The faults of a date-time. Each error ends a sentence that begins with the field.
var (
	errNoDateTime  = errors.New("must be an ISO 8601 date-time with an offset, such as 2026-11-21T10:00:00Z")
	errNoOffset    = errors.New("must end with an offset from UTC: Z, or for example +02:00")
	errNoSuchTime  = errors.New("is a date or time that does not exist")
	errNoTimeOfDay = errors.New("has no time of day: add it with its offset, such as T10:00:00Z")
	errNoMinutes   = errors.New("has no minutes")
	errNoSeconds   = errors.New("has a fraction without seconds")
	errBlank       = errors.New("contains a blank: " +
		"ISO 8601 has a T between date and time, and no blank anywhere")
	errOtherDigits = errors.New("must be written with the digits 0 to 9")
	errZoneName    = errors.New("ends with a name in brackets, which ISO 8601 does not have: send it without")
)

// expiresAt reads an instant. The ledger checks whether it lies in the window.
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
	if err != nil {
		v.add(field, "The "+field+" "+err.Error()+".")
	}
	return instant
}

// parseInstant reads a date-time to the microsecond, which is what the ledger
// stores. Further digits are cut off, never rounded: rounding could move an
// instant over the end of the window.
func parseInstant(s string) (time.Time, error) {
	day, since, ahead, err := readDateTime(s)
	if errors.Is(err, errNoDateTime) {
		return time.Time{}, whyNoDateTime(s)
	}
	if err != nil {
		return time.Time{}, err
	}
	local := day.Add(since)
	instant := local.Add(-ahead).Truncate(time.Microsecond)
	// The year is checked in both, because the answer is given in UTC and RFC 3339
	// has four digits for it.
	if local.Year() < 1 || instant.Year() < 1 || instant.Year() > 9999 {
		return time.Time{}, errNoSuchTime
	}
	return instant, nil
}

// whyNoDateTime explains errNoDateTime by what the text has and ISO 8601 has not.
func whyNoDateTime(s string) error {
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			return errBlank
		case unicode.IsDigit(r) && r > unicode.MaxASCII:
			return errOtherDigits
		}
	}
	if strings.HasSuffix(s, "]") && strings.Contains(s, "[") {
		return errZoneName
	}
	return errNoDateTime
}

// readDateTime reads a date-time of ISO 8601, in extended or basic form: a calendar date, an
// ordinal date (2026-335) or a week date (2026-W49-2), then the time of that day, of which
// seconds may be left out, and how far its clock is ahead of UTC.
func readDateTime(s string) (day time.Time, since, ahead time.Duration, err error) {
	r := isoReader{rest: s}
	day, isDay := r.day()
	if !r.broken && r.rest == "" {
		return day, 0, 0, errNoTimeOfDay
	}
	if !r.skip("T") && !r.skip("t") {
		return day, 0, 0, errNoDateTime
	}
	since, isTime, err := r.clock()
	if err != nil {
		return day, 0, 0, err
	}
	if !r.broken && r.rest == "" {
		return day, 0, 0, errNoOffset
	}
	ahead, isOffset := r.offset()
	switch {
	case r.broken || r.rest != "":
		return day, 0, 0, errNoDateTime
	case !isDay || !isTime || !isOffset:
		return day, 0, 0, errNoSuchTime
	}
	return day, since, ahead, nil
}

// isoReader reads a text from its beginning. It is broken from the first part on that
// has not the expected form.
type isoReader struct {
	rest   string
	broken bool
}

// skip skips a sign if it comes next.
func (r *isoReader) skip(sign string) (found bool) {
	r.rest, found = strings.CutPrefix(r.rest, sign)
	return found
}

// hyphen skips a hyphen: that of ISO 8601 (U+2010), or the hyphen-minus of ASCII.
func (r *isoReader) hyphen() bool { return r.skip("-") || r.skip("\u2010") }

// count counts the digits that come next.
func (r *isoReader) count() (n int) {
	for n < len(r.rest) && '0' <= r.rest[n] && r.rest[n] <= '9' {
		n++
	}
	return n
}

// number reads a number of exactly that many digits.
func (r *isoReader) number(digits int) (n int) {
	if r.count() < digits {
		r.broken = true
		return 0
	}
	for _, c := range r.rest[:digits] {
		n = 10*n + int(c-'0')
	}
	r.rest = r.rest[digits:]
	return n
}

// expect breaks the reader if a required part was not found.
func (r *isoReader) expect(found bool) { r.broken = r.broken || !found }

func (r *isoReader) day() (day time.Time, exists bool) {
	year := r.number(len("2026"))
	extended := r.hyphen()
	if r.skip("W") || r.skip("w") {
		week := r.number(len("49"))
		r.expect(r.hyphen() == extended)
		return dayOfWeek(year, week, r.number(len("2")))
	}
	if r.count() == len("335") {
		day = time.Date(year, time.January, r.number(len("335")), 0, 0, 0, 0, time.UTC)
		return day, day.Year() == year
	}
	month := time.Month(r.number(len("12")))
	r.expect(r.hyphen() == extended)
	day = time.Date(year, month, r.number(len("01")), 0, 0, 0, 0, time.UTC)
	return day, day.Month() == month && day.Year() == year
}

// dayOfWeek is a day of an ISO week. The week of 4 January is the first one of a year, and
// Monday the first day of a week.
func dayOfWeek(year, week, weekday int) (day time.Time, exists bool) {
	first := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC)
	sinceMonday := (int(first.Weekday()) + 6) % 7
	day = first.AddDate(0, 0, 7*(week-1)+weekday-1-sinceMonday)
	ofYear, ofWeek := day.ISOWeek()
	return day, ofYear == year && ofWeek == week && 1 <= weekday && weekday <= 7
}

// clock reads the time of a day. The day's end, 24:00, is the beginning of the next one.
func (r *isoReader) clock() (since time.Duration, exists bool, err error) {
	hour := r.number(len("10"))
	extended := r.skip(":")
	if !extended && r.count() == 0 && !r.broken {
		return 0, false, errNoMinutes
	}
	minute, second := r.number(len("00")), 0
	seconds := extended && r.skip(":") || !extended && r.count() > 0
	if seconds {
		second = r.number(len("00"))
	}
	var fraction time.Duration
	if r.skip(".") || r.skip(",") {
		if !seconds && !r.broken {
			return 0, false, errNoSeconds
		}
		fraction = r.fraction()
	}
	since = time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute +
		time.Duration(second)*time.Second + fraction
	return since, minute < 60 && second < 60 && (hour < 24 || since == 24*time.Hour), nil
}

// fraction reads the fraction of a second; digits after the ninth are ignored.
func (r *isoReader) fraction() (f time.Duration) {
	digits := r.count()
	r.expect(digits > 0)
	unit := time.Second
	for _, c := range r.rest[:digits] {
		unit /= 10
		f += time.Duration(c-'0') * unit
	}
	r.rest = r.rest[digits:]
	return f
}

// offset reads how far a clock is ahead of UTC. The minus is that of ISO 8601 (U+2212), or the
// hyphen-minus of ASCII.
func (r *isoReader) offset() (ahead time.Duration, exists bool) {
	if r.skip("Z") || r.skip("z") {
		return 0, true
	}
	behind := r.skip("-") || r.skip("\u2212")
	r.expect(behind || r.skip("+"))
	hours, minutes := r.number(len("02")), 0
	if r.skip(":") || r.count() > 0 {
		minutes = r.number(len("00"))
	}
	ahead = time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if behind {
		ahead = -ahead
	}
	return ahead, hours < 24 && minutes < 60
}
