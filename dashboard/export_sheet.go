package dashboard

import (
	"bytes"
	"encoding/xml"
	"regexp"
	"strconv"
	"time"

	"github.com/xuri/excelize/v2"
)

// sheet writes the rows of a sheet, in the markup of Office Open XML (ECMA-376 part 1, 18.3).
// Untrusted text is an inline string, which no spreadsheet calculates; a formula would be
// a separate element, and none is ever written.
type sheet struct {
	styles sheetStyles
	rows   int // written so far
	column int
	row    bytes.Buffer
}

// sheetStyles are the numbers of styles in the workbook.
type sheetStyles struct{ text, amount, number, clock, day int }

// newStyles adds the styles to a workbook. Text cells stay text when somebody edits them.
func newStyles(f *excelize.File) (s sheetStyles, err error) {
	const asText = 49 // built in: @
	amount, number, clock, day := "#,##0.000", "#,##0", "yyyy-mm-dd hh:mm:ss", "yyyy-mm-dd"
	for _, style := range []struct {
		into *int
		is   *excelize.Style
	}{
		{&s.text, &excelize.Style{NumFmt: asText}},
		{&s.amount, &excelize.Style{CustomNumFmt: &amount}},
		{&s.number, &excelize.Style{CustomNumFmt: &number}},
		{&s.clock, &excelize.Style{CustomNumFmt: &clock}},
		{&s.day, &excelize.Style{CustomNumFmt: &day}},
	} {
		if *style.into, err = f.NewStyle(style.is); err != nil {
			return sheetStyles{}, err
		}
	}
	return s, nil
}

func (s *sheet) begin() {
	s.rows++
	s.column = 0
	s.row.Reset()
	s.row.WriteString(`<row r="` + strconv.Itoa(s.rows) + `">`)
}

func (s *sheet) end() { s.row.WriteString(`</row>`) }

// skip leaves a cell empty.
func (s *sheet) skip() { s.column++ }

// escaped is the pattern of Excel's escaped characters. Literal ones must be escaped themselves.
var escaped = regexp.MustCompile(`_(x[0-9A-Fa-f]{4}_)`)

func (s *sheet) text(text string) {
	if text == "" {
		s.skip()
		return
	}
	s.cell(s.styles.text, ` t="inlineStr"><is><t xml:space="preserve">`)
	// A buffer has no errors, and EscapeText replaces characters that XML does not allow.
	_ = xml.EscapeText(&s.row, escaped.ReplaceAll([]byte(text), []byte("_x005F_$1")))
	s.row.WriteString(`</t></is></c>`)
}

// amount is a number with three decimals.
func (s *sheet) amount(figures string) { s.value(s.styles.amount, figures) }

func (s *sheet) number(figures string) { s.value(s.styles.number, figures) }

// clock is a date with the local time: sheets have no time zones.
func (s *sheet) clock(t time.Time) { s.value(s.styles.clock, serial(t)) }

func (s *sheet) day(t time.Time) { s.value(s.styles.day, serial(t)) }

// serial is a time as sheets count it: in days since the end of 1899, to the second.
func serial(t time.Time) string {
	wall := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
	days := wall.Sub(time.Date(1899, time.December, 30, 0, 0, 0, 0, time.UTC)).Seconds() / (24 * 60 * 60)
	return strconv.FormatFloat(days, 'f', -1, 64)
}

func (s *sheet) value(style int, figures string) {
	s.cell(style, `><v>`)
	s.row.WriteString(figures + `</v></c>`)
}

// cell begins the next cell.
func (s *sheet) cell(style int, rest string) {
	s.column++
	name, err := excelize.ColumnNumberToName(s.column)
	if err != nil {
		panic("dashboard: more columns than a sheet has: " + err.Error())
	}
	s.row.WriteString(`<c r="` + name + strconv.Itoa(s.rows) + `" s="` + strconv.Itoa(style) + `"` + rest)
}
