package reconcile

import (
	"slices"
	"strings"
)

// matching pairs lines with entries.
type matching struct {
	profile Profile
	lines   []Line
	entries []Entry
	// Indexes of the entries, by our reference and by the provider's number.
	byReference, byNumber map[string][]int
	byDigits              map[string]int // see unpairedByDigits
	named                 namedAttempts
}

func newMatching(p Profile, lines []Line) *matching {
	return &matching{profile: p, lines: lines, byReference: map[string][]int{}, byNumber: map[string][]int{}}
}

// add adds entries, which no line is paired with yet.
func (m *matching) add(entries []Entry) {
	for _, e := range entries {
		n := len(m.entries)
		m.entries = append(m.entries, e)
		key := m.profile.key(string(e.Attempt))
		m.byReference[key] = append(m.byReference[key], n)
		if number := strings.ToLower(e.ProviderReference); number != "" {
			m.byNumber[number] = append(m.byNumber[number], n)
		}
	}
}

func (m *matching) has(e Entry) bool {
	return slices.ContainsFunc(m.byReference[m.profile.key(string(e.Attempt))], func(k int) bool {
		return m.entries[k].Intent == e.Intent && m.entries[k].version == e.version
	})
}

// pair pairs the lines and entries that have no counterpart yet, the surest matches first. So
// of two lines with one reference, the one that has the ledger's number as well is paired.
func (m *matching) pair() {
	for n := range m.lines {
		if l := &m.lines[n]; l.entry == none {
			m.resolve(l)
		}
	}
	for _, fits := range []func(*Line, *Entry) bool{
		func(l *Line, e *Entry) bool {
			return l.ProviderReference != "" && strings.EqualFold(l.ProviderReference, e.ProviderReference)
		},
		func(l *Line, e *Entry) bool { return !l.foreign() && l.Amount == e.Amount },
		func(*Line, *Entry) bool { return true },
	} {
		for n := range m.lines {
			m.pairByReference(n, fits)
		}
	}
	for n := range m.lines {
		l := &m.lines[n]
		if l.entry != none || l.several || len(m.under(l)) > 0 {
			continue
		}
		if k := m.byProviderNumber(l); k != none && m.entries[k].line == none {
			m.link(n, k)
		}
	}
	for n := range m.lines {
		if l := &m.lines[n]; l.entry == none {
			l.repeats = m.repeated(l)
		}
	}
}

func (m *matching) pairByReference(n int, fits func(*Line, *Entry) bool) {
	l := &m.lines[n]
	if l.entry != none {
		return
	}
	for _, k := range m.under(l) {
		if e := &m.entries[k]; e.line == none && fits(l, e) {
			m.link(n, k)
			return
		}
	}
}

func (m *matching) link(line, entry int) {
	m.lines[line].entry, m.lines[line].repeats, m.entries[entry].line = entry, none, line
}

// under are the entries with the line's reference whose money went in the same direction.
func (m *matching) under(l *Line) []int {
	if l.key == "" {
		return nil
	}
	return m.sameDirection(l, m.byReference[l.key])
}

// byProviderNumber is the only entry with the provider's number of the line, which some files have
// in the column of references; none: there is none, or several have it.
func (m *matching) byProviderNumber(l *Line) int {
	for _, number := range []string{l.ProviderReference, l.Reference} {
		if number == "" {
			continue
		}
		if found := m.sameDirection(l, m.byNumber[strings.ToLower(number)]); len(found) == 1 {
			return found[0]
		}
	}
	return none
}

func (m *matching) sameDirection(l *Line, found []int) []int {
	same := found[:0:0]
	for _, k := range found {
		if m.entries[k].isRefund() == l.isRefund {
			same = append(same, k)
		}
	}
	return same
}

// repeated is the entry of the line that is already paired with another line; none: there is none.
func (m *matching) repeated(l *Line) int {
	if l.several {
		return none
	}
	if found := m.under(l); len(found) > 0 {
		return found[0]
	}
	return m.byProviderNumber(l)
}

// similar is the only unpaired entry whose number differs from the line's by leading zeros; nil:
// there is none.
func (m *matching) similar(l *Line) *Entry {
	if number := withoutZeros(l.ProviderReference); number != "" {
		if k, found := m.unpairedByDigits()[number]; found && k != none && m.entries[k].isRefund() == l.isRefund {
			return &m.entries[k]
		}
	}
	return nil
}

// unpairedByDigits maps numbers without leading zeros to unpaired entries; none: several have the
// number.
func (m *matching) unpairedByDigits() map[string]int {
	if m.byDigits == nil {
		m.byDigits = map[string]int{}
		for k := range m.entries {
			number := withoutZeros(m.entries[k].ProviderReference)
			if number == "" || m.entries[k].line != none {
				continue
			}
			if _, twice := m.byDigits[number]; twice {
				k = none
			}
			m.byDigits[number] = k
		}
	}
	return m.byDigits
}

// unknown are the references of unpaired lines that may be those of attempts.
func (m *matching) unknown() []string {
	return m.profile.references(m.lines, func(l *Line) bool {
		return l.entry == none && l.repeats == none && !l.several
	})
}

// references are what may be references of attempts in the wanted lines.
func (p Profile) references(lines []Line, wanted func(*Line) bool) []string {
	var all []string
	seen := map[string]bool{}
	add := func(key string) {
		if !seen[key] && isReference(key) {
			seen[key] = true
			all = append(all, key)
		}
	}
	for n := range lines {
		l := &lines[n]
		if !wanted(l) {
			continue
		}
		add(p.key(l.Reference))
		for _, text := range []string{l.Reference, l.ProviderReference, l.narrative} {
			for _, key := range p.words(text) {
				add(key)
			}
		}
	}
	return all
}

// isReference reports whether a text may be the id of an attempt or its beginning.
func isReference(key string) bool {
	return len(key) >= 10 && len(key) <= 36 && strings.Trim(key, "0123456789abcdefghijklmnopqrstuvwxyz") == ""
}
