package locale

import (
	"html/template"
	"strconv"
	"time"
	_ "time/tzdata" // a server without zone files must still show Tripoli's time
)

// tripoli is the time zone of every time on a page.
var tripoli = mustLoad("Africa/Tripoli")

func mustLoad(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic("locale: load time zone: " + err.Error())
	}
	return zone
}

// Tripoli is the instant on Tripoli's clock.
func Tripoli(t time.Time) time.Time { return t.In(tripoli) }

// Clock is the time of day in Tripoli, on a 24-hour clock: 22:41.
func Clock(t time.Time) string { return Tripoli(t).Format("15:04") }

// Date is the day in Tripoli with the year: 20 نوفمبر 2026 or 20 November 2026.
func Date(l Lang, t time.Time) string {
	t = Tripoli(t)
	return strconv.Itoa(t.Day()) + " " + monthName(l, t.Month()) + " " + strconv.Itoa(t.Year())
}

// Day is the day in Tripoli with its name, without the year: الأحد 22 نوفمبر or
// Sunday 22 November.
func Day(l Lang, t time.Time) string {
	t = Tripoli(t)
	return dayName(l, t.Weekday()) + " " + strconv.Itoa(t.Day()) + " " + monthName(l, t.Month())
}

// Instant is a time as programs read it in answers and webhooks: RFC 3339, UTC, always
// with six digits of fraction.
type Instant time.Time

// AppendText appends the form, without quotes.
func (i Instant) AppendText(b []byte) ([]byte, error) {
	return time.Time(i).UTC().AppendFormat(b, "2006-01-02T15:04:05.000000Z"), nil
}

// MarshalText writes the form.
func (i Instant) MarshalText() ([]byte, error) { return i.AppendText(nil) }

// MomentHTML is the date with year and the time of day, and that it is Tripoli's.
func MomentHTML(l Lang, t time.Time) template.HTML { return timeHTML(l, t, Date(l, t)) }

// DeadlineHTML is the named day and the time of day, and that it is Tripoli's. An
// intent lives less than 31 days, so the year is left out.
func DeadlineHTML(l Lang, t time.Time) template.HTML { return timeHTML(l, t, Day(l, t)) }

func timeHTML(l Lang, t time.Time, day string) template.HTML {
	stamp := Tripoli(t).Format(time.RFC3339)
	comma := l.Say("،", ",")
	place := l.Say("بتوقيت ليبيا", "(Tripoli)")
	//nolint:gosec // made of figures and of names from the tables below
	return template.HTML(`<time datetime="` + stamp + `">` + day + comma + ` <bdi dir="ltr">` + Clock(t) +
		`</bdi></time>&nbsp;` + place)
}

func monthName(l Lang, m time.Month) string { return l.Say(arabicMonths[m-1], m.String()) }

func dayName(l Lang, d time.Weekday) string { return l.Say(arabicDays[d], d.String()) }

var arabicMonths = [12]string{
	"يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو",
	"يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر",
}

var arabicDays = [7]string{
	"الأحد", "الاثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت",
}
