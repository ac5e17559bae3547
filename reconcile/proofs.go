package reconcile

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
)

// Proof is what a statement shows of an attempt, or of a refund, whose outcome is unknown.
type Proof struct {
	Attempt domain.AttemptID
	Intent  domain.IntentID
	Refund  domain.RefundID // zero: it is about the payment of the attempt
	Moved   bool            // the money moved: it was paid, or went back. False: it did not.
	Line    *Line           // nil: the statement covers the time of the attempt, and no line names it
}

// unknownStages are the stages of attempts whose outcome is unknown. In the stages code and bank the
// payer still has something to do.
var unknownStages = []string{"beginning", "asking", "ending", "quarantined"}

// unknownRefund is the state of a refund whose outcome is unknown.
const unknownRefund = "unknown"

// prove adds the proofs. It comes after the findings, because it looks up more than they need.
func (r *Report) prove(
	ctx context.Context, book ledger, m *matching, unpaid []Line, completeTo time.Time,
) error {
	absent := !completeTo.IsZero() && book.of.isOne()
	if !absent && !m.profile.FinalRefusals {
		unpaid = nil // they prove nothing
	}
	further := m.further()
	suspected := absent || slices.ContainsFunc(unpaid, func(l Line) bool { return l.refused })
	needless := len(further)+len(m.named.attempts)+len(m.named.refunds) == 0 && !suspected
	if r.AttemptsUnread || needless {
		return nil
	}
	can, err := book.canRead(ctx)
	if err != nil || !can {
		return err
	}
	if err := book.find(ctx, findRefundsSQL, m.profile, further, &m.named); err != nil {
		return err
	}
	var all map[string]*candidate
	if suspected {
		if all, err = book.candidates(ctx, m.profile, r.Span.completeTo(completeTo), absent); err != nil {
			return err
		}
	}
	for _, c := range all {
		m.named.add(c.found)
	}
	proofs, err := book.withoutRecorded(ctx, append(m.moved(), m.notMoved(unpaid, all)...))
	if err != nil {
		return err
	}
	slices.SortFunc(proofs, func(a, b Proof) int {
		return cmp.Or(cmp.Compare(a.lineNumber(), b.lineNumber()), cmp.Compare(a.Attempt, b.Attempt))
	})
	r.Proofs = proofs
	return nil
}

func (p Proof) lineNumber() int {
	if p.Line == nil {
		return math.MaxInt
	}
	return p.Line.Number
}

// completeTo is the span in which attempts have begun whose lines a statement has that is complete to t.
func (s Span) completeTo(t time.Time) Span {
	if t.Before(s.To) {
		s.To = t
	}
	return Span{s.From, s.To.Add(-near)}
}

// isOne reports whether a scope is one application.
func (s Scope) isOne() bool { return !s.everything && len(s.applications) == 1 }

// candidate is an attempt of unknown outcome whose money may not have moved.
type candidate struct {
	found

	covered bool  // it began in the time that a complete statement covers
	refusal *Line // the first line of a refused payment that names it
	named   bool  // by a line of another kind
}

// candidatesSQL selects the attempts of unknown outcome. The condition about closed ones is that of an
// index.
const candidatesSQL = `
SELECT '', a.attempt, a.intent_uuid, a.stage, i.amount, i.currency, ` + noRefund + `, a.created_at
FROM checkout_attempts a` + intentSQL + `
WHERE a.stage = ANY($1)
  AND a.stage <> 'closed'
  AND a.acquirer = $2
  AND ($3 OR i.application_uuid = ANY($4::uuid[]))
LIMIT $5`

// candidates reads the attempts of unknown outcome by key. A complete statement covers those that began
// in the span, early enough for their line to be in it too. Above the limit, which is an error only then,
// refusals prove nothing.
func (l ledger) candidates(
	ctx context.Context, p Profile, s Span, complete bool,
) (map[string]*candidate, error) {
	found, err := postgres.List(ctx, l.q, "find attempts of unknown outcome",
		func(row pgx.CollectableRow) (*candidate, error) {
			c, began := &candidate{}, time.Time{}
			err := row.Scan(append(c.columns(), &began)...)
			c.Reference, c.covered = p.key(string(c.Attempt)), complete && s.Has(began)
			return c, err
		}, candidatesSQL, postgres.PlanEachTime, unknownStages, l.acquirer,
		l.of.everything, l.of.applications, l.limit+1)
	switch {
	case err != nil:
		return nil, err
	case len(found) > l.limit && complete:
		return nil, ErrTooMany
	case len(found) > l.limit:
		return nil, nil
	}
	all := make(map[string]*candidate, len(found))
	for _, c := range found {
		all[c.Reference] = c
	}
	return all, nil
}

// further are the keys of attempts with a recorded refund and a line of a further one.
func (m *matching) further() []string {
	var all []string
	for n := range m.lines {
		if l := &m.lines[n]; l.isRefund && l.repeats != none && l.key != "" && !m.named.has(l.key) {
			all = append(all, l.key)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// moved are the proofs of money that moved. An attempt with another line, as of a reversal, has none.
func (m *matching) moved() []Proof {
	naming := map[string][]*Line{}
	for n := range m.lines {
		l := &m.lines[n]
		if l.key == "" && !l.several { // perhaps it was matched by its number, or names what was found since
			m.resolve(l)
		}
		if m.named.has(l.key) {
			naming[l.key] = append(naming[l.key], l)
		}
	}
	var proofs []Proof
	for key, lines := range naming {
		l, a := lines[0], m.named.attempts[key]
		isUnknown := slices.Contains(unknownStages, a.Stage)
		if isUnknown && len(lines) == 1 && l.isOf(a.Amount) && l.entry == none && l.repeats == none {
			proofs = append(proofs, Proof{a.Attempt, a.Intent, domain.RefundID{}, true, l})
		}
		for _, f := range m.named.refunds[key] {
			if l := m.wentBack(f, m.named.refunds[key], lines); l != nil {
				proofs = append(proofs, Proof{f.Attempt, f.Intent, f.Refund, true, l})
			}
		}
	}
	return proofs
}

// isOf reports whether a line has an amount.
func (l *Line) isOf(m domain.Money) bool {
	return l.Currency == string(m.Currency) && l.Amount == m.Minor
}

// wentBack is the only line with the amount of an unknown refund; nil: there is none, or another
// refund of the attempt that is under way has the same amount.
func (m *matching) wentBack(f found, underWay []found, lines []*Line) *Line {
	if f.Stage != unknownRefund {
		return nil
	}
	for _, other := range underWay {
		if other.Amount == f.Amount && other.Refund != f.Refund {
			return nil
		}
	}
	back := domain.Money{Minor: -f.Amount.Minor, Currency: f.Amount.Currency}
	lines = slices.DeleteFunc(slices.Clone(lines), func(l *Line) bool { return !l.isOf(back) })
	if len(lines) != 1 || lines[0].entry != none {
		return nil
	}
	// A line about another refund of the attempt may be a further one; withoutRecorded compares them.
	if n := lines[0].repeats; n != none && m.entries[n].Attempt != f.Attempt {
		return nil
	}
	return lines[0]
}

// see takes a line that names the attempt.
func (c *candidate) see(l *Line, key string) {
	switch {
	case !l.refused || l.key != key || l.Amount != 0 && !l.isOf(c.Amount):
		c.named = true
	case c.refusal == nil:
		c.refusal = l
	}
}

// notMoved are the proofs of money that did not move: of attempts that lines call refused and no
// other line names, and of covered attempts that no line names. Where they prove it by absence, a
// line that names nothing could be the payment if it has its amount.
func (m *matching) notMoved(unpaid []Line, all map[string]*candidate) []Proof {
	if len(all) == 0 {
		return nil
	}
	for n := range unpaid {
		m.resolve(&unpaid[n])
	}
	unexplained := map[int64]bool{} // amounts
	for _, lines := range [][]Line{m.lines, unpaid} {
		for n := range lines {
			l := &lines[n]
			m.profile.eachKey(l, func(key string) {
				if c := all[key]; c != nil {
					c.see(l, key)
				}
			})
			if l.isUnexplained() {
				unexplained[l.Amount] = true
			}
		}
	}
	var proofs []Proof
	for _, c := range all {
		refused := c.refusal != nil && m.profile.FinalRefusals
		if !c.named && (refused || c.covered && !unexplained[c.Amount.Minor]) {
			proofs = append(proofs, Proof{Attempt: c.Attempt, Intent: c.Intent, Line: c.refusal})
		}
	}
	return proofs
}

// isUnexplained reports whether a line may be about any payment.
func (l *Line) isUnexplained() bool {
	return l.key == "" && !l.several && l.entry == none && l.repeats == none && !l.refused
}

// withoutRecorded leaves out proofs of what the ledger has by now.
func (l ledger) withoutRecorded(ctx context.Context, proofs []Proof) ([]Proof, error) {
	var ids []domain.IntentID
	for _, p := range proofs {
		ids = append(ids, p.Intent)
	}
	entries, err := l.ofIntents(ctx, ids)
	if err != nil {
		return nil, err
	}
	recorded := map[domain.AttemptID][]Entry{}
	for _, e := range entries {
		recorded[e.Attempt] = append(recorded[e.Attempt], e)
	}
	return slices.DeleteFunc(proofs, func(p Proof) bool {
		return slices.ContainsFunc(recorded[p.Attempt], p.isRecorded)
	}), nil
}

// isRecorded reports whether an entry of the same attempt may be what the proof is about.
func (p Proof) isRecorded(e Entry) bool {
	if p.Refund == (domain.RefundID{}) {
		return !e.isRefund()
	}
	number := p.Line.ProviderReference
	hasNumber := number != "" && strings.EqualFold(number, e.ProviderReference)
	return e.isRefund() && (hasNumber || e.Amount == p.Line.Amount)
}
