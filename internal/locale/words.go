package locale

import (
	"strings"

	"daftar/domain"
)

// maxInWords is the largest amount that is written in words, in minor units:
// 999,999,999.999. It is far above what one intent may carry.
const maxInWords int64 = 999_999_999_999

// AmountInWords writes the amount in words: ثلاثة دنانير وخمسمئة درهم, or Three
// dinars and five hundred dirhams. An amount that is not positive, or above
// 999,999,999.999, is written in figures instead, because the words would be wrong.
func AmountInWords(l Lang, m domain.Money) string {
	if m.Currency != domain.LYD || m.Minor <= 0 || m.Minor > maxInWords {
		return AmountText(l, m)
	}
	dinars, dirhams := uint64(m.Minor)/1000, uint64(m.Minor)%1000
	switch l {
	case Arabic:
		return arabicAmount(dinars, dirhams)
	case English:
		return englishAmount(dinars, dirhams)
	}
	panic("locale: amount in words of unknown language")
}

func englishAmount(dinars, dirhams uint64) string {
	var parts []string
	if dinars > 0 {
		parts = append(parts, englishCounted(dinars, "dinar"))
	}
	if dirhams > 0 {
		parts = append(parts, englishCounted(dirhams, "dirham"))
	}
	s := strings.Join(parts, " and ")
	return strings.ToUpper(s[:1]) + s[1:]
}

func englishCounted(n uint64, noun string) string {
	if n == 1 {
		return "one " + noun
	}
	return englishCardinal(n) + " " + noun + "s"
}

// englishCardinal writes no "and" inside a number: the only one is between dinars and
// dirhams.
func englishCardinal(n uint64) string {
	var parts []string
	for _, scale := range []struct {
		size uint64
		name string
	}{{1_000_000, "million"}, {1_000, "thousand"}, {100, "hundred"}} {
		if n >= scale.size {
			parts = append(parts, englishCardinal(n/scale.size)+" "+scale.name)
			n %= scale.size
		}
	}
	switch {
	case n == 0:
	case n < 20:
		parts = append(parts, englishSmall[n])
	case n%10 == 0:
		parts = append(parts, englishTens[n/10])
	default:
		parts = append(parts, englishTens[n/10]+"-"+englishSmall[n%10])
	}
	return strings.Join(parts, " ")
}

var englishSmall = [20]string{
	"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
	"ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen",
	"seventeen", "eighteen", "nineteen",
}

var englishTens = [10]string{
	"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
}
