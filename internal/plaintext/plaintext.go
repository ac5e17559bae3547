package plaintext

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Storable reports whether PostgreSQL accepts s as text: valid UTF-8 without NUL.
func Storable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// StorableBytes is Storable of a text in bytes.
func StorableBytes(b []byte) bool { return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 }

// MakeStorable replaces what PostgreSQL does not accept.
func MakeStorable(s, replacement string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, replacement), "\x00", replacement)
}

// OneLine reports whether s is storable and has no control characters, so that it can
// deface neither a page nor a terminal.
func OneLine(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// LatinDigit is the Latin digit of an Arabic-Indic or Persian one. Every other
// character stays. It fits strings.Map.
func LatinDigit(r rune) rune {
	switch {
	case r >= '٠' && r <= '٩':
		return r - '٠' + '0'
	case r >= '۰' && r <= '۹':
		return r - '۰' + '0'
	}
	return r
}

// LatinFigures writes the digits and separators of Arabic and Persian keyboards as
// pages show them, without the direction marks and spaces of a copied number.
func LatinFigures(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '٫':
			return '.'
		case r == '٬', r == '،':
			return ','
		case r == ' ', r == '\u00a0', r == '\u200e', r == '\u200f', r == '\u061c',
			r >= '\u2066' && r <= '\u2069':
			return -1
		}
		return LatinDigit(r)
	}, s)
}
