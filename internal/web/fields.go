package web

import (
	"regexp"
	"strings"
	"unicode"

	"daftar/internal/plaintext"
)

// FoldDigits makes what people type into a phone or code field comparable:
// Arabic-Indic and Persian digits become ASCII digits; spaces, dashes and
// invisible direction marks (which come along when a number is pasted) go.
// Everything else stays, so that a letter is still seen as wrong.
func FoldDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) || unicode.Is(unicode.Cf, r) || r == '\u2212' {
			return -1
		}
		return plaintext.LatinDigit(r)
	}, s)
}

// libyanMobile takes the national form with or without its zero, and the
// international one with +, 00 or neither; some write the zero there too.
var libyanMobile = regexp.MustCompile(`^(?:(?:\+|00)?2180?|0)?(9[1-6][0-9]{7})$`)

// LibyanMobile reads a Libyan mobile number as people write it (091 234 5678,
// 912345678, +218 91 234 5678, ٠٩١٢٣٤٥٦٧٨) and returns it as ten digits,
// 0912345678. It returns false if it is none.
func LibyanMobile(s string) (string, bool) {
	match := libyanMobile.FindStringSubmatch(FoldDigits(s))
	if match == nil {
		return "", false
	}
	return "0" + match[1], true
}

// MaskPhone hides the middle of a mobile number: 091•••5678. What is no Libyan
// mobile number is hidden whole.
func MaskPhone(phone string) string {
	digits, ok := LibyanMobile(phone)
	if !ok {
		return "•••"
	}
	return digits[:3] + "•••" + digits[6:]
}

// Isolate wraps text of unknown direction for places that take no markup, such as
// a title. Direction controls inside the text are dropped, so that it cannot end
// its own isolation.
func Isolate(s string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, s)
	return "\u2068" + clean + "\u2069"
}
