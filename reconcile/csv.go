package reconcile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Limits of what is in memory at once, whatever the file has.
const (
	maxLine    = 64 << 10 // bytes of a line, with the line ends in its quotes
	maxColumns = 200
	maxCell    = 1000 // bytes of a cell that is needed
)

// quirk is what is odd about a cell. It matters where the cell is needed.
type quirk byte

const (
	plain     quirk = iota
	quotes          // a quotation mark where none belongs
	numeric         // a number of a workbook, not a text
	date            // a number of a workbook that is shown as a date
	formulaic       // an error in place of a formula's value
)

type cell struct {
	text  string
	quirk quirk
}

// record is a line of a table. Its cells are valid until the next one is read.
type record struct {
	number int // in the file, from 1
	cells  []cell
}

// isBlank reports whether all cells are empty, as in the last records of a sheet.
func (r record) isBlank() bool {
	return !slices.ContainsFunc(r.cells, func(c cell) bool { return trimmed(c.text) != "" })
}

// table is a source of records.
type table interface {
	// next returns io.EOF after the last record.
	next() (record, error)
	// expect sets the number of columns in the head.
	expect(columns int)
}

// csvTable reads comma-separated values as programs and people write them. encoding/csv
// does not limit the length of a line, does not accept a lone CR as its end, and fails on a
// quotation mark even in a cell that is not needed.
type csvTable struct {
	in      *bufio.Reader // of maxLine bytes at least
	comma   byte
	columns int // of the head; 0: not known yet
	line    int // the one that was read last
	skipLF  bool
	text    []byte // of the record, without quotes
	parts   []piece
	cells   []cell
}

// piece is the position of a cell in the text.
type piece struct {
	from, to int
	quirk    quirk
}

var _ table = (*csvTable)(nil)

func (t *csvTable) expect(columns int) { t.columns = columns }

func (t *csvTable) next() (record, error) {
	line, err := t.readLine()
	if err != nil {
		return record{}, err
	}
	number := t.line
	t.text, t.parts = t.text[:0], t.parts[:0]
	result := t.split(line, false)
	switch result {
	case strayQuote:
		result = t.splitStrayQuotes(line)
	case open:
		result, err = t.readOn(number)
	}
	switch {
	case err != nil:
		return record{}, err
	case result == tooManyCells:
		return record{}, problemAt(ProblemColumns, number, "", "")
	case result != complete:
		return record{}, problemAt(ProblemQuotes, number, "", "")
	}
	text := string(t.text)
	t.cells = t.cells[:0]
	for _, p := range t.parts {
		c := cell{text[p.from:p.to], p.quirk}
		// ="0012" is how a text with digits is kept from Excel.
		if inside, is := strings.CutPrefix(c.text, `="`); is && strings.HasSuffix(inside, `"`) {
			c = cell{strings.TrimSuffix(inside, `"`), plain}
		}
		t.cells = append(t.cells, c)
	}
	// A comma between marks that are no quotes would move the cells after it.
	if t.columns > 0 && len(t.cells) > 1 && len(t.cells) != t.columns &&
		slices.ContainsFunc(t.cells, func(c cell) bool { return c.quirk == quotes }) {
		return record{}, problemAt(ProblemQuotes, number, "", "")
	}
	return record{number, t.cells}, nil
}

// readOn reads the further lines of a quoted cell.
func (t *csvTable) readOn(number int) (result splitting, err error) {
	for result = open; result == open; {
		line, err := t.readLine()
		if errors.Is(err, io.EOF) {
			return open, nil
		}
		if err != nil {
			return open, err
		}
		if len(t.text)+len(line) >= maxLine {
			return open, problemAt(ProblemLongLine, number, "", "")
		}
		t.text = append(t.text, '\n')
		result = t.split(line, true)
	}
	return result, nil
}

type splitting int

const (
	complete     splitting = iota
	open                   // a quoted cell continues in the next line
	tooManyCells           // more cells than maxColumns
	strayQuote             // there is a quotation mark in a quoted cell
)

// split adds the cells of a line. inside reports whether it begins within a quoted cell.
func (t *csvTable) split(line []byte, inside bool) splitting {
	for {
		if !inside {
			if len(t.parts) == maxColumns {
				return tooManyCells
			}
			t.parts = append(t.parts, piece{from: len(t.text)})
			line = t.unpadded(line)
		}
		this := &t.parts[len(t.parts)-1]
		if !inside && (len(line) == 0 || line[0] != '"') {
			var more bool
			if line, more = t.splitPlain(line); !more {
				return complete
			}
			continue
		}
		if !inside {
			line = line[1:]
		}
		inside = false
		for {
			end := bytes.IndexByte(line, '"')
			if end < 0 {
				t.text = append(t.text, line...)
				return open
			}
			t.text = append(t.text, line[:end]...)
			if line = line[end+1:]; len(line) == 0 || line[0] != '"' {
				break
			}
			t.text = append(t.text, '"')
			line = line[1:]
		}
		this.to = len(t.text)
		if line = bytes.TrimLeft(line, " "); len(line) == 0 {
			return complete
		}
		if line[0] != t.comma {
			return strayQuote
		}
		line = line[1:]
	}
}

// unpadded is the line without blanks before a quoted cell.
func (*csvTable) unpadded(line []byte) []byte {
	if cut := bytes.TrimLeft(line, " "); len(cut) > 0 && cut[0] == '"' {
		return cut
	}
	return line
}

// splitPlain ends the last part with an unquoted cell, up to the next comma; more is false
// for the last cell of the line.
func (t *csvTable) splitPlain(line []byte) (rest []byte, more bool) {
	text, rest, more := bytes.Cut(line, []byte{t.comma})
	this := &t.parts[len(t.parts)-1]
	if bytes.IndexByte(text, '"') >= 0 {
		this.quirk = quotes
	}
	t.text = append(t.text, text...)
	this.to = len(t.text)
	return rest, more
}

// splitStrayQuotes reads a line with a quotation mark in a quoted cell, as in "5" screen": either
// the cell ends at the next mark before a comma, or its first mark belongs to the text and it
// ends at the next comma. A reading is accepted if it gives as many cells as the head has and
// the other does not, or if both agree in all other cells.
func (t *csvTable) splitStrayQuotes(line []byte) splitting {
	var readings [2]string
	for n := range readings {
		if !t.read(line, n) || t.columns > 0 && len(t.parts) != t.columns {
			continue
		}
		for _, p := range t.parts {
			if p.quirk == plain {
				readings[n] += string(t.text[p.from:p.to])
			}
			readings[n] += "\x00"
		}
	}
	switch {
	case readings[0] != "" && (readings[1] == "" || readings[0] == readings[1] || t.columns == 0):
		t.read(line, 0)
	case readings[0] == "" && readings[1] != "":
		t.read(line, 1)
	default:
		return strayQuote
	}
	return complete
}

// read splits a line with a stray quotation mark by one of the two readings; false: it does not fit.
func (t *csvTable) read(line []byte, reading int) bool {
	t.text, t.parts = t.text[:0], t.parts[:0]
	seen := false
	for more := true; more; {
		if len(t.parts) == maxColumns {
			return false
		}
		t.parts = append(t.parts, piece{from: len(t.text)})
		if line = t.unpadded(line); len(line) == 0 || line[0] != '"' {
			line, more = t.splitPlain(line)
			continue
		}
		end := t.closing(line[1:], true)
		proper := end == t.closing(line[1:], false)
		switch {
		case end < 0, !proper && seen:
			return false
		case !proper && reading == 1:
			seen = true
			line, more = t.splitPlain(line)
			continue
		}
		this := &t.parts[len(t.parts)-1]
		if !proper {
			seen, this.quirk = true, quotes
			end = t.closing(line[1:], false)
		}
		if end < 0 {
			return false
		}
		t.text = append(t.text, bytes.ReplaceAll(line[1:1+end], []byte(`""`), []byte(`"`))...)
		this.to = len(t.text)
		line = line[1+end+1:]
		if more = len(line) > 0; more {
			line = line[1:]
		}
	}
	return true
}

// closing is the index at which a quoted text ends, or -1: with anyMark at the first mark that
// is not doubled, otherwise at the first of them before a comma or the line's end.
func (t *csvTable) closing(text []byte, anyMark bool) int {
	for n := 0; n < len(text); n++ {
		switch {
		case text[n] != '"':
		case n+1 < len(text) && text[n+1] == '"':
			n++
		case anyMark, n+1 == len(text), text[n+1] == t.comma:
			return n
		}
	}
	return -1
}

// readLine reads up to LF, CRLF or CR. The line is valid until the next call.
func (t *csvTable) readLine() ([]byte, error) {
	for seen := 0; ; {
		_, err := t.in.Peek(seen + 1)
		text, _ := t.in.Peek(t.in.Buffered()) // they are there
		if t.skipLF && len(text) > 0 {
			t.skipLF = false
			if text[0] == '\n' {
				_, _ = t.in.Discard(1) // it was there just now
				continue
			}
		}
		end := bytes.IndexByte(text[seen:], '\n')
		if end < 0 {
			end = len(text) - seen
		}
		if cr := bytes.IndexByte(text[seen:seen+end], '\r'); cr >= 0 {
			end = cr
		}
		end += seen
		switch {
		case end < len(text):
			t.skipLF = text[end] == '\r'
			_, _ = t.in.Discard(end + 1)
		case errors.Is(err, io.EOF) && end == 0:
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			_, _ = t.in.Discard(end)
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, problemAt(ProblemLongLine, t.line+1, "", "")
		case err != nil:
			return nil, fmt.Errorf("read statement: %w", err)
		default:
			seen = len(text)
			continue
		}
		t.line++
		return text[:end], nil
	}
}
