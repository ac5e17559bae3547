package dashboard

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/projections"
)

// cell is a value of an exported table.
type cell interface {
	// text is the value as programs read it.
	text() string
	// writeTo puts the value into the cell that is due in a sheet, as what it is.
	writeTo(s *sheet)
}

type (
	// foreign is text that others wrote.
	foreign string
	// code is text of ours: a number, a name, a unit.
	code string
	// word is a name of ours that people read in their own language.
	word struct{ code, said string }
	// moment is an instant; nil: there was none.
	moment struct{ at *time.Time }
	// date is a day of Tripoli's calendar.
	date projections.Day
	// money is an amount, without its currency.
	money domain.Money
	// count is how many.
	count int64
)

// What a program that guesses types makes of a file without them. Those of another language end
// a cell at a semicolon, a tab or a bar, and a row at a line break also within quotation marks.
const (
	formulaSigns = "=+-@＝＋－＠﹦﹢﹣﹫−"
	cellEnds     = ";|\t\v\f\r\n\u0085\u2028\u2029"
)

// unseen reports whether a program may pass a character over before it looks for a formula.
func unseen(r rune) bool {
	return unicode.In(r, unicode.Z, unicode.C, unicode.Other_Default_Ignorable_Code_Point,
		unicode.Variation_Selector) ||
		r == '"' || r == '\u2800' // a pattern of Braille without dots
}

// escapeFormula has every cell that text may be taken for begin with an apostrophe where a formula would
// begin there. It is what all exports write of text that is not ours, but for typed cells.
func escapeFormula(text string) string {
	if !strings.ContainsAny(text, formulaSigns) {
		return text
	}
	runes := []rune(text)
	formula := make([]bool, len(runes)+1) // from here on, behind what is not seen
	for n := len(runes) - 1; n >= 0; n-- {
		formula[n] = strings.ContainsRune(formulaSigns, runes[n]) || unseen(runes[n]) && formula[n+1]
	}
	var out strings.Builder
	for n, r := range runes {
		if formula[n] && (n == 0 || strings.ContainsRune(cellEnds, runes[n-1])) {
			out.WriteByte('\'')
		}
		out.WriteRune(r)
	}
	return out.String()
}

func (f foreign) text() string     { return escapeFormula(string(f)) }
func (f foreign) writeTo(s *sheet) { s.text(string(f)) }

func (c code) text() string     { return string(c) }
func (c code) writeTo(s *sheet) { s.text(string(c)) }

func (w word) text() string     { return w.code }
func (w word) writeTo(s *sheet) { s.text(w.said) }

func (m moment) text() string {
	if m.at == nil {
		return ""
	}
	return locale.Tripoli(*m.at).Format(time.RFC3339)
}

func (m moment) writeTo(s *sheet) {
	if m.at == nil {
		s.skip()
		return
	}
	s.clock(locale.Tripoli(*m.at))
}

func (d date) text() string     { return projections.Day(d).String() }
func (d date) writeTo(s *sheet) { s.day(time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC)) }

func (m money) text() string     { return strings.ReplaceAll(domain.Money(m).Figures(), ",", "") }
func (m money) writeTo(s *sheet) { s.amount(m.text()) }

func (c count) text() string     { return strconv.FormatInt(int64(c), 10) }
func (c count) writeTo(s *sheet) { s.number(c.text()) }

func yesNo(is bool, words view.Words) word {
	if is {
		return word{"yes", words.Yes}
	}
	return word{"no", words.No}
}
