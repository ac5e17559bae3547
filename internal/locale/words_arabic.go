package locale

import "strings"

// arabicNoun is a masculine noun in the forms that Arabic numbers require. All forms
// but many are nominative, as an amount is that is no part of a sentence.
type arabicNoun struct {
	one    string // after hundreds and thousands, in the genitive: مئة دينار
	two    string // the dual: ديناران
	twoOf  string // the dual before the noun it counts: ألفا دينار
	few    string // plural, after 3 to 10: ثلاثة دنانير
	many   string // accusative singular, after 11 to 99: أحد عشر دينارًا
	single string // exactly one: دينار واحد
}

var (
	arabicDinar = arabicNoun{
		one: "دينار", two: "ديناران", twoOf: "دينارا", few: "دنانير", many: "دينارًا", single: "دينار واحد",
	}
	arabicDirham = arabicNoun{
		one: "درهم", two: "درهمان", twoOf: "درهما", few: "دراهم", many: "درهمًا", single: "درهم واحد",
	}
	arabicThousand = arabicNoun{
		one: "ألف", two: "ألفان", twoOf: "ألفا", few: "آلاف", many: "ألفًا", single: "ألف",
	}
	arabicMillion = arabicNoun{
		one: "مليون", two: "مليونان", twoOf: "مليونا", few: "ملايين", many: "مليونًا", single: "مليون",
	}
)

func arabicAmount(dinars, dirhams uint64) string {
	var parts []string
	if dinars > 0 {
		parts = append(parts, arabicDinar.counted(dinars, false))
	}
	if dirhams > 0 {
		parts = append(parts, arabicDirham.counted(dirhams, false))
	}
	return strings.Join(parts, " و")
}

// counted writes n of the noun. construct is true if another noun follows that
// the whole counts (ألفا دينار): the dual then loses its final nun and the
// accusative its tanwin.
//
// After hundreds, the noun itself expresses one and two (مئة دينار ودينار واحد):
// Arabic has no numeral for them that is used before a noun.
func (c arabicNoun) counted(n uint64, construct bool) string {
	tail := n % 100
	switch {
	case n == 1:
		return c.single
	case n == 2 && construct:
		return c.twoOf
	case n == 2:
		return c.two
	case tail == 1 || tail == 2:
		return arabicCardinal(n-tail, true) + " " + c.one + " و" + c.counted(tail, construct)
	case tail == 0:
		return arabicCardinal(n, true) + " " + c.one
	case tail <= 10:
		return arabicCardinal(n, false) + " " + c.few
	case construct:
		return arabicCardinal(n, false) + " " + c.one
	}
	return arabicCardinal(n, false) + " " + c.many
}

// arabicCardinal is the number before a masculine noun; construct is true if the
// noun follows its last word directly in the genitive (مئتا دينار, not مئتان).
func arabicCardinal(n uint64, construct bool) string {
	var parts []string
	for _, scale := range []struct {
		size uint64
		noun arabicNoun
	}{{1_000_000, arabicMillion}, {1_000, arabicThousand}} {
		if count := n / scale.size; count > 0 {
			n %= scale.size
			parts = append(parts, scale.noun.counted(count, construct && n == 0))
		}
	}
	if hundreds := n / 100; hundreds > 0 {
		n %= 100
		if hundreds == 2 && construct && n == 0 {
			parts = append(parts, "مئتا")
		} else {
			parts = append(parts, arabicHundreds[hundreds])
		}
	}
	switch {
	case n == 0:
	case n < 20:
		parts = append(parts, arabicSmall[n])
	case n%10 == 0:
		parts = append(parts, arabicTens[n/10])
	default:
		parts = append(parts, arabicSmall[n%10], arabicTens[n/10])
	}
	return strings.Join(parts, " و")
}

// arabicSmall counts masculine nouns: from three to ten the numeral is feminine.
var arabicSmall = [20]string{
	"", "واحد", "اثنان", "ثلاثة", "أربعة", "خمسة", "ستة", "سبعة", "ثمانية", "تسعة",
	"عشرة", "أحد عشر", "اثنا عشر", "ثلاثة عشر", "أربعة عشر", "خمسة عشر", "ستة عشر",
	"سبعة عشر", "ثمانية عشر", "تسعة عشر",
}

var arabicTens = [10]string{
	"", "", "عشرون", "ثلاثون", "أربعون", "خمسون", "ستون", "سبعون", "ثمانون", "تسعون",
}

var arabicHundreds = [10]string{
	"", "مئة", "مئتان", "ثلاثمئة", "أربعمئة", "خمسمئة", "ستمئة", "سبعمئة", "ثمانمئة", "تسعمئة",
}
