package locale

import (
	"strings"
	"unicode"

	"daftar/internal/plaintext"
)

// FoldDigits makes what people type into a phone or code field comparable. Arabic-Indic,
// Persian and full-width digits become ASCII digits. Spaces, dashes, the stroke that Arabic
// keyboards have for a dash, and invisible direction marks (which a pasted number may
// contain) are removed. Everything else stays, so that a letter is still found to be wrong.
func FoldDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '！' && r <= '～' { // full width
			r -= '！' - '!'
		}
		if unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) || unicode.Is(unicode.Cf, r) ||
			r == '\u2212' || r == 'ـ' {
			return -1
		}
		return plaintext.LatinDigit(r)
	}, s)
}

// FoldCode makes a code comparable that was typed, or pasted with punctuation around it.
func FoldCode(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) {
			return -1
		}
		return r
	}, FoldDigits(s))
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
