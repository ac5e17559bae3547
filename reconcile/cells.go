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

// latin writes the digits and separators of Arabic and Persian keyboards as the patterns
// below expect them, without invisible marks.
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

// The patterns of amounts, up to 999,999,999.999 dinars: far above the largest payment, and
// the sum of MaxLines such amounts fits an int64.
var (
	dinarForm  = regexp.MustCompile(`^(-?)([0-9]{1,9}|[0-9]{1,3}(?:,[0-9]{3}){1,2})(?:\.([0-9]{1,3}))?$`)
	dirhamForm = regexp.MustCompile(`^(-?)([0-9]{1,12}|[0-9]{1,3}(?:,[0-9]{3}){1,3})$`)
)

// dirhamMarks are the spellings of the dirham next to an amount.
var dirhamMarks = normals("dirham dirhams درهم درهما دراهم")

// withoutMark is an amount without the mark of its unit before or after it. Only the unit's
// own marks are accepted: dirhams marked as dinars stay unreadable.
func withoutMark(text string, u statements.Unit) string {
	isDigit := func(r rune) bool { return r >= '0' && r <= '9' }
	marks := dirhamMarks
	if u == statements.Dinars {
		marks = dinarMarks
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

// dinarCodes are the names of the Libyan dinar and of no other dinar.
var dinarCodes = normals("l.d. د.ل دينار_ليبي libyan_dinar")

// otherCurrency is the pattern of another currency's code.
var otherCurrency = regexp.MustCompile(`^([A-Z]{3}|[0-9]{3})$`)

// parseCurrency returns a code in capitals; LYD for every spelling of the Libyan dinar.
func parseCurrency(text string) (string, bool) {
	switch code := strings.ToUpper(latin(text)); {
	case code == string(domain.LYD), code == "434", slices.Contains(dinarCodes, normal(code)):
		return string(domain.LYD), true
	default:
		return code, otherCurrency.MatchString(code)
	}
}
