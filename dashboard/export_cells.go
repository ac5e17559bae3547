package dashboard

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/locale"
)

// cell is a value of an exported table.
type cell interface {
	// text is the value as programs read it.
	text() string
	// writeTo writes the value into the next cell of a sheet, with its type.
	writeTo(s *sheet)
}

type (
	// foreign is untrusted text: others wrote it.
	foreign string
	// code is our own text: an id, a name, a unit.
	code string
	// word is a stored name that people read in their own language.
	word struct{ code, said string }
	// moment is an instant; nil: there was none.
	moment struct{ at *time.Time }
	// date is a day of Tripoli's calendar.
	date domain.Day
	// money is an amount, without its currency.
	money domain.Money
	// count is a number of things.
	count int64
)

// How spreadsheets interpret a file without types: text with a sign of these at its beginning is a
// formula. Depending on the language, a semicolon, a tab or a bar also ends a cell, and a line
// break ends a row even within quotation marks.
const (
	formulaSigns = "=+-@＝＋－＠﹦﹢﹣﹫−"
	cellEnds     = ";|\t\v\f\r\n\u0085\u2028\u2029"
)

// unseen reports whether a spreadsheet may skip a character before it looks for a formula.
func unseen(r rune) bool {
	const blankBraille = '\u2800' // a pattern without dots
	ignored := unicode.In(r, unicode.Z, unicode.C,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
	return ignored || r == '"' || r == blankBraille
}

// escapeFormula puts an apostrophe before every formula that a spreadsheet may find in a text. All
// exports write untrusted text this way, except in typed cells.
func escapeFormula(text string) string {
	if !strings.ContainsAny(text, formulaSigns) {
		return text
	}
	runes := []rune(text)
	formula := make([]bool, len(runes)+1) // by index: a formula starts here, after unseen characters
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

func (d date) text() string     { return domain.Day(d).String() }
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
