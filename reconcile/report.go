package reconcile

import (
	"cmp"
	"slices"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer/statements"
)

// Span is the time from From, inclusive, to To, exclusive. A zero value is taken from the
// statement: the first or the last day that it has a line of.
type Span struct{ From, To time.Time }

// ParseFrom reads the beginning of a span: a day of Tripoli's calendar, or an instant.
func ParseFrom(text string) (time.Time, error) {
	if day, err := domain.ParseDay(text); err == nil {
		return day.Start(), nil
	}
	return time.Parse(time.RFC3339Nano, text)
}

// ParseTo reads the end of a span. A day is included to its end; an instant is excluded.
func ParseTo(text string) (time.Time, error) {
	if day, err := domain.ParseDay(text); err == nil {
		return day.Add(1).Start(), nil
	}
	return time.Parse(time.RFC3339Nano, text)
}

// Has reports whether an instant is in the span.
func (s Span) Has(t time.Time) bool { return !t.Before(s.From) && t.Before(s.To) }

// widened is the span in which the other side of a pair is searched for.
func (s Span) widened() Span { return Span{s.From.Add(-near), s.To.Add(near)} }

// of fills in zero ends from the statement. The result is at most longest; 0: any length.
func (s Span) of(st statement, longest time.Duration) (Span, error) {
	if !st.timed && (s.From.IsZero() || s.To.IsZero()) {
		return s, problemAt(ProblemNoTimes, 0, "", "")
	}
	if s.From.IsZero() {
		s.From = domain.DayOf(st.first).Start()
	}
	if s.To.IsZero() {
		s.To = domain.DayOf(st.last).Add(1).Start()
	}
	isMidnight := func(t time.Time) bool { return domain.DayOf(t).Start().Equal(t) }
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
	// NotYetInLedger is a line about an attempt that is still open or in quarantine, or about
	// a refund under way: an inquiry, or an operator, may still decide it.
	NotYetInLedger Kind = "not_yet_in_ledger"
	// OutsideSpan is a pair with only one side in the span. It is no difference.
	OutsideSpan Kind = "outside_span"
)

// Kinds lists them in the order of a report.
var Kinds = []Kind{
	MissingInStatement, MissingInLedger, AmountDiffers, CurrencyDiffers, SeveralReferences,
	TwiceInStatement, NotYetInLedger, OutsideSpan,
}

// Finding is a result that a person should look at.
type Finding struct {
	Kind  Kind
	Line  *Line  // nil: the statement has none
	Entry *Entry // nil: the ledger has none
	// First is the number of the line that is paired with the entry. With TwiceInStatement only.
	First int
	// Attempt and Intent are the attempt that an unpaired line names, if there is one, and Stage
	// is the stage of that attempt or the state of its refund: with NotYetInLedger, and with
	// MissingInLedger if the ledger has the attempt as failed.
	Attempt domain.AttemptID
	Intent  domain.IntentID
	Stage   string
	// Alike is a payment whose number differs from the line's by leading zeros, which
	// spreadsheets drop. With MissingInLedger only. It is no match.
	Alike *Entry
}

// Pair is a line and the payment or refund that it is about, in the same amount.
type Pair struct {
	Line  *Line
	Entry *Entry
}

// At is the time of the entry, or of the line if there is no entry.
func (f Finding) At() time.Time {
	if f.Entry != nil {
		return f.Entry.At
	}
	return f.Line.At
}

// Total is a number of payments and refunds and their sum.
type Total struct {
	Count  int   `json:"count"`
	Amount int64 `json:"amount"` // in dirham
}

func (t *Total) add(amount int64) {
	t.Count++
	t.Amount += amount
}

// Report is the result of comparing a statement with the ledger.
type Report struct {
	Acquirer string
	Span     Span
	Columns  map[statements.Field]string // that were read, by their names in the file
	Unit     statements.Unit             // of their amounts
	// Statement and Ledger are the totals of each side in the span. Statement.Amount leaves
	// out the lines in another currency.
	Statement, Ledger Total
	Matched           int // pairs that agree, with both sides in the span
	Unpaid            int // lines of payments that were not made; not compared
	Skipped           int // lines that are no payments: totals, remarks, a bank's other debits
	OutOfSpan         int // lines outside the span without a payment in it; not compared
	// Pairs are the lines that agree with their payments: those of Matched, and of OutsideSpan.
	Pairs    []Pair
	Findings []Finding
	Proofs   []Proof // in the order of the statement's lines; those without a line last, by attempt
	// AttemptsUnread is set if the rights cover neither attempts nor refunds under way.
	AttemptsUnread bool
}

// Difference is the statement's sum less the ledger's, in dirham.
func (r *Report) Difference() int64 { return r.Statement.Amount - r.Ledger.Amount }

// OK reports whether nothing differs.
func (r *Report) OK() bool {
	return !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Kind != OutsideSpan })
}

// sortFindings sorts the worst kind first, then by time and line.
func sortFindings(all []Finding) {
	line := func(f Finding) int {
		if f.Line == nil {
			return 0
		}
		return f.Line.Number
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(slices.Index(Kinds, a.Kind), slices.Index(Kinds, b.Kind)),
			a.At().Compare(b.At()),
			cmp.Compare(line(a), line(b)),
		)
	})
}
