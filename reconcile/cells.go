package reconcile

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"daftar/domain"
	"daftar/internal/plaintext"
	"daftar/payments/acquirer/statements"
)

// latin writes the digits and separators of Arabic and Persian keyboards as the forms
// below have them, without marks that are not seen.
func latin(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return s
	}
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

// dirhamMarks are how the dirham is written next to an amount.
var dirhamMarks = normals("dirham dirhams درهم درهما دراهم")

// withoutMark is an amount without the mark of its unit before or behind it. Dinars may
// be marked as such, dirhams not as dinars.
func withoutMark(text string, u statements.Unit) string {
	isDigit := func(r rune) bool { return r >= '0' && r <= '9' }
	marks := dirhamMarks
	if u == statements.Dinars {
		marks = ourMarks
	}
	start := strings.IndexFunc(text, func(r rune) bool { return isDigit(r) || r == '-' })
	if start > 0 && slices.Contains(marks, normal(text[:start])) {
		return text[start:]
	}
	end := strings.LastIndexFunc(text, isDigit) + 1
	if end > 0 && end < len(text) && slices.Contains(marks, normal(text[end:])) {
		return text[:end]
	}
	return text
}

// parseAmount reads an amount in the unit into dirhams.
func parseAmount(text string, u statements.Unit) (int64, bool) {
	if text = latin(text); strings.Trim(text, "0123456789.,-") != "" {
		text = withoutMark(trimmed(text), u)
	}
	form := dirhamForm
	if u == statements.Dinars {
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
	if u == statements.Dinars {
		digits += (parts[3] + "000")[:domain.LYD.Exponent()]
	}
	minor, err := strconv.ParseInt(parts[1]+digits, 10, 64)
	return minor, err == nil
}

// ourCodes name the dinar of Libya alone.
var ourCodes = normals("l.d. د.ل دينار_ليبي libyan_dinar")

// otherCurrency is the form of a code that is not ours.
var otherCurrency = regexp.MustCompile(`^([A-Z]{3}|[0-9]{3})$`)

// parseCurrency reads a code into capitals. All ways to write the dinar are LYD.
func parseCurrency(text string) (string, bool) {
	switch code := strings.ToUpper(latin(text)); {
	case code == string(domain.LYD), code == "434", slices.Contains(ourCodes, normal(code)):
		return string(domain.LYD), true
	default:
		return code, otherCurrency.MatchString(code)
	}
}
