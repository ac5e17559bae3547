package locale

import "time"

// The units of an age, each in the forms that numbers require after a preposition (منذ).
var ageUnits = [...][3]countForms{
	Arabic: {
		{one: "دقيقة", two: "دقيقتين", few: "# دقائق", other: "# دقيقة"},
		{one: "ساعة", two: "ساعتين", few: "# ساعات", other: "# ساعة"},
		{one: "يوم", two: "يومين", few: "# أيام", other: "# يومًا"},
	},
	English: {
		{one: "1 minute", two: "2 minutes", few: "# minutes", other: "# minutes"},
		{one: "1 hour", two: "2 hours", few: "# hours", other: "# hours"},
		{one: "1 day", two: "2 days", few: "# days", other: "# days"},
	},
}

// AgeText is how long ago something was, in whole minutes, hours or days: منذ ساعتين, منذ 11 يومًا.
// It is a minute at least.
func AgeText(l Lang, d time.Duration) string {
	unit, n := 0, int(max(d, time.Minute)/time.Minute)
	switch {
	case d >= 48*time.Hour:
		unit, n = 2, int(d/(24*time.Hour))
	case d >= time.Hour:
		unit, n = 1, int(d/time.Hour)
	}
	return ageUnits[l][unit].counted(n)
}

// DaysText is a number of days after a preposition: يومين, 11 يومًا.
func DaysText(l Lang, days int) string { return ageUnits[l][2].counted(days) }
