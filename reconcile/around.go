package reconcile

import (
	"slices"
	"strings"
	"unicode"
)

// isAround reports whether a record stands around the lines of the statement: a total, a
// remark, or the names of the columns again. It is sure of it, or the record is read as a
// line.
func (d *decoder) isAround(r record) bool {
	filled, first := 0, none
	for n, c := range r.cells {
		if trimmed(c.text) != "" {
			if filled++; first == none {
				first = n
			}
		}
	}
	text := trimmed(r.cells[first].text)
	if filled == 1 && len(d.names) > 1 {
		return d.isRemark(text)
	}
	keys, key := filledOf(r, d.keys)
	amounts, _ := filledOf(r, d.amounts)
	timed, _ := filledOf(r, d.times)
	untimed := len(d.times) > 0 && timed == 0
	if keys > 1 && amounts > 0 && !untimed {
		return d.isHead(r)
	}
	if amounts == 0 && begins(text) {
		return true
	}
	for n, c := range r.cells {
		alone := amounts == 0 || keys == 0 || keys == 1 && key == n || untimed && n == first && d.onlyCounts(r, n)
		if alone && sums(trimmed(c.text)) {
			return true
		}
	}
	return keys == 1 && timed == 0 && key == first && begins(text) && strings.Contains(text,
		" ") && !d.profile.mayName(text) || d.isHead(r)
}

// onlyCounts reports whether what a payment is known by, but for one cell, are numbers too
// short for it, as how many lines a total is of.
func (d *decoder) onlyCounts(r record, but int) bool {
	return !slices.ContainsFunc(d.keys, func(n int) bool {
		if n == but || n >= len(r.cells) {
			return false
		}
		text := trimmed(r.cells[n].text)
		return len(text) > 6 || strings.Trim(text, "0123456789") != ""
	})
}

// isSecondHead reports whether the record below the head has its names in another
// language.
func (d *decoder) isSecondHead(r record) bool {
	h, _, err := locate(r, d.profile, nil)
	if err != nil {
		return false
	}
	for f, n := range h.at {
		if at, found := d.at[f]; found && at != n {
			return false
		}
	}
	return true
}

// filledOf is how many of some columns have something in them, and the first of these.
func filledOf(r record, columns []int) (count, first int) {
	first = none
	for _, n := range columns {
		if n < len(r.cells) && trimmed(r.cells[n].text) != "" {
			if count++; first == none {
				first = n
			}
		}
	}
	return count, first
}

// isRemark reports whether the one text of a line is no beginning of a line that was cut
// off: a sentence, a rule, or a word for a total.
func (d *decoder) isRemark(text string) bool {
	if sums(text) || !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	}) {
		return true
	}
	return strings.ContainsFunc(text, unicode.IsLetter) && strings.ContainsFunc(text, unseen) &&
		!d.profile.mayName(text)
}

// isHead reports whether a record has the names of the columns again, as of a page.
func (d *decoder) isHead(r record) bool {
	for _, n := range d.at {
		if n >= len(r.cells) || trimmed(r.cells[n].text) != d.names[n] {
			return false
		}
	}
	return true
}

// sums reports whether a text says that its line sums up others.
func sums(text string) bool {
	if len(text) > 60 {
		return false
	}
	word := strings.TrimRight(normal(text), ":*")
	if totals[word] {
		return word != ""
	}
	return slices.ContainsFunc(spellings(text), func(w string) bool { return totals[w] })
}

// begins reports whether a text begins as what is said of a statement does.
func begins(text string) bool {
	if len(text) > maxCell {
		return false
	}
	word := normal(text)
	return slices.ContainsFunc(remarks, func(w string) bool { return strings.HasPrefix(word, w) })
}
