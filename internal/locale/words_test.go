package locale_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daftar/domain"
	"daftar/internal/locale"
)

func lyd(minor int64) domain.Money { return domain.Money{Minor: minor, Currency: domain.LYD} }

func TestAmountInArabicWords(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		minor int64
		want  string
	}{
		{1, "درهم واحد"},
		{2, "درهمان"},
		{3, "ثلاثة دراهم"},
		{10, "عشرة دراهم"},
		{11, "أحد عشر درهمًا"},
		{12, "اثنا عشر درهمًا"},
		{20, "عشرون درهمًا"},
		{99, "تسعة وتسعون درهمًا"},
		{100, "مئة درهم"},
		{101, "مئة درهم ودرهم واحد"},
		{102, "مئة درهم ودرهمان"},
		{110, "مئة وعشرة دراهم"},
		{200, "مئتا درهم"},
		{250, "مئتان وخمسون درهمًا"},
		{500, "خمسمئة درهم"},
		{999, "تسعمئة وتسعة وتسعون درهمًا"},
		{1_000, "دينار واحد"},
		{1_001, "دينار واحد ودرهم واحد"},
		{1_250, "دينار واحد ومئتان وخمسون درهمًا"},
		{2_000, "ديناران"},
		{2_002, "ديناران ودرهمان"},
		{3_000, "ثلاثة دنانير"},
		{5_000, "خمسة دنانير"},
		{8_000, "ثمانية دنانير"},
		{10_000, "عشرة دنانير"},
		{11_000, "أحد عشر دينارًا"},
		{12_500, "اثنا عشر دينارًا وخمسمئة درهم"},
		{18_000, "ثمانية عشر دينارًا"},
		{20_000, "عشرون دينارًا"},
		{21_000, "واحد وعشرون دينارًا"},
		{22_000, "اثنان وعشرون دينارًا"},
		{45_000, "خمسة وأربعون دينارًا"},
		{99_999, "تسعة وتسعون دينارًا وتسعمئة وتسعة وتسعون درهمًا"},
		{100_000, "مئة دينار"},
		{101_000, "مئة دينار ودينار واحد"},
		{102_000, "مئة دينار وديناران"},
		{103_000, "مئة وثلاثة دنانير"},
		{111_000, "مئة وأحد عشر دينارًا"},
		{200_000, "مئتا دينار"},
		{201_000, "مئتا دينار ودينار واحد"},
		{210_000, "مئتان وعشرة دنانير"},
		{300_000, "ثلاثمئة دينار"},
		{800_000, "ثمانمئة دينار"},
		{1_000_000, "ألف دينار"},
		{1_001_000, "ألف دينار ودينار واحد"},
		{1_005_000, "ألف وخمسة دنانير"},
		{1_200_000, "ألف ومئتا دينار"},
		{1_234_500, "ألف ومئتان وأربعة وثلاثون دينارًا وخمسمئة درهم"},
		{2_000_000, "ألفا دينار"},
		{2_002_000, "ألفا دينار وديناران"},
		{2_003_000, "ألفان وثلاثة دنانير"},
		{2_200_000, "ألفان ومئتا دينار"},
		{3_000_000, "ثلاثة آلاف دينار"},
		{10_000_000, "عشرة آلاف دينار"},
		{11_000_000, "أحد عشر ألف دينار"},
		{11_005_000, "أحد عشر ألفًا وخمسة دنانير"},
		{21_100_000, "واحد وعشرون ألفًا ومئة دينار"},
		{100_000_000, "مئة ألف دينار"},
		{100_015_000, "مئة ألف وخمسة عشر دينارًا"},
		{101_000_000, "مئة ألف وألف دينار"},
		{102_000_000, "مئة ألف وألفا دينار"},
		{102_500_000, "مئة ألف وألفان وخمسمئة دينار"},
		{103_000_000, "مئة وثلاثة آلاف دينار"},
		{200_000_000, "مئتا ألف دينار"},
		{250_000_000, "مئتان وخمسون ألف دينار"},
		{888_888_888, "ثمانمئة وثمانية وثمانون ألفًا وثمانمئة وثمانية وثمانون دينارًا " +
			"وثمانمئة وثمانية وثمانون درهمًا"},
		{999_999_999, "تسعمئة وتسعة وتسعون ألفًا وتسعمئة وتسعة وتسعون دينارًا وتسعمئة وتسعة وتسعون درهمًا"},
		{1_000_000_000, "مليون دينار"},
		{2_000_000_000, "مليونا دينار"},
	} {
		if got := locale.AmountInWords(locale.Arabic, lyd(row.minor)); got != row.want {
			t.Errorf("%s: got %s, want %s", lyd(row.minor), got, row.want)
		}
	}
}

func TestAmountInEnglishWords(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		minor int64
		want  string
	}{
		{1, "One dirham"},
		{2, "Two dirhams"},
		{12, "Twelve dirhams"},
		{40, "Forty dirhams"},
		{999, "Nine hundred ninety-nine dirhams"},
		{1_000, "One dinar"},
		{1_001, "One dinar and one dirham"},
		{5_000, "Five dinars"},
		{21_000, "Twenty-one dinars"},
		{100_000, "One hundred dinars"},
		{101_000, "One hundred one dinars"},
		{1_234_500, "One thousand two hundred thirty-four dinars and five hundred dirhams"},
		{111_015_000, "One hundred eleven thousand fifteen dinars"},
		{1_000_000_000, "One million dinars"},
	} {
		if got := locale.AmountInWords(locale.English, lyd(row.minor)); got != row.want {
			t.Errorf("%s: got %s, want %s", lyd(row.minor), got, row.want)
		}
	}
}

func TestAmountOutsideWordsIsInFigures(t *testing.T) {
	t.Parallel()
	for _, minor := range []int64{0, -5_000, 1_000_000_000_000} {
		m := lyd(minor)
		figures := strings.Replace(m.Figures(), "-5.000", "\u2068\u22125.000\u2069", 1)
		if got, want := locale.AmountInWords(locale.English, m), figures+"\u00a0LYD"; got != want {
			t.Errorf("%d: got %s, want %s", minor, got, want)
		}
	}
}

// Reading the words back gives the amount, and every noun has the form that the
// number before it requires.
func TestArabicWordsReadBack(t *testing.T) {
	t.Parallel()
	check := func(minor int64) error {
		words := locale.AmountInWords(locale.Arabic, lyd(minor))
		got, err := readArabic(words)
		if err != nil {
			return fmt.Errorf("%s: %q: %w", lyd(minor), words, err)
		}
		if got != minor {
			return fmt.Errorf("%s: %q reads as %s", lyd(minor), words, lyd(got))
		}
		return nil
	}
	for n := int64(1); n <= 2_300; n++ {
		for _, minor := range []int64{n, n * 1_000, n*1_000_000 + n%1_000} {
			if err := check(minor); err != nil {
				t.Fatal(err)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		if err := check(rapid.Int64Range(1, 999_999_999_999).Draw(t, "minor")); err != nil {
			t.Fatal(err)
		}
	})
}

func TestEnglishWordsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := lyd(rapid.Int64Range(1, 999_999_999_999).Draw(t, "minor"))
		words := locale.AmountInWords(locale.English, m)
		if got, err := readEnglish(words); err != nil || got != m.Minor {
			t.Fatalf("%s: %q reads as %s (%v)", m, words, lyd(got), err)
		}
	})
}

var arabicNumbers = map[string]int64{
	"واحد": 1, "أحد": 1, "اثنان": 2, "اثنا": 2, "ثلاثة": 3, "أربعة": 4, "خمسة": 5, "ستة": 6, "سبعة": 7,
	"ثمانية": 8, "تسعة": 9, "عشرة": 10, "عشر": 10, "عشرون": 20, "ثلاثون": 30, "أربعون": 40, "خمسون": 50,
	"ستون": 60, "سبعون": 70, "ثمانون": 80, "تسعون": 90, "مئة": 100, "مئتان": 200, "مئتا": 200,
	"ثلاثمئة": 300, "أربعمئة": 400, "خمسمئة": 500, "ستمئة": 600, "سبعمئة": 700, "ثمانمئة": 800, "تسعمئة": 900,
}

// arabicForm is a form of a noun: what one of it is worth, how many it means without a
// number (1, or 2 for a dual), and whether a number of that size may precede it.
type arabicForm struct {
	worth int64
	self  int64
	after func(n int64) bool
}

func arabicForms() map[string]arabicForm {
	tail := func(low, high int64) func(int64) bool {
		return func(n int64) bool { return n > 0 && n%100 >= low && n%100 <= high }
	}
	round, few, many := tail(0, 0), tail(3, 10), tail(11, 99)
	roundOrMany := func(n int64) bool { return round(n) || many(n) }
	forms := map[string]arabicForm{}
	add := func(worth int64, one, two, twoOf, plural, accusative string, single func(int64) bool) {
		forms[one] = arabicForm{worth, 1, single}
		forms[two] = arabicForm{worth, 2, nil}
		forms[twoOf] = arabicForm{worth, 2, nil}
		forms[plural] = arabicForm{worth, 0, few}
		forms[accusative] = arabicForm{worth, 0, many}
	}
	add(1, "درهم", "درهمان", "-", "دراهم", "درهمًا", round)
	add(1_000, "دينار", "ديناران", "-", "دنانير", "دينارًا", round)
	add(1_000_000, "ألف", "ألفان", "ألفا", "آلاف", "ألفًا", roundOrMany)
	add(1_000_000_000, "مليون", "مليونان", "مليونا", "ملايين", "مليونًا", roundOrMany)
	return forms
}

// readArabic reads words back into dirhams. Numbers are summed up until a noun;
// thousands and millions are kept until the dinar that they count.
func readArabic(words string) (int64, error) {
	forms := arabicForms()
	var total, group, scaled int64 // group: hundreds and below; scaled: thousands and millions, in dirhams
	fields := strings.Split(words, " ")
	if err := checkConstruct(fields); err != nil {
		return 0, err
	}
	for n, written := range fields {
		word := written
		if word != "واحد" {
			word = strings.TrimPrefix(word, "و")
		}
		if value, ok := arabicNumbers[word]; ok {
			afterNoun := n > 0 &&
				(strings.HasSuffix(fields[n-1], "دينار") || strings.HasSuffix(fields[n-1], "درهم"))
			if written == "واحد" && afterNoun {
				continue // دينار واحد: the noun was counted already
			}
			if group%100 > 0 && group%100 < value && value < 20 && value != 10 {
				return 0, fmt.Errorf("%s out of order", word)
			}
			group += value
			continue
		}
		form, ok := forms[word]
		if !ok {
			return 0, fmt.Errorf("unknown word %q", word)
		}
		count := group
		if form.worth == 1_000 || form.worth == 1 {
			rest := scaled
			if group == 0 && scaled > 0 {
				if form.after == nil || !form.after(100) {
					return 0, fmt.Errorf("%s after a round number", word)
				}
				total, scaled = total+rest, 0
				continue
			}
			total, scaled = total+rest, 0
		}
		switch {
		case count == 0 && form.self > 0:
			count = form.self
		case form.after == nil || !form.after(count):
			return 0, fmt.Errorf("%s after %d", word, count)
		}
		if form.worth > 1_000 {
			scaled += count * form.worth
		} else {
			total += count * form.worth
		}
		group = 0
	}
	if group != 0 || scaled != 0 {
		return 0, fmt.Errorf("number without a noun")
	}
	return total, nil
}

// checkConstruct finds a dual or accusative directly before a noun that has kept its
// ending (ألفان دينار), or one elsewhere that has lost it (ألفا وخمسة).
func checkConstruct(fields []string) error {
	full := map[string]bool{"مئتان": true, "ألفان": true, "ألفًا": true, "مليونان": true, "مليونًا": true}
	short := map[string]bool{"مئتا": true, "ألفا": true, "مليونا": true}
	for n, written := range fields {
		word := strings.TrimPrefix(written, "و")
		joined := n+1 < len(fields) && !strings.HasPrefix(fields[n+1], "و")
		if full[word] && joined || short[word] && !joined {
			return fmt.Errorf("%s has the wrong ending", word)
		}
	}
	return nil
}

func readEnglish(words string) (int64, error) {
	numbers := map[string]int64{
		"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
		"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
		"sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30,
		"forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
	}
	var total, scaled, group int64
	for word := range strings.FieldsSeq(strings.ReplaceAll(strings.ToLower(words), "-", " ")) {
		switch word {
		case "and":
		case "hundred":
			group *= 100
		case "thousand":
			scaled, group = scaled+group*1_000, 0
		case "million":
			scaled, group = scaled+group*1_000_000, 0
		case "dinar", "dinars":
			total, scaled, group = (scaled+group)*1_000, 0, 0
		case "dirham", "dirhams":
			total, group = total+group, 0
		default:
			value, ok := numbers[word]
			if !ok {
				return 0, fmt.Errorf("unknown word %q", word)
			}
			group += value
		}
	}
	return total, nil
}
