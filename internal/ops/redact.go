package ops

import (
	"bytes"
	"io"
	"regexp"
)

// Card numbers have 13 to 19 digits (ISO/IEC 7812), the last of which checks the
// others.
const (
	minCardDigits = 13
	maxCardDigits = 19
)

// These replace in the log what is redacted.
const (
	cardReplacement       = "[card number]"
	credentialReplacement = "[credential]"
)

// token matches the parts of a line, from the left, each of which is redacted or not as a
// whole. A word is one part, so that nothing within it matches as another.
var token = regexp.MustCompile(`(?s)"` + // a text of JSON begins or ends
	`|\\(?:u.{4}|\\[abfnrtv]|.)` + // an escape; what was quoted twice, by Go and by JSON, is one
	// How our credentials begin, and how many characters of base64 must follow at least:
	// fewer than a whole one has, because a mistyped one also reveals much.
	`|((?:pk_|at_)[\w+/=%.:-]{32,}|whsec_[\w+/=%.:-]{20,}|PRIVATE\+KEY\+[\w+/=%.:-]*)` +
	`|[[:xdigit:]]{8}-(?:[[:xdigit:]]{4}-){3}[[:xdigit:]]{12}\b` + // a UUID
	`|(\d+(?:[ -]\d+)*)` + // digits in groups with one blank or hyphen between them
	`|[0-9A-Za-z]+`)

// redactingWriter keeps card numbers and credentials out of a log, such as those of a
// customer who types a card number into the wrong field, or of a merchant who writes the
// key into the address. It takes lines of JSON, each in one Write, and passes
// everything else on unchanged. It is the last line of defence: no code logs such
// things on purpose.
//
// A card number is a run of digits, possibly in groups with a space or a hyphen between
// them, whose check digit is right. So one number in ten of that length is redacted
// although it is no card number. Ids are not redacted: the parts of a UUID, and digits
// next to letters.
type redactingWriter struct{ to io.Writer }

// Write implements io.Writer. It returns the number of bytes that it was given.
func (w redactingWriter) Write(line []byte) (int, error) {
	if _, err := w.to.Write(redact(line)); err != nil {
		return 0, err
	}
	return len(line), nil
}

// mayBeSecret rules out most lines at a fraction of the cost of token. If it is false,
// token finds no credential and no card number.
func mayBeSecret(line []byte) bool {
	for _, prefix := range []string{"pk_", "at_", "whsec_", "PRIVATE+KEY+"} {
		if bytes.Contains(line, []byte(prefix)) {
			return true
		}
	}
	digits := 0
	for _, b := range line {
		if '0' <= b && b <= '9' {
			digits++
		} else if b != ' ' && b != '-' {
			digits = 0
		}
		if digits == minCardDigits {
			return true
		}
	}
	return false
}

// redact returns line itself where there is nothing to redact.
func redact(line []byte) []byte {
	if !mayBeSecret(line) {
		return line
	}
	var out []byte
	kept, inText := 0, false // kept: what of line is in out
	replace := func(from, to int, by string) {
		if !inText { // where JSON has a bare number
			by = `"` + by + `"`
		}
		out = append(append(out, line[kept:from]...), by...)
		kept = to
	}
	for _, at := range token.FindAllSubmatchIndex(line, -1) {
		switch {
		case line[at[0]] == '"':
			inText = !inText
		case at[2] >= 0:
			replace(at[2], at[3], credentialReplacement)
		case at[4] >= 0:
			for _, card := range findCards(line, at[4], at[5]) {
				replace(card[0], card[1], cardReplacement)
			}
		}
	}
	if out == nil {
		return line
	}
	return append(out, line[kept:]...)
}

var digits = regexp.MustCompile(`\d+`)

// findCards finds groups of digits in a part of line that form a card number together. Of
// several that begin with the same group, the longest counts. A group with a letter after it
// is no part of a card number.
func findCards(line []byte, from, to int) (cards [][2]int) {
	groups := digits.FindAllIndex(line[from:to], -1)
	if to < len(line) && isLetter(line[to]) {
		groups = groups[:len(groups)-1]
	}
	for first := 0; first < len(groups); first++ {
		for last := len(groups) - 1; last >= first; last-- {
			begin, end := from+groups[first][0], from+groups[last][1]
			if isCard(line[begin:end]) {
				cards = append(cards, [2]int{begin, end})
				first = last
				break
			}
		}
	}
	return cards
}

// isLetter is false for bytes beyond ASCII: Arabic text directly after a card number does
// not hide it.
func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// isCard checks digits, with spaces and hyphens between them, by Luhn's rule. No issuer's
// numbers begin with a zero.
func isCard(s []byte) bool {
	digits := make([]byte, 0, maxCardDigits+1)
	for _, b := range s {
		if b < '0' || b > '9' {
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
