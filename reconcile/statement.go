package reconcile

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer/statements"
)

// MaxLines is how many lines a statement may have where Options name no less.
const MaxLines = 5_000_000

// Line is a line of a statement that counts. A Proof may have one that does not: of a refused payment.
type Line struct {
	Number            int    // in the file, from 1
	Reference         string // ours, as it stands; empty: none
	ProviderReference string // as it stands; empty: none
	Amount            int64  // in dirham, negative where money went back; 0 in another currency
	Currency          string // its code in capitals
	Stated            string // the amount as it stands, in another currency than the dinar
	At                time.Time
	Fee               int64      // what the provider kept, as it stands; 0 without a column
	Settled           domain.Day // on which the bank has the money; zero: the line does not say
	narrative         string     // a text that may have our reference in it
	key               string     // of the attempt that it is about, as the profile has it
	isRefund          bool       // money went back
	debit             bool       // it is a bank's debit, which may have nothing to do with payments
	several           bool       // it names several attempts that the ledger has
	refused           bool       // it does not count, because the payment was certainly refused
	entry             int        // of the ledger; none: not found
	repeats           int        // the entry that another line has; none: no
}

// foreign reports whether the line is in another currency than the dinar.
func (l *Line) foreign() bool { return l.Currency != string(domain.LYD) }

// hasText reports whether there is a text that may name a payment.
func (l *Line) hasText() bool {
	return l.Reference != "" || l.ProviderReference != "" || l.narrative != ""
}

// none is the index of an absent element.
const none = -1

// linesAtOnce is the number of lines for which memory is allocated at once.
const linesAtOnce = 4096

// lineList is a list that grows by chunks, because append would copy a growing slice many times.
type lineList struct {
	full [][]Line
	last []Line
}

func (all *lineList) add(l Line, chunk int) {
	if len(all.last) == cap(all.last) && len(all.last) > 0 {
		all.full, all.last = append(all.full, all.last), nil
	}
	if all.last == nil {
		all.last = make([]Line, 0, chunk)
	}
	all.last = append(all.last, l)
}

func (all *lineList) lines() []Line { return slices.Concat(append(all.full, all.last)...) }

type statement struct {
	columns     map[statements.Field]string
	lines       []Line
	unpaid      []Line // those of payments that were not made and that name something
	unpaidCount int    // lines that do not count, because the payment was not made
	skipped     int    // lines around them, such as totals
	timed       bool   // there is a column of times, and a line
	wholeDays   bool   // a line has a day and no time of day
	first, last time.Time
}

// read reads a statement as a stream; more lines than the limit are an error.
func read(
	ctx context.Context, r io.Reader, p Profile, columns map[statements.Field]string, limit int,
) (statement, error) {
	t, h, err := openTable(ctx, r, p, columns)
	if err != nil {
		return statement{}, err
	}
	d := newDecoder(p, h)
	if s, is := t.(*sheetTable); is {
		d.clock.from1904 = s.from1904
	}
	s, err := d.readLines(t, limit)
	s.columns = h.columns()
	return s, err
}

func (d *decoder) readLines(t table, limit int) (statement, error) {
	var s statement
	var paid, unpaid lineList
	seen, chunk := 0, min(limit, linesAtOnce)
	for below := true; ; below = false {
		r, err := t.next()
		if errors.Is(err, io.EOF) {
			s.lines, s.unpaid = paid.lines(), unpaid.lines()
			return s, nil
		}
		if err != nil {
			return s, err
		}
		if r.isBlank() {
			continue
		}
		if d.isNoLine(r) || below && d.isSecondHead(r) {
			s.skipped++
			continue
		}
		if seen == limit {
			return s, problemAt(ProblemTooLong, r.number, "", "")
		}
		l, whole, counts, err := d.decode(r)
		if err != nil {
			return s, err
		}
		seen++
		if !counts {
			s.unpaidCount++
			if l.hasText() {
				unpaid.add(l, chunk)
			}
			continue
		}
		paid.add(l, chunk)
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
