package reconcile

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// tripoli has had no summer time since 2013.
var tripoli = time.FixedZone("Africa/Tripoli", 2*60*60)

// dayForms are the layouts of days. No text fits two with different meanings: in numbers the
// day comes before the month, and a year has four digits, except with the slashes of Moamalat
// and after the name of a month.
var dayForms = []string{
	time.DateOnly, "2006/1/2", "2006.1.2", "2/1/2006", "2-1-2006", "2.1.2006", "2/1/06", "20060102",
	"2 Jan 2006", "2-Jan-2006", "2/Jan/2006", "2.Jan.2006", "2Jan2006",
	"2 Jan 06", "2-Jan-06", "2/Jan/06", "2Jan06",
	"2 January 2006", "2-January-2006",
	"Jan 2 2006", "Jan 2, 2006", "January 2 2006", "January 2, 2006", "Mon, 2 Jan 2006",
}

// momentForm is the pattern of a day and a time of day, with AM or PM and a zone where they
// are given.
var momentForm = regexp.MustCompile(`^(.+?)(?:T|,? )` +
	`([0-9]{1,2}:[0-9]{2}(:[0-9]{2}(?:[.,][0-9]{1,9})?)?|[0-9]{6})` +
	`( ?(?:AM|PM))?( ?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?))?$`)

// timeWords maps months, AM and PM, and zones, in normal form, to what Go's layouts expect.
var timeWords = map[string]string{
	"يناير": "Jan", "فبراير": "Feb", "مارس": "Mar", "ابريل": "Apr", "مايو": "May",
	"يونيو": "Jun", "يونيه": "Jun", "يوليو": "Jul", "يوليه": "Jul", "اغسطس": "Aug",
	"سبتمبر": "Sep", "اكتوبر": "Oct", "نوفمبر": "Nov", "ديسمبر": "Dec", "sept": "Sep",
	"ص": "AM", "صباحا": "AM", "م": "PM", "مساء": "PM", "am": "AM", "pm": "PM",
	"utc": "Z", "gmt": "Z", "z": "Z", "t": "T",
}

var halves = strings.NewReplacer(
	"a.m.", "AM", "A.M.", "AM", "ص.", "AM",
	"p.m.", "PM", "P.M.", "PM", "م.", "PM",
)

// foldTime writes a time with the words and blanks that the layouts expect.
func foldTime(text string) string {
	text = latin(text)
	odd := func(r rune) bool { return r != ' ' && unseen(r) }
	if strings.Contains(text, "  ") || strings.ContainsFunc(text, odd) {
		text = strings.Join(strings.FieldsFunc(text, unseen), " ")
	}
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) && r != 'T' && r != 'Z' }) {
		return text
	}
	var b strings.Builder
	text = halves.Replace(text)
	for text != "" {
		word := text[:len(text)-len(strings.TrimLeftFunc(text, isWordRune))]
		if word == "" {
			r, size := utf8.DecodeRuneInString(text)
			b.WriteRune(r)
			text = text[size:]
			continue
		}
		text = text[len(word):]
		if known, is := timeWords[normal(word)]; is {
			word = known
		}
		b.WriteString(word)
	}
	// UTC+02:00 says the zone twice.
	return strings.NewReplacer("Z+", "+", "Z-", "-").Replace(b.String())
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

// clock reads times. It tries the layout of the last one first, because a file uses only one.
type clock struct {
	recent   string
	from1904 bool // days are counted from 1904, as in workbooks of old Macs
}

// parse reads an instant, or a whole day as its beginning.
func (c *clock) parse(text string) (at time.Time, whole, ok bool) {
	text = foldTime(text)
	if c.recent != "" {
		if at, err := time.ParseInLocation(c.recent, text, tripoli); err == nil && isPlausible(at) {
			return at, isDay(c.recent), true
		}
	}
	if at, whole, ok := c.parseNumber(text); ok {
		return at, whole, isPlausible(at)
	}
	form := formAfterDay(text)
	for _, day := range dayForms {
		if at, err := time.ParseInLocation(day+form, text, tripoli); err == nil && isPlausible(at) {
			c.recent = day + form
			return at, form == "", true
		}
	}
	return time.Time{}, false, false
}

// formAfterDay is the layout of the part after the day; empty: there is none.
func formAfterDay(text string) (form string) {
	m := momentForm.FindStringSubmatchIndex(text)
	if m == nil {
		return ""
	}
	part := func(n int) string {
		if m[2*n] < 0 {
			return ""
		}
		return text[m[2*n]:m[2*n+1]]
	}
	form = text[m[3]:m[4]]
	hours, half, zone := "15", part(4), part(5)
	if half != "" {
		hours = "3"
	}
	switch {
	case !strings.Contains(part(2), ":"):
		form += hours + "0405"
	case part(3) != "":
		form += hours + ":04:05"
	default:
		form += hours + ":04"
	}
	form += strings.Replace(half, "AM", "PM", 1)
	if digits, spaced := strings.CutPrefix(zone, " "); zone != "" {
		if spaced {
			form += " "
		}
		switch len(digits) {
		case len("+02"):
			form += "Z07"
		case len("+0200"):
			form += "Z0700"
		default:
			form += "Z07:00"
		}
	}
	return form
}

// serial is the pattern of a day as spreadsheets count them, with the time as its fraction.
var serial = regexp.MustCompile(`^[0-9]{5}(?:[.,][0-9]+)?$`)

// parseNumber reads a time written as a number, whose length tells its unit; false: it is none.
func (c *clock) parseNumber(text string) (at time.Time, whole, ok bool) {
	if serial.MatchString(text) {
		days, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
		first := time.Date(1899, 12, 30, 0, 0, 0, 0, tripoli)
		if c.from1904 {
			first = time.Date(1904, 1, 1, 0, 0, 0, 0, tripoli)
		}
		day, fraction := math.Modf(days)
		timeOfDay := time.Duration(math.Round(fraction*24*60*60)) * time.Second
		return first.AddDate(0, 0, int(day)).Add(timeOfDay), fraction == 0, err == nil
	}
	if strings.Trim(text, "0123456789") != "" {
		return time.Time{}, false, false
	}
	for _, form := range []string{"20060102", "200601021504", "20060102150405"} {
		if len(text) == len(form) {
			at, err := time.ParseInLocation(form, text, tripoli)
			return at, isDay(form), err == nil
		}
	}
	count, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err == nil && len(text) == len("1793565660"):
		return time.Unix(count, 0), false, true
	case err == nil && len(text) == len("1793565660000"):
		return time.UnixMilli(count), false, true
	}
	return time.Time{}, false, false
}

func isDay(form string) bool { return !strings.Contains(form, "04") }

// isPlausible reports whether a time is in a range in which statements exist. Other numbers
// only look like times.
func isPlausible(t time.Time) bool { return t.Year() >= 2015 && t.Year() < 2100 }
