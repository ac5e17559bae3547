package reconcile

import (
	"regexp"
	"strings"
)

// idLength is how many characters an attempt's id has.
const idLength = 26

// keyLength is how many of them the provider knows.
func (p Profile) keyLength() int {
	if p.ReferenceLength > 0 {
		return p.ReferenceLength
	}
	return idLength
}

// idRune is a letter or digit of ids in lower case; -1: another character.
func idRune(r rune) rune {
	switch {
	case r >= '0' && r <= '9', r >= 'a' && r <= 'z':
		return r
	case r >= 'A' && r <= 'Z':
		return r - 'A' + 'a'
	}
	return -1
}

// mayName reports whether a text has as many letters and digits in a row as a reference.
func (p Profile) mayName(text string) bool { return len(p.words(text)) > 0 }

// words are the parts of a text that may be references, as keys.
func (p Profile) words(text string) []string {
	var all []string
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return idRune(r) < 0 }) {
		if len(word) < p.keyLength() {
			continue
		}
		word = strings.ToLower(word)
		all = append(all, p.key(word))
		if end := word[len(word)-p.keyLength():]; end != p.key(word) { // P2M and the reference, without a blank
			all = append(all, end)
		}
	}
	return all
}

// resolve finds the key of the one attempt that a line names among those that are known.
// Inside a longer text each run of so many characters is looked up, over blanks and
// hyphens: banks break lines. An id is random, so none of them is found by accident; two
// different ones leave the line without a key.
func (m *matching) resolve(l *Line) {
	l.key, l.several = "", false
	take := func(key string) {
		switch {
		case !m.known(key) || key == l.key:
		case l.key != "":
			l.several = true
		default:
			l.key = key
		}
	}
	for _, text := range []string{l.Reference, l.ProviderReference} { // some have ours in the column of theirs
		if text != "" {
			take(m.profile.key(text))
		}
	}
	length := m.profile.keyLength()
	for _, text := range []string{l.Reference, l.narrative} {
		if len(text) < length || text == l.Reference && len(text) == length {
			continue
		}
		text = strings.Map(idRune, text)
		for n := 0; n+length <= len(text); n++ {
			take(text[n : n+length])
		}
	}
	if l.several {
		l.key = ""
	}
}

// known reports whether the ledger has money or an attempt under a key.
func (m *matching) known(key string) bool {
	if len(m.byReference[key]) > 0 {
		return true
	}
	_, attempted := m.named.attempts[key]
	_, refunding := m.named.refunds[key]
	return attempted || refunding
}

// scientific is what a spreadsheet makes of a long number.
var scientific = regexp.MustCompile(`^[0-9](?:[.,٫][0-9]+)?[Ee]\+?[0-9]{1,3}$`)

// withoutZeros is a number of the provider as a spreadsheet keeps it: without the zeros it
// begins with. It is empty where it is no number.
func withoutZeros(number string) string {
	if strings.Trim(number, "0123456789") != "" {
		return ""
	}
	return strings.TrimLeft(number, "0")
}
