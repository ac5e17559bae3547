package reconcile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"daftar/payments/acquirer/statements"
)

// sampleLines is the number of lines in a sample, with that of the names.
const sampleLines = 5

// Sample is the beginning of a file, by which people choose its columns.
type Sample struct {
	// Lines are the first lines from the one with the names of the columns on. Where no line has the names
	// that a comparison looks for, they begin with the first that has as many cells as any.
	Lines [][]string
	// Columns are the columns that a comparison reads, by their names in the file; nil: Problem says why it
	// reads none.
	Columns map[statements.Field]string
	Problem *StatementError
}

// Names are the names of the columns, each once; a column without a name cannot be chosen.
func (s Sample) Names() []string {
	var names []string
	for _, name := range s.Lines[0] {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Look reads the beginning of a file. Errors: a *StatementError for a file that is no table or has no line,
// and those of the reader.
func Look(
	ctx context.Context, r io.Reader, p Profile, columns map[statements.Field]string,
) (Sample, error) {
	tables, err := openSample(ctx, r)
	if err != nil {
		return Sample{}, err
	}
	var best Sample
	score := none
	for _, held := range tables {
		if len(held.records) == 0 {
			continue
		}
		h, found, err := findHead(held, p, columns)
		begin, of := held.widest()
		problem, isProblem := errors.AsType[*StatementError](err)
		switch {
		case err == nil:
			begin, of = held.read-1, maxColumns*(found+1) // a head wins over every width
		case !isProblem:
			return Sample{}, err
		}
		if of <= score {
			continue
		}
		score, best = of, Sample{Lines: held.linesFrom(begin), Problem: problem}
		if err == nil {
			best.Columns = h.columns()
		}
	}
	if score == none {
		return Sample{}, problemAt(ProblemEmpty, 0, "", "")
	}
	return best, nil
}

// openSample reads the beginnings of the tables that a file may be: its sheets, or its text with each
// separator of cells.
func openSample(ctx context.Context, r io.Reader) ([]*heldTable, error) {
	in := bufio.NewReaderSize(contextReader{ctx, r}, maxLine)
	start, err := in.Peek(maxLine)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read statement: %w", err)
	}
	var tables []*heldTable
	if isZip(start) {
		w, err := readWorkbook(ctx, in)
		if err != nil {
			return nil, err
		}
		for _, s := range w.sheets {
			t, err := w.table(s)
			if err != nil {
				return nil, err
			}
			tables = append(tables, hold(t))
		}
		return tables, nil
	}
	if err := checkKind(start); err != nil {
		return nil, err
	}
	file, err := detect(in, start)
	if err != nil {
		return nil, err
	}
	if err := checkMarkup(file.start); err != nil {
		return nil, err
	}
	if firstInvalid(file.start) > 0 {
		file = newText(in, start, arabicWindows)
	}
	for n := range len(commas) {
		text := bufio.NewReaderSize(bytes.NewReader(file.start), maxLine)
		tables = append(tables, hold(&csvTable{in: text, comma: commas[n]}))
	}
	return tables, nil
}

// heldTable is the beginning of a table, in memory.
type heldTable struct {
	records []record
	read    int
}

var _ table = (*heldTable)(nil)

// hold reads the lines that may have the head, and those of a sample below it. It ends before a line that
// cannot be read: a comparison names it.
func hold(t table) *heldTable {
	var held heldTable
	for range maxPreamble + sampleLines {
		r, err := t.next()
		if err != nil {
			break
		}
		if !r.isBlank() {
			held.records = append(held.records, record{r.number, slices.Clone(r.cells)})
		}
	}
	return &held
}

func (t *heldTable) expect(int) {}

func (t *heldTable) next() (record, error) {
	if t.read == len(t.records) {
		return record{}, io.EOF
	}
	t.read++
	return t.records[t.read-1], nil
}

// widest is the first record with as many filled cells as any, and their number.
func (t *heldTable) widest() (n, cells int) {
	for at, r := range t.records {
		filled := 0
		for _, c := range r.cells {
			if trimmed(c.text) != "" {
				filled++
			}
		}
		if filled > cells {
			n, cells = at, filled
		}
	}
	return n, cells
}

// linesFrom are the texts of a sample, as they can be shown. Names are whole, because columns are chosen
// by them.
func (t *heldTable) linesFrom(begin int) [][]string {
	var lines [][]string
	for n, r := range t.records[begin:min(begin+sampleLines, len(t.records))] {
		line := make([]string, len(r.cells))
		for at, c := range r.cells {
			line[at] = strings.ToValidUTF8(trimmed(c.text), "\ufffd")
			switch long := []rune(line[at]); {
			case n == 0 && len(line[at]) > maxCell:
				line[at] = "" // it cannot be chosen
			case n > 0 && len(long) > maxShown:
				line[at] = string(long[:maxShown]) + "…"
			}
		}
		lines = append(lines, line)
	}
	return lines
}
