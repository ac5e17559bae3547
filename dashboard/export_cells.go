package dashboard

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/web"
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

// formula finds where a spreadsheet would see a formula begin in a file without types: at the
// start of the text, and behind what one of another language takes for the end of a cell or a
// line.
var formula = regexp.MustCompile(`(^|[;|\t\r\n])([\pZ\pC]*[=+\-@＝＋－＠])`)

// text is defused: a program that guesses types must find no formula.
func (f foreign) text() string     { return formula.ReplaceAllString(string(f), "$1'$2") }
func (f foreign) writeTo(s *sheet) { s.text(string(f)) }

func (c code) text() string     { return string(c) }
func (c code) writeTo(s *sheet) { s.text(string(c)) }

func (w word) text() string     { return w.code }
func (w word) writeTo(s *sheet) { s.text(w.said) }

func (m moment) text() string {
	if m.at == nil {
		return ""
	}
	return web.Tripoli(*m.at).Format(time.RFC3339)
}

func (m moment) writeTo(s *sheet) {
	if m.at == nil {
		s.skip()
		return
	}
	s.clock(web.Tripoli(*m.at))
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
