package reconcile

import (
	"cmp"
	"context"
	"io"
	"slices"
	"time"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/payments/acquirer/statements"
)

// Options of Compare.
type Options struct {
	Profile Profile
	// Columns names columns of the file that the profile would not find, or finds wrongly;
	// an empty name leaves the field out.
	Columns map[statements.Field]string
	Span    Span
	// Limit is how many lines the statement and how many payments the ledger may have, and
	// Longest how long the span may be. Zero: MaxLines, and any length.
	Limit   int
	Longest time.Duration
	// CompleteTo is the time up to which a complete statement of one account can be complete, at most the
	// present: attempts of the span that no line names, and that began a day before it, were not paid. The
	// scope must have one application. Zero: that no line names it proves nothing.
	CompleteTo time.Time
	// Progress is called after each part of the log with the number of events read; may be nil.
	Progress func(done, total int64)
}

// stageClosed is the stage of attempts about which the acquirer is not asked any more.
const stageClosed = "closed"

// Compare checks a statement against the ledger's payments with the profile's acquirer within
// the scope. Errors: *StatementError, ErrSpan, ErrLongSpan, ErrTooMany, and those of the reader
// and the database.
func Compare(ctx context.Context, q postgres.Querier, of Scope, r io.Reader, o Options) (Report, error) {
	o.Limit = cmp.Or(o.Limit, MaxLines)
	st, err := read(ctx, r, o.Profile, o.Columns, o.Limit)
	if err != nil {
		return Report{}, err
	}
	span, err := o.Span.of(st, o.Longest)
	if err != nil {
		return Report{}, err
	}
	if o.Progress == nil {
		o.Progress = func(int64, int64) {}
	}
	book := ledger{q: q, acquirer: o.Profile.Acquirer, of: of, limit: o.Limit}
	m := newMatching(o.Profile, st.lines)
	entries, err := book.inSpan(ctx, span.widened(), o.Progress)
	if err != nil {
		return Report{}, err
	}
	m.add(entries)
	m.pair()
	report := Report{
		Acquirer: o.Profile.Acquirer, Span: span, Columns: st.columns, Unit: o.Profile.Unit,
		Unpaid: st.unpaidCount, Skipped: st.skipped,
	}
	if err := lookUp(ctx, book, m, &report); err != nil {
		return Report{}, err
	}
	report.fill(m)
	if err := report.prove(ctx, book, m, st.unpaid, o.CompleteTo); err != nil {
		return Report{}, err
	}
	return report, nil
}

// namedAttempts are the attempts that lines without an entry name, and the refunds of them that are
// under way, by key.
type namedAttempts struct {
	attempts map[string]found
	refunds  map[string][]found
}

func (w *namedAttempts) add(f found) {
	if w.attempts == nil {
		w.attempts, w.refunds = map[string]found{}, map[string][]found{}
	}
	if f.Refund == (domain.RefundID{}) {
		w.attempts[f.Reference] = f
	} else {
		w.refunds[f.Reference] = append(w.refunds[f.Reference], f)
	}
}

// has reports whether an attempt with a key, or a refund of it, was found.
func (w *namedAttempts) has(key string) bool {
	_, attempted := w.attempts[key]
	return attempted || len(w.refunds[key]) > 0
}

// lookUp finds the attempts that unmatched lines name. Where the ledger has their money at
// another time, or has recorded it since, the lines are matched with that.
func lookUp(ctx context.Context, book ledger, m *matching, r *Report) error {
	references := m.unknown()
	if len(references) == 0 {
		return nil
	}
	can, err := book.canRead(ctx)
	if r.AttemptsUnread = !can; err != nil || !can {
		return err
	}
	for _, sql := range []string{findAttemptsSQL, findRefundsSQL} {
		if err := book.find(ctx, sql, m.profile, references, &m.named); err != nil {
			return err
		}
	}
	var ids []domain.IntentID
	for _, a := range m.named.attempts {
		ids = append(ids, a.Intent)
	}
	entries, err := book.ofIntents(ctx, ids)
	if err != nil {
		return err
	}
	m.add(slices.DeleteFunc(entries, func(e Entry) bool {
		_, asked := m.named.attempts[m.profile.key(string(e.Attempt))]
		return !asked || m.has(e)
	}))
	m.pair()
	return nil
}

// fill reports the result for each line and each entry.
func (r *Report) fill(m *matching) {
	for n := range m.lines {
		l := &m.lines[n]
		if m.isUnrelatedDebit(l, r.AttemptsUnread) {
			r.Skipped++
			continue
		}
		within := l.At.IsZero() || r.Span.Has(l.At)
		if within {
			r.Statement.add(l.Amount)
		}
		if l.entry != none {
			r.pair(l, &m.entries[l.entry], within)
			continue
		}
		if !within {
			r.OutOfSpan++
			continue
		}
		f := Finding{Kind: MissingInLedger, Line: l}
		switch {
		case l.several:
			f.Kind = SeveralReferences
		case l.repeats != none:
			f.Kind, f.Entry = TwiceInStatement, &m.entries[l.repeats]
			f.First = m.lines[f.Entry.line].Number
		default:
			m.named.explain(&f, l.key)
			f.Alike = m.similar(l)
		}
		r.Findings = append(r.Findings, f)
	}
	for n := range m.entries {
		e := &m.entries[n]
		if !r.Span.Has(e.At) {
			continue
		}
		r.Ledger.add(e.Amount)
		if e.line == none {
			r.Findings = append(r.Findings, Finding{Kind: MissingInStatement, Entry: e})
		}
	}
	sortFindings(r.Findings)
}

// isUnrelatedDebit reports whether a line is a bank's debit that names no payment of the ledger: a
// fee, a withdrawal. If it should have been a refund, that refund is reported as missing in the
// statement. Where attempts cannot be read, a text that may be the reference of one makes it count.
func (m *matching) isUnrelatedDebit(l *Line, unread bool) bool {
	return l.debit && l.entry == none && l.repeats == none && l.key == "" && !l.several &&
		!(unread && (m.profile.mayName(l.Reference) || m.profile.mayName(l.narrative)))
}

// explain adds to a line that is missing in the ledger which attempt it names, and whether
// the ledger may still record it.
func (w *namedAttempts) explain(f *Finding, key string) {
	attempt := w.attempts[key]
	f.Attempt, f.Intent = attempt.Attempt, attempt.Intent
	switch refunds := w.refunds[key]; {
	case f.Line.isRefund && len(refunds) > 0:
		refund := refunds[len(refunds)-1]
		f.Kind, f.Attempt, f.Intent, f.Stage = NotYetInLedger, refund.Attempt, refund.Intent, refund.Stage
	case f.Line.isRefund || attempt.Stage == "":
	case attempt.Stage == stageClosed:
		f.Stage = stageClosed
	default:
		f.Kind, f.Stage = NotYetInLedger, attempt.Stage
	}
}

// pair compares a line with its entry. within reports whether the line is in the span.
func (r *Report) pair(l *Line, e *Entry, within bool) {
	recorded := r.Span.Has(e.At)
	f := Finding{Line: l, Entry: e}
	switch {
	case !within && !recorded:
		r.OutOfSpan++
		return
	case l.foreign():
		f.Kind = CurrencyDiffers
	case l.Amount != e.Amount:
		f.Kind = AmountDiffers
	case within && recorded:
		r.Matched++
		r.Pairs = append(r.Pairs, Pair{l, e})
		return
	default:
		f.Kind = OutsideSpan
		r.Pairs = append(r.Pairs, Pair{l, e})
	}
	r.Findings = append(r.Findings, f)
}
