package reconcile

import (
	"slices"
	"strings"
	"unicode"
)

// isNoLine reports whether a record is not a line of the statement: a total, a remark, or the
// names of the columns again. In doubt it is false, and the record is read as a line.
func (d *decoder) isNoLine(r record) bool {
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
	if amounts == 0 && isRemarkStart(text) {
		return true
	}
	for n, c := range r.cells {
		alone := amounts == 0 || keys == 0 || keys == 1 && key == n ||
			untimed && n == first && d.onlyCounts(r, n)
		if alone && isTotal(trimmed(c.text)) {
			return true
		}
	}
	remark := keys == 1 && timed == 0 && key == first &&
		isRemarkStart(text) && strings.Contains(text, " ") && !d.profile.mayName(text)
	return remark || d.isHead(r)
}

// onlyCounts reports whether all identifying cells except one are numbers too short to
// identify a payment, such as the number of lines in a total.
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

// isRemark reports whether the only text of a record is a sentence, a rule, or a word for a
// total. Otherwise the record may be a line that was cut off.
func (d *decoder) isRemark(text string) bool {
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	if isTotal(text) || !strings.ContainsFunc(text, isWord) {
		return true
	}
	return strings.ContainsFunc(text, unicode.IsLetter) && strings.ContainsFunc(text, unseen) &&
		!d.profile.mayName(text)
}

// isHead reports whether a record repeats the names of the columns, as on a new page.
func (d *decoder) isHead(r record) bool {
	for _, n := range d.at {
		if n >= len(r.cells) || trimmed(r.cells[n].text) != d.names[n] {
			return false
		}
	}
	return true
}

// isTotal reports whether a text says that its line sums up others.
func isTotal(text string) bool {
	if len(text) > 60 {
		return false
	}
	word := strings.TrimRight(normal(text), ":*")
	if totalWords[word] {
		return word != ""
	}
	return slices.ContainsFunc(spellings(text), func(w string) bool { return totalWords[w] })
}

// isRemarkStart reports whether a text begins like a remark about the statement.
func isRemarkStart(text string) bool {
	if len(text) > maxCell {
		return false
	}
	word := normal(text)
	return slices.ContainsFunc(remarkWords, func(w string) bool { return strings.HasPrefix(word, w) })
}
