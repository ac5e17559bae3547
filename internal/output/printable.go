package output

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// directionMarks join Arabic letters and mark the direction of a neutral character.
// They override nothing.
const directionMarks = "\u200c\u200d\u200e\u200f\u061c"

func isPrintable(r rune) bool { return unicode.IsPrint(r) || strings.ContainsRune(directionMarks, r) }

// Printable replaces characters that a terminal would interpret with Go's escapes.
func Printable(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case isPrintable(r):
			b.WriteString(s[:size])
		default:
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
		s = s[size:]
	}
	return b.String()
}

// Styled is text that is printed unchanged: it has been made printable already.
type Styled string

// EscapeJSON returns the same JSON with escapes for what a terminal would interpret.
func EscapeJSON(text []byte) []byte {
	escaped := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if isPrintable(r) || r == '\n' {
			escaped = append(escaped, text[:size]...)
		} else {
			for _, unit := range utf16.Encode([]rune{r}) {
				escaped = fmt.Appendf(escaped, `\u%04x`, unit)
			}
		}
		text = text[size:]
	}
	return escaped
}
