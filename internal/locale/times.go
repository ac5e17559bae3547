package locale

import (
	"html/template"
	"strconv"
	"strings"
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

// TimeOfDay is the time of day in Tripoli as people say it, on a 12-hour clock: 2:30 ظهرًا or
// 2:30 pm. The hours after midnight are فجرًا, dawn: ليلًا, at night, would be read as the end of the
// day that they begin.
func TimeOfDay(say Say, t time.Time) string {
	t = Tripoli(t)
	return t.Format("3:04") + "\u00a0" + say(arabicPartOfDay(t.Hour()), t.Format("pm"))
}

func arabicPartOfDay(hour int) string {
	switch {
	case hour < 6:
		return "فجرًا"
	case hour < 12:
		return "صباحًا"
	case hour < 15:
		return "ظهرًا"
	case hour < 18:
		return "عصرًا"
	}
	return "مساءً"
}

// Date is the day in Tripoli with the year: 20 نوفمبر 2026 or 20 November 2026.
func Date(l Lang, t time.Time) string {
	t = Tripoli(t)
	return strconv.Itoa(t.Day()) + " " + monthName(l, t.Month()) + " " + strconv.Itoa(t.Year())
}

// ShortDate is the day in Tripoli for tables: 20 نوفمبر or 20 Nov, with the year if it is another
// than the given one.
func ShortDate(l Lang, t time.Time, year int) string {
	at := Tripoli(t)
	day := strconv.Itoa(at.Day()) + " " + l.Say(arabicMonths[at.Month()-1], at.Month().String()[:3])
	if at.Year() == year {
		return day
	}
	return day + " " + strconv.Itoa(at.Year())
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
func MomentHTML(l Lang, t time.Time) template.HTML {
	//nolint:gosec // made of figures and of names from the tables below
	return TimeHTML(l, t, Date(l, t), `<bdi dir="ltr">`+Clock(t)+`</bdi>`) + template.HTML(`&nbsp;`+zone(l))
}

// MomentText is MomentHTML in plain text, for places that take no markup.
func MomentText(l Lang, t time.Time) string {
	return Date(l, t) + Comma(l) + " " + Clock(t) + nbsp + strings.ReplaceAll(zone(l), " ", nbsp)
}

// DeadlineHTML is the named day and the time of day as people say it: الأحد 22 نوفمبر، 2:30 ظهرًا or
// Sun 22 Nov, 2:30 pm, in one line of a phone. An intent lives less than 31 days, so the year is left
// out. Customers are in Libya: the script shows whose time it is where the device has another.
func DeadlineHTML(l Lang, t time.Time) template.HTML {
	day := l.Say(Day(l, t), Tripoli(t).Format("Mon 2 Jan"))
	//nolint:gosec // made of figures and of names from the tables below
	return TimeHTML(l, t, day, TimeOfDay(l.Say, t)) +
		template.HTML(`<span data-zone hidden> `+zone(l)+`</span>`)
}

func zone(l Lang) string { return l.Say("بتوقيت ليبيا", "(Libya’s time)") }

// TimeHTML is a time as an element: the day and the time of day, which are markup already.
func TimeHTML(l Lang, t time.Time, day, clock string) template.HTML {
	stamp := Tripoli(t).Format(time.RFC3339)
	//nolint:gosec // as its callers'
	return template.HTML(`<time datetime="` + stamp + `">` + day + Comma(l) + ` ` + clock + `</time>`)
}

// Comma is that of the language, without a space.
func Comma(l Lang) string { return l.Say("،", ",") }

func monthName(l Lang, m time.Month) string { return l.Say(arabicMonths[m-1], m.String()) }

func dayName(l Lang, d time.Weekday) string { return l.Say(arabicDays[d], d.String()) }

var arabicMonths = [12]string{
	"يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو",
	"يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر",
}

var arabicDays = [7]string{
	"الأحد", "الاثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت",
}
