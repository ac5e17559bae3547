package reconcile

import (
	"cmp"
	"slices"
	"time"

	"daftar/domain"
	"daftar/projections"
)

// Span is from an instant on until before another. A zero end is that of the statement:
// the first or the last day that it has a line of.
type Span struct{ From, To time.Time }

// ParseFrom reads where a span begins: a day of Tripoli's calendar, or an instant.
func ParseFrom(text string) (time.Time, error) {
	if day, err := projections.ParseDay(text); err == nil {
		return day.Start(), nil
	}
	return time.Parse(time.RFC3339Nano, text)
}

// ParseTo reads where a span ends. A day is part of it to its end; an instant is not.
func ParseTo(text string) (time.Time, error) {
	if day, err := projections.ParseDay(text); err == nil {
		return day.Add(1).Start(), nil
	}
	return time.Parse(time.RFC3339Nano, text)
}

// Has says whether an instant is in the span.
func (s Span) Has(t time.Time) bool { return !t.Before(s.From) && t.Before(s.To) }

// widened is the span in which the other side of a pair is looked for.
func (s Span) widened() Span { return Span{s.From.Add(-near), s.To.Add(near)} }

// of completes the span by the statement's. It may be so long at most; 0: any length.
func (s Span) of(st statement, longest time.Duration) (Span, error) {
	if !st.timed && (s.From.IsZero() || s.To.IsZero()) {
		return s, problemAt(ProblemNoTimes, 0, "", "")
	}
	if s.From.IsZero() {
		s.From = projections.DayOf(st.first).Start()
	}
	if s.To.IsZero() {
		s.To = projections.DayOf(st.last).Add(1).Start()
	}
	isMidnight := func(t time.Time) bool { return projections.DayOf(t).Start().Equal(t) }
	switch {
	case !s.From.Before(s.To):
		return s, ErrSpan
	case longest > 0 && s.To.Sub(s.From) > longest:
		return s, ErrLongSpan
	case st.wholeDays && !(isMidnight(s.From) && isMidnight(s.To)):
		return s, problemAt(ProblemDays, 0, "", "")
	}
	return s, nil
}

// Kind is what was found about a line, an entry or a pair of them.
type Kind string

// The kinds, the worst first.
const (
	// MissingInStatement is money of the ledger that no line is about.
	MissingInStatement Kind = "missing_in_statement"
	// MissingInLedger is a line that no payment is found for.
	MissingInLedger Kind = "missing_in_ledger"
	// AmountDiffers is a pair with two amounts.
	AmountDiffers Kind = "amount_differs"
	// CurrencyDiffers is a pair whose line is in another currency than the ledger.
	CurrencyDiffers Kind = "currency_differs"
	// SeveralReferences is a line that names several payments of the ledger.
	SeveralReferences Kind = "several_references"
	// TwiceInStatement is a line about a payment that another line is about.
	TwiceInStatement Kind = "twice_in_statement"
	// NotYetInLedger is a line about an attempt that is still open or set aside for a
	// person, or about a refund under way: an inquiry, or that person, may settle it.
	NotYetInLedger Kind = "not_yet_in_ledger"
	// OutsideSpan is a pair of which one side is in the span. It is no difference.
	OutsideSpan Kind = "outside_span"
)

// Kinds lists them in the order of a report.
var Kinds = []Kind{MissingInStatement, MissingInLedger, AmountDiffers, CurrencyDiffers, SeveralReferences,
	TwiceInStatement, NotYetInLedger, OutsideSpan}

// Finding is something that a person should know of.
type Finding struct {
	Kind  Kind
	Line  *Line  // nil: the statement has none
	Entry *Entry // nil: the ledger has none
	// First is the number of the line that has the entry, with TwiceInStatement.
	First int
	// Attempt and Intent say which attempt a line without an entry names, where there is
	// one, and Stage how it stands, or its refund: with NotYetInLedger, and with
	// MissingInLedger where the ledger says that the attempt failed.
	Attempt domain.AttemptID
	Intent  domain.IntentID
	Stage   string
	// Alike is a payment whose number the line may have without the zeros that it begins
	// with, as spreadsheets lose them: with MissingInLedger. It is no match.
	Alike *Entry
}

// At is when it happened, by the ledger where it knows.
func (f Finding) At() time.Time {
	if f.Entry != nil {
		return f.Entry.At
	}
	return f.Line.At
}

// Total is a number of payments and refunds and the sum of them.
type Total struct {
	Count  int   `json:"count"`
	Amount int64 `json:"amount"` // in dirham
}

func (t *Total) add(amount int64) {
	t.Count++
	t.Amount += amount
}

// Report is how a statement and the ledger compare.
type Report struct {
	Acquirer string
	Span     Span
	// Statement and Ledger are what each side has in the span; Statement.Amount without
	// the lines in another currency.
	Statement, Ledger Total
	Matched           int // pairs of which both sides are in the span and agree
	Unpaid            int // lines that do not count: what they are about was not paid
	Skipped           int // lines that are none of payments: totals, remarks, a bank's other debits
	OutOfSpan         int // lines outside the span without a payment in it; not compared
	Findings          []Finding
	// AttemptsUnread says that the rights cover neither attempts nor refunds under way.
	AttemptsUnread bool
}

// Difference is the statement's sum less the ledger's, in dirham.
func (r *Report) Difference() int64 { return r.Statement.Amount - r.Ledger.Amount }

// OK says that nothing differs.
func (r *Report) OK() bool {
	return !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Kind != OutsideSpan })
}

// Count is how many findings are of a kind.
func (r *Report) Count(k Kind) int {
	n := 0
	for _, f := range r.Findings {
		if f.Kind == k {
			n++
		}
	}
	return n
}

// sortFindings puts the worst first, and what is alike in the order of its times and lines.
func sortFindings(all []Finding) {
	line := func(f Finding) int {
		if f.Line == nil {
			return 0
		}
		return f.Line.Number
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(slices.Index(Kinds, a.Kind), slices.Index(Kinds, b.Kind)), a.At().Compare(b.At()),
			cmp.Compare(line(a), line(b)))
	})
}
