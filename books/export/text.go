package export

import (
	"fmt"
	"strings"
	"unicode"

	"daftar/domain"
)

// Amount is an amount in dinars with three decimals and no comma: 1234.500.
func Amount(dirhams int64) string {
	return strings.ReplaceAll(domain.Money{Minor: dirhams, Currency: domain.LYD}.Figures(), ",", "")
}

// escape leaves letters, digits and a few signs of a text as they are, and writes the bytes of every other
// character as in addresses. A sign or space at the beginning is written so, too: a spreadsheet would
// take it for a formula, and other programs would drop it.
func escape(text string) string {
	var b strings.Builder
	for n, r := range text {
		plain := unicode.IsLetter(r) || unicode.IsDigit(r) || (n > 0 && strings.ContainsRune("-._/ ", r))
		if plain && r != unicode.ReplacementChar {
			b.WriteRune(r)
			continue
		}
		size := len(string(r))
		if r == unicode.ReplacementChar && !strings.HasPrefix(text[n:], string(r)) {
			size = 1 // a byte that is no UTF-8
		}
		for _, c := range []byte(text[n : n+size]) {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// capitals is the name of an account by beancount's grammar: each part begins with a capital letter and
// has no signs but hyphens.
func capitals(account string) string {
	parts := strings.Split(strings.ReplaceAll(account, "_", "-"), ":")
	for n, p := range parts {
		parts[n] = strings.ToUpper(p[:1]) + p[1:]
	}
	return strings.Join(parts, ":")
}
