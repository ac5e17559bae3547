package reconcile

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"daftar/domain"
	"daftar/internal/plaintext"
)

// latin writes the digits and separators of Arabic and Persian keyboards as the forms
// below have them, without marks that are not seen.
func latin(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '٫':
			return '.'
		case '٬', '،':
			return ','
		case '−':
			return '-'
		}
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return plaintext.LatinDigit(r)
	}, s)
}

// The forms of amounts, up to 999,999,999.999 dinars: far above the largest payment, and
// the sum of MaxLines of them is an int64.
var (
	dinarForm  = regexp.MustCompile(`^(-?)([0-9]{1,9}|[0-9]{1,3}(?:,[0-9]{3}){1,2})(?:\.([0-9]{1,3}))?$`)
	dirhamForm = regexp.MustCompile(`^(-?)([0-9]{1,12}|[0-9]{1,3}(?:,[0-9]{3}){1,3})$`)
)

// parseAmount reads an amount in the unit into dirhams.
func parseAmount(text string, u Unit) (int64, bool) {
	text = latin(text)
	form := dirhamForm
	if u == Dinars {
		form = dinarForm
		// 12,500 is twelve thousand dinars to some and twelve and a half to others.
		if strings.Contains(text, ",") && !strings.Contains(text, ".") {
			return 0, false
		}
	}
	parts := form.FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	digits := strings.ReplaceAll(parts[2], ",", "")
	if u == Dinars {
		digits += (parts[3] + "000")[:domain.LYD.Exponent()]
	}
	minor, err := strconv.ParseInt(parts[1]+digits, 10, 64)
	return minor, err == nil
}

// otherCurrency is the form of a code that is not ours.
var otherCurrency = regexp.MustCompile(`^([A-Z]{3}|[0-9]{3})$`)

// parseCurrency reads a code into capitals. All ways to write the dinar are LYD.
func parseCurrency(text string) (string, bool) {
	switch code := strings.ToUpper(latin(text)); {
	case code == string(domain.LYD), code == "434", code == "LD", normal(code) == "دل":
		return string(domain.LYD), true
	default:
		return code, otherCurrency.MatchString(code)
	}
}

// tripoli has had no summer time since 2013.
var tripoli = time.FixedZone("Africa/Tripoli", 2*60*60)

// The forms of times. None can be read as another; in those with slashes the day is first.
var (
	moments = []string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04", "2006-01-02 15:04",
		"2006/01/02 15:04:05", "2006/01/02 15:04", "2/1/2006 15:04:05", "2/1/2006 15:04", "2/1/2006 3:04:05 PM", "2/1/2006 3:04 PM",
		"2-1-2006 15:04:05", "2-1-2006 15:04", "2/1/06 15:04:05", "2/1/06 15:04", "20060102150405", "200601021504",
	}
	days = []string{time.DateOnly, "2006/01/02", "2/1/2006", "2-1-2006", "2/1/06", "20060102"}
)

// clock reads times. It tries the form of the last one first, because a file has one.
type clock struct{ recent string }

// parse reads a moment, or the beginning of a day; whole says which.
func (c *clock) parse(text string) (at time.Time, whole, ok bool) {
	text = strings.Join(strings.Fields(latin(text)), " ")
	if c.recent != "" {
		if at, err := time.ParseInLocation(c.recent, text, tripoli); err == nil && isPlausible(at) {
			return at, isDay(c.recent), true
		}
	}
	for _, forms := range [][]string{moments, days} {
		for _, form := range forms {
			if at, err := time.ParseInLocation(form, text, tripoli); err == nil && isPlausible(at) {
				c.recent = form
				return at, isDay(form), true
			}
		}
	}
	if len(text) == 10 && strings.Trim(text, "0123456789") == "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		at := time.Unix(seconds, 0)
		return at, false, err == nil && isPlausible(at)
	}
	return time.Time{}, false, false
}

func isDay(form string) bool { return !strings.Contains(form, "04") }

// isPlausible refuses what reads as a time by accident.
func isPlausible(t time.Time) bool { return t.Year() >= 2015 && t.Year() < 2100 }

// counted says of words for how a payment stands whether its money was taken.
var counted = wordsOf(
	"approved paid completed complete confirmed success successful succeeded settled captured ok 00 1 true yes مقبولة مقبول ناجحة مدفوعة مكتملة",
	"declined failed failure canceled cancelled rejected refused expired pending processing acknowledged initiated open error 0 false no "+
		"مرفوضة مرفوض فاشلة ملغاة ملغية معلقة منتهية",
)

// taken says of words for what a line is whether money came in; else it went back.
var taken = wordsOf("sale purchase payment p2m p2p m2m 1 بيع شراء دفع", "refund reversal void voidsale m2p 2 3 رد استرداد إلغاء")

func wordsOf(yes, no string) map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(yes) {
		words[word] = true
	}
	for word := range strings.FieldsSeq(no) {
		words[word] = false
	}
	return words
}
