package reconcile

import (
	"slices"
	"strings"
)

// matching finds for each line its entry and for each entry its line.
type matching struct {
	profile Profile
	lines   []Line
	entries []Entry
	// The entries under our reference, and under the provider's number.
	byReference, byNumber map[string][]int
	byDigits              map[string]int // made by zeroless
	named                 underWay
}

func newMatching(p Profile, lines []Line) *matching {
	return &matching{profile: p, lines: lines, byReference: map[string][]int{}, byNumber: map[string][]int{}}
}

// add takes more entries, of which no line knows yet.
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

// has says whether an entry was added.
func (m *matching) has(e Entry) bool {
	return slices.ContainsFunc(m.byReference[m.profile.key(string(e.Attempt))], func(k int) bool {
		return m.entries[k].Intent == e.Intent && m.entries[k].version == e.version
	})
}

// pair matches what has no counterpart yet, the surest first. What comes later takes only
// what the surer left: of two payments under one reference, the ledger's own is matched.
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
		if k := m.numbered(l); k != none && m.entries[k].line == none {
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

// under are the entries under the line's reference whose money went the same way.
func (m *matching) under(l *Line) []int {
	if l.key == "" {
		return nil
	}
	return m.sameDirection(l, m.byReference[l.key])
}

// numbered is the one entry with the provider's number of the line, which some files have
// in the column of references; none: there is none, or the number is of several.
func (m *matching) numbered(l *Line) int {
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

// repeated is the entry that the line is about and that another line has; none: there is
// none.
func (m *matching) repeated(l *Line) int {
	if l.several {
		return none
	}
	if found := m.under(l); len(found) > 0 {
		return found[0]
	}
	return m.numbered(l)
}

// alike is the one entry without a line whose number is that of a line but for zeros at
// its beginning; nil: there is none.
func (m *matching) alike(l *Line) *Entry {
	if number := withoutZeros(l.ProviderReference); number != "" {
		if k, found := m.zeroless()[number]; found && k != none && m.entries[k].isRefund() == l.isRefund {
			return &m.entries[k]
		}
	}
	return nil
}

// zeroless are the entries without a line by their numbers without leading zeros; none:
// several have it.
func (m *matching) zeroless() map[string]int {
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

// unknown are the references of lines without an entry that may be those of attempts.
func (m *matching) unknown() []string {
	var all []string
	seen := map[string]bool{}
	ask := func(key string) {
		if !seen[key] && isReference(key) {
			seen[key] = true
			all = append(all, key)
		}
	}
	for n := range m.lines {
		l := &m.lines[n]
		if l.entry != none || l.repeats != none || l.several {
			continue
		}
		ask(m.profile.key(l.Reference))
		for _, text := range []string{l.Reference, l.ProviderReference, l.narrative} {
			for _, key := range m.profile.words(text) {
				ask(key)
			}
		}
	}
	return all
}

// isReference says whether a text may be the id of an attempt or its beginning.
func isReference(key string) bool {
	return len(key) >= 10 && len(key) <= 36 && strings.Trim(key, "0123456789abcdefghijklmnopqrstuvwxyz") == ""
}
