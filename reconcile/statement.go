package reconcile

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"daftar/domain"
	"daftar/internal/plaintext"
)

// MaxLines is how many lines a statement may have where Options name no less.
const MaxLines = 5_000_000

// Line is a line of a statement that counts.
type Line struct {
	Number            int    // in the file, from 1
	Reference         string // ours, as it stands; empty: none
	ProviderReference string // as it stands; empty: none
	Amount            int64  // in dirham, negative where money went back; 0 in another currency
	Currency          string // its code in capitals
	Stated            string // the amount as it stands, in another currency than the dinar
	At                time.Time
	back              bool // money went back
	entry             int  // of the ledger; none: not found
	repeats           int  // the entry that another line has; none: no
}

// foreign says that the line is in another currency than the dinar.
func (l *Line) foreign() bool { return l.Currency != string(domain.LYD) }

// none stands for no index.
const none = -1

// linesAtOnce is for how many lines memory is taken.
const linesAtOnce = 4096

// statement is a file that was read.
type statement struct {
	lines       []Line
	left        int  // lines that do not count: what they are about was not paid
	timed       bool // there is a column of times, and a line
	wholeDays   bool // a line has a day and no time of day
	first, last time.Time
}

// read reads a statement of so many lines at most as a stream.
func read(ctx context.Context, r io.Reader, p Profile, columns map[Field]string, limit int) (statement, error) {
	t, h, err := openTable(ctx, r, p, columns)
	if err != nil {
		return statement{}, err
	}
	d := &decoder{profile: p, names: h.names, at: h.at}
	return d.readLines(t, limit)
}

// decoder makes lines of records.
type decoder struct {
	profile Profile
	names   []string // of the columns
	at      map[Field]int
	clock   clock
}

func (d *decoder) readLines(t table, limit int) (statement, error) {
	var s statement
	var full [][]Line // a slice that grows would be copied many times
	for {
		r, err := t.next()
		if errors.Is(err, io.EOF) {
			s.lines = slices.Concat(append(full, s.lines)...)
			return s, nil
		}
		if err != nil {
			return s, err
		}
		if r.isBlank() {
			continue
		}
		if len(s.lines) == cap(s.lines) && len(s.lines) > 0 {
			full, s.lines = append(full, s.lines), nil
		}
		if s.lines == nil {
			s.lines = make([]Line, 0, min(limit, linesAtOnce))
		}
		if len(full)*linesAtOnce+len(s.lines)+s.left == limit {
			return s, problemAt(ProblemTooLong, r.number, "", "")
		}
		l, whole, counts, err := d.decode(r)
		if err != nil {
			return s, err
		}
		if !counts {
			s.left++
			continue
		}
		s.lines = append(s.lines, l)
		if l.At.IsZero() {
			continue
		}
		s.timed, s.wholeDays = true, s.wholeDays || whole
		if s.first.IsZero() || l.At.Before(s.first) {
			s.first = l.At
		}
		if l.At.After(s.last) {
			s.last = l.At
		}
	}
}

// decode reads a record. It returns false for one that does not count.
func (d *decoder) decode(r record) (l Line, whole, counts bool, err error) {
	for _, column := range d.at {
		if column >= len(r.cells) {
			return Line{}, false, false, problemAt(ProblemShortLine, r.number, d.names[column], "")
		}
		if r.cells[column].quirk == quotes {
			return Line{}, false, false, d.wrong(ProblemQuotes, column, r)
		}
		if len(r.cells[column].text) > maxCell {
			return Line{}, false, false, d.wrong(ProblemLongCell, column, r)
		}
	}
	cell := func(f Field) (string, bool) {
		column, found := d.at[f]
		if !found {
			return "", false
		}
		return trimmed(r.cells[column].text), true
	}
	wrong := func(p Problem, f Field) error { return d.wrong(p, d.at[f], r) }

	if word, found := cell(Status); found {
		paid, known := counted[normal(word)]
		if !known {
			return Line{}, false, false, wrong(ProblemStatus, Status)
		}
		if !paid {
			return Line{}, false, false, nil
		}
	}
	l = Line{Number: r.number, Currency: string(domain.LYD), entry: none, repeats: none}
	// A part of the record would keep all of it in memory.
	reference, _ := cell(Reference)
	l.Reference = strings.Clone(reference)
	theirs, _ := cell(Number)
	l.ProviderReference = strings.Clone(theirs)
	switch {
	case !plaintext.Storable(l.Reference):
		return Line{}, false, false, wrong(ProblemEncoding, Reference)
	case !plaintext.Storable(l.ProviderReference):
		return Line{}, false, false, wrong(ProblemEncoding, Number)
	}
	if text, found := cell(Time); found {
		var ok bool
		if l.At, whole, ok = d.clock.parse(text); !ok {
			return Line{}, false, false, wrong(ProblemTime, Time)
		}
	}
	err = d.readAmount(&l, cell, wrong)
	return l, whole, true, err
}

// readAmount reads what came in or went back. An amount in another currency stays text.
func (d *decoder) readAmount(l *Line, cell func(Field) (string, bool), wrong func(Problem, Field) error) error {
	if text, found := cell(Currency); found {
		var ok bool
		if l.Currency, ok = parseCurrency(text); !ok {
			return wrong(ProblemCurrency, Currency)
		}
	}
	text, _ := cell(Amount)
	amount, ok := parseAmount(text, d.profile.Unit)
	switch {
	case l.foreign() && text != "":
		l.Stated, l.back = strings.ToValidUTF8(strings.Clone(text), "\ufffd"), strings.HasPrefix(latin(text), "-")
	case ok:
		l.Amount, l.back = amount, amount < 0
	case d.profile.Unit == Dinars:
		return wrong(ProblemDinars, Amount)
	default:
		return wrong(ProblemDirhams, Amount)
	}
	word, found := cell(Type)
	if !found {
		return nil
	}
	in, known := taken[normal(word)]
	switch {
	case !known:
		return wrong(ProblemType, Type)
	case in && l.back:
		return wrong(ProblemSign, Amount)
	case !in && !l.back:
		l.back, l.Amount = true, -l.Amount
	}
	return nil
}

func (d *decoder) wrong(p Problem, column int, r record) error {
	return problemAt(p, r.number, d.names[column], strings.ToValidUTF8(trimmed(r.cells[column].text), "\ufffd"))
}
