package reconcile

import (
	"errors"
	"io"
	"strconv"
	"strings"
)

var errNoPart = errors.New("the workbook does not have the part")

// part is a file in a workbook's archive, read as a stream.
type part struct{ *markup }

// open opens a part. The archive is in memory, so nothing has to be closed.
func (w *workbook) open(name string) (part, error) {
	f := w.parts[strings.ToLower(name)]
	if f == nil {
		return part{}, errNoPart
	}
	in, err := f.Open()
	if err != nil {
		return part{}, err
	}
	return part{newMarkup(contextReader{w.ctx, in})}, nil
}

// element returns the next start tag.
func (p part) element() (token, error) {
	for {
		t, err := p.markup.next()
		if err != nil || t.kind == startToken && t.name != "" {
			return t, err
		}
	}
}

// text reads an element to its end and returns the text of its children with a name, without
// phonetic hints. A long text is cut, at more than a cell may have.
func (p part) text(of, name string) (string, error) {
	var held string
	var inside, phonetic bool
	for range maxTokens {
		t, err := p.markup.next()
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		switch {
		case err != nil:
			return "", err
		case t.kind == startToken:
			inside, phonetic = t.name == name, phonetic || t.name == "rPh"
		case t.kind == endToken && t.name == of:
			return held, nil
		case t.kind == endToken:
			inside, phonetic = false, phonetic && t.name != "rPh"
		case inside && !phonetic && len(held) <= maxCell:
			held += strings.ToValidUTF8(unescaped(t.raw[:min(len(t.raw), maxHeld)]), "")
		}
	}
	return "", errTooMuch
}

func isTrue(text string) bool { return text == "1" || text == "true" }

// sheetTable reads a sheet's rows. Those that a filter hides are read as well: a file
// saved as CSV has them too.
type sheetTable struct {
	*workbook

	part    part
	row     int
	columns int // of the head
	cells   []cell
}

var _ table = (*sheetTable)(nil)

func (w *workbook) table(s sheet) (*sheetTable, error) {
	p, err := w.open(s.part)
	if err != nil {
		return nil, partError(err)
	}
	return &sheetTable{workbook: w, part: p}, nil
}

func (t *sheetTable) expect(columns int) { t.columns = columns }

func (t *sheetTable) next() (record, error) {
	for {
		e, err := t.part.element()
		if errors.Is(err, io.EOF) {
			return record{}, io.EOF
		}
		if err != nil {
			return record{}, partError(err)
		}
		if e.name != "row" {
			continue
		}
		t.row++
		if n, err := strconv.Atoi(e.attribute("r")); err == nil {
			t.row = n
		}
		if err := t.readCells(); err != nil {
			return record{}, partError(err)
		}
		if len(t.cells) > 0 {
			return record{t.row, t.cells}, nil
		}
	}
}

// readCells reads a row to its end. Missing cells are empty.
func (t *sheetTable) readCells() error {
	t.cells = t.cells[:0]
	column := none
	for {
		e, err := t.part.markup.next()
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		switch {
		case err != nil:
			return err
		case e.kind == endToken && e.name == "row":
			for len(t.cells) > 0 && len(t.cells) < t.columns {
				t.cells = append(t.cells, cell{})
			}
			return nil
		case e.kind != startToken || e.name != "c":
			continue
		}
		column++
		if n := columnOf(e.attribute("r")); n != none {
			column = n
		}
		c, err := t.readCell(e)
		switch {
		case err != nil:
			return err
		case c.text == "":
			continue
		case column >= maxColumns:
			return problemAt(ProblemColumns, t.row, "", "")
		}
		for len(t.cells) <= column {
			t.cells = append(t.cells, cell{})
		}
		t.cells[column] = c
	}
}

// columnOf is the column in a name such as B12, from 0; none if it has no column.
func columnOf(name string) int {
	column := 0
	for n := 0; n < len(name) && name[n] >= 'A' && name[n] <= 'Z' && column <= maxColumns; n++ {
		column = column*26 + int(name[n]-'A') + 1
	}
	return column - 1
}

// readCell reads the value of a cell; for a formula, its last result.
func (t *sheetTable) readCell(e token) (cell, error) {
	kind, style := e.attribute("t"), e.attribute("s")
	if kind == "inlineStr" {
		text, err := t.part.text("c", "t")
		return cell{text: text}, err
	}
	raw, err := t.part.text("c", "v")
	if err != nil || raw == "" {
		return cell{}, err
	}
	switch kind {
	case "s":
		n, err := strconv.Atoi(raw)
		if err != nil || n < 0 || n >= len(t.texts) {
			return cell{}, errNoPart
		}
		return cell{text: t.texts[n]}, nil
	case "b":
		return cell{text: strconv.FormatBool(isTrue(raw))}, nil
	case "e":
		return cell{raw, formulaic}, nil
	case "", "n":
		n, err := strconv.Atoi(style)
		if err == nil && n >= 0 && n < len(t.dates) && t.dates[n] {
			return cell{plainNumber(raw), date}, nil
		}
		return cell{plainNumber(raw), numeric}, nil
	}
	return cell{text: raw}, nil
}

// plainNumber is a number as Excel shows it, with 15 significant digits, because Excel stores
// 12.1 as 12.099999999999999645. A number with more digits before its point has lost some: it
// is returned in scientific notation, which later checks refuse.
func plainNumber(raw string) string {
	f, err := strconv.ParseFloat(raw, 64)
	if err != nil {
		return raw
	}
	if f >= 1e15 || f <= -1e15 {
		return strconv.FormatFloat(f, 'E', 14, 64)
	}
	if rounded, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 15, 64), 64); err == nil {
		f = rounded
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
