package reconcile

import (
	"regexp"
	"strings"
)

// idLength is the number of characters in an attempt's id.
const idLength = 26

// keyLength is the number of them that the provider gets.
func (p Profile) keyLength() int {
	if p.ReferenceLength > 0 {
		return p.ReferenceLength
	}
	return idLength
}

// idRune is a letter or digit of ids, in lower case; -1 for other characters.
func idRune(r rune) rune {
	switch {
	case r >= '0' && r <= '9', r >= 'a' && r <= 'z':
		return r
	case r >= 'A' && r <= 'Z':
		return r - 'A' + 'a'
	}
	return -1
}

// mayName reports whether a text has as many consecutive letters and digits as a reference.
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
		// P2M may precede the reference without a blank.
		if end := word[len(word)-p.keyLength():]; end != p.key(word) {
			all = append(all, end)
		}
	}
	return all
}

// resolve finds the key of the only known attempt that a line names. In a longer text every
// substring of the key's length is looked up, across blanks and hyphens, because banks break
// lines. Ids are random, so none is found by accident. A line that names two gets no key.
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
	m.profile.eachKey(l, take)
	if l.several {
		l.key = ""
	}
}

// eachKey calls take with each part of a line that may be a reference, as a key. Some keys come twice.
func (p Profile) eachKey(l *Line, take func(key string)) {
	// Some files have our reference in the column of the provider's number.
	for _, text := range []string{l.Reference, l.ProviderReference} {
		if text != "" {
			take(p.key(text))
		}
	}
	length := p.keyLength()
	for _, text := range []string{l.Reference, l.narrative} {
		if len(text) < length || text == l.Reference && len(text) == length {
			continue
		}
		text = strings.Map(idRune, text)
		for n := 0; n+length <= len(text); n++ {
			take(text[n : n+length])
		}
	}
}

// known reports whether the ledger has money or an attempt with a key.
func (m *matching) known(key string) bool {
	return len(m.byReference[key]) > 0 || m.named.has(key)
}

// scientific is the pattern of scientific notation, into which spreadsheets turn long numbers.
var scientific = regexp.MustCompile(`^[0-9](?:[.,٫][0-9]+)?[Ee]\+?[0-9]{1,3}$`)

// withoutZeros is a provider's number without leading zeros, which spreadsheets drop; empty if
// the text is no number.
func withoutZeros(number string) string {
	if strings.Trim(number, "0123456789") != "" {
		return ""
	}
	return strings.TrimLeft(number, "0")
}
