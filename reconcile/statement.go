package reconcile

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
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

// statement is a file that was read.
type statement struct {
	lines       []Line
	left        int  // lines that do not count: what they are about was not paid
	timed       bool // there is a column of times, and a line
	wholeDays   bool // a line has a day and no time of day
	first, last time.Time
}

// read reads a statement of so many lines at most as a stream.
func read(r io.Reader, p Profile, columns map[Field]string, limit int) (statement, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	comma, err := prepare(in)
	if err != nil {
		return statement{}, err
	}
	table := csv.NewReader(in)
	table.Comma, table.FieldsPerRecord, table.ReuseRecord = comma, -1, true
	header, err := table.Read()
	if errors.Is(err, io.EOF) {
		return statement{}, problemAt(ProblemEmpty, 0, "", "")
	}
	if err != nil {
		return statement{}, tableError(err)
	}
	line, _ := table.FieldPos(0)
	d := &decoder{profile: p}
	for _, name := range header {
		d.names = append(d.names, strings.ToValidUTF8(strings.Clone(strings.TrimFunc(name, unseen)), "\ufffd"))
	}
	if d.at, err = locate(d.names, p, columns, line); err != nil {
		return statement{}, err
	}
	return d.readLines(table, limit)
}

// prepare passes over a byte order mark and finds out what separates the cells: the one of
// the three that the header has most of.
func prepare(in *bufio.Reader) (comma rune, err error) {
	head, err := in.Peek(in.Size())
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, fmt.Errorf("read statement: %w", err)
	}
	if bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff}) {
		return 0, problemAt(ProblemEncoding, 0, "", "")
	}
	if mark := []byte("\ufeff"); bytes.HasPrefix(head, mark) {
		head = head[len(mark):]
		_, _ = in.Discard(len(mark)) // they were there just now
	}
	head = bytes.TrimLeft(head, "\r\n")
	quoted, counts := false, map[rune]int{}
	for _, c := range string(head) {
		switch {
		case c == '"':
			quoted = !quoted
		case !quoted && c == '\n':
			return most(counts), nil
		case !quoted:
			counts[c]++
		}
	}
	return most(counts), nil
}

func most(counts map[rune]int) rune {
	comma := ','
	for _, c := range ";\t" {
		if counts[c] > counts[comma] {
			comma = c
		}
	}
	return comma
}

// locate finds the column of each field: the one that the caller named, else by the
// provider's own names, else by those of banks. A column has one field.
func locate(names []string, p Profile, chosen map[Field]string, line int) (map[Field]int, error) {
	at, used := map[Field]int{}, map[int]bool{}
	take := func(f Field, wanted string) (bool, error) {
		found := none
		for n, name := range names {
			if used[n] || normal(name) != wanted {
				continue
			}
			if found != none {
				return false, problemAt(ProblemTwoColumns, line, name, "")
			}
			found = n
		}
		if found != none {
			at[f], used[found] = found, true
		}
		return found != none, nil
	}
	for _, f := range Fields {
		name, named := chosen[f]
		if !named || name == "" {
			continue
		}
		if found, err := take(f, normal(name)); !found {
			if err == nil {
				err = problemAt(ProblemNoColumn, line, name, "")
			}
			return nil, err
		}
	}
	for _, known := range []map[Field][]string{p.names, banks} {
		for _, f := range Fields {
			if _, named := chosen[f]; named {
				continue
			}
			for _, name := range known[f] {
				if _, found := at[f]; found {
					break
				}
				if _, err := take(f, name); err != nil {
					return nil, err
				}
			}
		}
	}
	if _, found := at[Amount]; !found {
		return nil, problemAt(ProblemNoColumn, line, string(Amount), "")
	}
	_, ours := at[Reference]
	if _, theirs := at[Number]; !ours && !theirs {
		return nil, problemAt(ProblemNoColumn, line, string(Reference), "")
	}
	return at, nil
}

// decoder makes lines of records.
type decoder struct {
	profile Profile
	names   []string // of the columns
	at      map[Field]int
	clock   clock
}

func (d *decoder) readLines(table *csv.Reader, limit int) (statement, error) {
	var s statement
	for {
		record, err := table.Read()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return s, tableError(err)
		}
		if isBlank(record) {
			continue
		}
		number, _ := table.FieldPos(0)
		if len(s.lines)+s.left == limit {
			return s, problemAt(ProblemTooLong, number, "", "")
		}
		l, whole, counts, err := d.decode(record, number)
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

// isBlank says that a record has nothing in it, as the last ones of a sheet may have.
func isBlank(record []string) bool {
	return !slices.ContainsFunc(record, func(cell string) bool { return strings.TrimFunc(cell, unseen) != "" })
}

// decode reads a record. It returns false for one that does not count.
func (d *decoder) decode(record []string, number int) (l Line, whole, counts bool, err error) {
	for _, column := range d.at {
		if column >= len(record) {
			return Line{}, false, false, problemAt(ProblemShortLine, number, d.names[column], "")
		}
	}
	cell := func(f Field) (string, bool) {
		column, found := d.at[f]
		if !found {
			return "", false
		}
		return strings.TrimFunc(record[column], unseen), true
	}
	wrong := func(p Problem, f Field) error { return d.wrong(p, number, f, record) }

	if word, found := cell(Status); found {
		paid, known := counted[normal(word)]
		if !known {
			return Line{}, false, false, wrong(ProblemStatus, Status)
		}
		if !paid {
			return Line{}, false, false, nil
		}
	}
	l = Line{Number: number, Currency: string(domain.LYD), entry: none, repeats: none}
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

func (d *decoder) wrong(p Problem, line int, f Field, record []string) error {
	column := d.at[f]
	return problemAt(p, line, d.names[column], strings.ToValidUTF8(strings.TrimFunc(record[column], unseen), "\ufffd"))
}

// tableError says where comma-separated values end to be some.
func tableError(err error) error {
	if wrong, is := errors.AsType[*csv.ParseError](err); is {
		return problemAt(ProblemQuotes, wrong.StartLine, "", "")
	}
	return fmt.Errorf("read statement: %w", err)
}
