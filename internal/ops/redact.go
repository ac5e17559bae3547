package ops

import (
	"bytes"
	"io"
	"strings"
)

// Card numbers have 13 to 19 digits (ISO/IEC 7812), the last of which checks the
// others.
const (
	minCardDigits = 13
	maxCardDigits = 19
)

// These stand in the log where something else would.
const (
	insteadOfCard       = "[card number]"
	insteadOfCredential = "[credential]"
)

// credentials are how ours begin, and how many characters of base64 must follow at
// the least. Those are fewer than a whole one has: a mistyped one tells much, too.
var credentials = []struct {
	prefix string
	length int
}{{"pk_", 32}, {"at_", 32}, {"whsec_", 20}, {"PRIVATE+KEY+", 0}}

// redactingWriter keeps card numbers and credentials out of a log: those of a
// customer who types a card's number into the wrong field, of a merchant who puts the
// key into the address. It takes lines of JSON, each in one Write, and lets
// everything else through as it is. It is the last line of defence: no code logs such
// things knowingly.
//
// What it takes for a card number is a run of digits, possibly in groups with a
// blank or a hyphen between them, whose check digit is right. One number in ten of
// that length is concealed without being a card's. Ids are left alone: the parts of
// a UUID, and digits that letters touch.
type redactingWriter struct{ to io.Writer }

// Write implements io.Writer. It returns the number of bytes that it was given.
func (w redactingWriter) Write(line []byte) (int, error) {
	if _, err := w.to.Write(conceal(line)); err != nil {
		return 0, err
	}
	return len(line), nil
}

// conceal returns line itself where it has nothing to conceal.
func conceal(line []byte) []byte {
	var out []byte
	kept := 0 // what of line is in out, or is not ours to change
	inText, free := false, true
	for at := 0; at < len(line); {
		switch b := line[at]; {
		case b == '"':
			inText, free = !inText, true
			at++
		case b == '\\' && inText:
			at += lengthOfEscape(line[at:])
			free = true
		case free && lengthOfCredential(line[at:]) > 0:
			out = append(append(out, line[kept:at]...), quoted(insteadOfCredential, inText)...)
			at += lengthOfCredential(line[at:])
			kept = at
		case free && lengthOfUUID(line[at:]) > 0:
			at += lengthOfUUID(line[at:])
			free = false
		case free && isDigit(b):
			groups := digitGroups(line[at:])
			for _, card := range cardsAmong(line[at:], groups) {
				out = append(out, line[kept:at+card.from]...)
				out = append(out, quoted(insteadOfCard, inText)...)
				kept = at + card.to
			}
			at += groups[len(groups)-1].to
			free = false
		default:
			free = !isLetter(b) && !isDigit(b)
			at++
		}
	}
	if out == nil {
		return line
	}
	return append(out, line[kept:]...)
}

// quoted makes a text of what stands where JSON has a bare number.
func quoted(s string, inText bool) string {
	if inText {
		return s
	}
	return `"` + s + `"`
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// isLetter takes the bytes beyond ASCII for letters that touch no card number:
// Arabic text before it does not hide one.
func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// lengthOfEscape takes what was quoted twice, by Go and by JSON, for one.
func lengthOfEscape(s []byte) int {
	length := 2
	switch {
	case len(s) > 1 && s[1] == 'u':
		length = 6
	case len(s) > 2 && s[1] == '\\' && strings.IndexByte("abfnrtv", s[2]) >= 0:
		length = 3
	}
	return min(length, len(s))
}

// lengthOfCredential is that of the credential with which s begins, or zero.
func lengthOfCredential(s []byte) int {
	for _, c := range credentials {
		if len(s) < len(c.prefix) || string(s[:len(c.prefix)]) != c.prefix {
			continue
		}
		end := len(c.prefix)
		for end < len(s) && (isDigit(s[end]) || isLetter(s[end]) || strings.IndexByte("+/_-=%.:", s[end]) >= 0) {
			end++
		}
		if end-len(c.prefix) >= c.length {
			return end
		}
	}
	return 0
}

// lengthOfUUID is that of the UUID with which s begins, or zero.
func lengthOfUUID(s []byte) int {
	const form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
	if len(s) < len(form) {
		return 0
	}
	for n := range len(form) {
		hex := isDigit(s[n]) || ('a' <= s[n]|0x20 && s[n]|0x20 <= 'f')
		if (form[n] == '-') != (s[n] == '-') || (form[n] == 'x' && !hex) {
			return 0
		}
	}
	if len(s) > len(form) && (isDigit(s[len(form)]) || isLetter(s[len(form)])) {
		return 0
	}
	return len(form)
}

// span is a part of a line.
type span struct{ from, to int }

// digitGroups are the digits with which s begins and those that follow after one
// blank or hyphen each. Digits that a letter follows are the last.
func digitGroups(s []byte) []span {
	var groups []span
	for at := 0; at < len(s) && isDigit(s[at]); {
		end := at
		for end < len(s) && isDigit(s[end]) {
			end++
		}
		groups = append(groups, span{at, end})
		if end == len(s) || (s[end] != ' ' && s[end] != '-') {
			break
		}
		at = end + 1
	}
	return groups
}

// cardsAmong finds whole groups that make up a card number together, the longest
// first where several begin with the same.
func cardsAmong(s []byte, groups []span) []span {
	var cards []span
	for first := 0; first < len(groups); first++ {
		for last := len(groups) - 1; last >= first; last-- {
			candidate := span{groups[first].from, groups[last].to}
			if candidate.to < len(s) && isLetter(s[candidate.to]) {
				continue
			}
			if isCard(s[candidate.from:candidate.to]) {
				cards = append(cards, candidate)
				first = last
				break
			}
		}
	}
	return cards
}

// isCard takes digits with blanks and hyphens and checks the last by Luhn's rule.
// No issuer's numbers begin with a zero.
func isCard(s []byte) bool {
	digits := make([]byte, 0, maxCardDigits+1)
	for _, b := range s {
		if !isDigit(b) {
			continue
		}
		if len(digits) == maxCardDigits {
			return false
		}
		digits = append(digits, b-'0')
	}
	if len(digits) < minCardDigits || bytes.IndexByte(digits, 0) == 0 {
		return false
	}
	sum := 0
	for n, d := range digits {
		value := int(d)
		if (len(digits)-n)%2 == 0 {
			value *= 2
			if value > 9 {
				value -= 9
			}
		}
		sum += value
	}
	return sum%10 == 0
}
