package reconcile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/reconcile"
)

// Every kind of difference is found at its line, and nothing else, in the statements of every
// provider.
func TestPlantedDifferences(t *testing.T) {
	t.Parallel()
	for _, acquirer := range styled {
		t.Run(acquirer, func(t *testing.T) {
			t.Parallel()
			plantedDifferences(t, acquirer)
		})
	}
}

func plantedDifferences(t *testing.T, acquirer string) {
	w, s := newWorld(t), styles[acquirer]
	var lines, want []string
	found := func(k reconcile.Kind, line int, id domain.AttemptID) {
		want = append(want, fmt.Sprintf("%s %d %s", k, line, id))
	}
	next := noon
	planned := func() payment {
		next = next.Add(time.Minute)
		return newPayment(acquirer, next)
	}
	put := func(line string) int {
		lines = append(lines, line)
		return len(lines) + 1 // the header is the first
	}
	pay := func() payment {
		p := planned()
		w.record(t, p)
		return p
	}
	for range 20 {
		put(s.line(pay()))
	}

	gone := pay()
	found(reconcile.MissingInStatement, 0, gone.attempt)
	unheard := planned()
	found(reconcile.MissingInLedger, put(s.line(unheard)), "")

	other := pay()
	changed := other
	changed.amount += s.least
	found(reconcile.AmountDiffers, put(s.line(changed)), other.attempt)
	foreign := pay()
	found(reconcile.CurrencyDiffers, put(s.dollars(s.line(foreign))), foreign.attempt)
	twice := pay()
	put(s.line(twice))
	found(reconcile.TwiceInStatement, put(s.line(twice)), twice.attempt)
	// The first line is a second payment of the same attempt; the ledger has the other one.
	again := pay()
	surplus := again
	surplus.number += "-2"
	found(reconcile.TwiceInStatement, put(s.line(surplus)), again.attempt)
	put(s.line(again))

	put(s.unpaid(s.line(planned())))
	upper := pay()
	put(strings.Replace(s.line(upper), string(upper.attempt), strings.ToUpper(string(upper.attempt)), 1))
	nameless := pay()
	reference := string(nameless.attempt)
	if acquirer == "lypay" {
		reference = strings.ToUpper(reference[:25])
	}
	put(strings.Replace(s.line(nameless), reference, "", 1))

	for stage, kind := range map[string]reconcile.Kind{
		"asking": reconcile.NotYetInLedger, "quarantined": reconcile.NotYetInLedger,
		"closed": reconcile.MissingInLedger,
	} {
		p := planned()
		p.unpaid, p.failed = stage != "closed", stage == "closed"
		w.attempt(t, w.record(t, p), p, stage)
		found(kind, put(s.line(p)), p.attempt)
	}
	// Paid at the end of the day, recorded after midnight, and days later.
	for _, later := range []time.Duration{12*time.Hour + 30*time.Minute, 3 * 24 * time.Hour} {
		p := planned()
		line := s.line(p)
		p.at = noon.Add(later)
		w.attempt(t, w.record(t, p), p, "closed")
		found(reconcile.OutsideSpan, put(line), p.attempt)
	}
	// Another acquirer's money does not belong to this statement.
	w.record(t, newPayment("elsewhere", noon.Add(4*24*time.Hour)))

	r := w.compare(t, acquirer, s.file(lines...), reconcile.Everything(), reconcile.Span{})
	got := said(r)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r.OK() || r.Unpaid != 1 || r.Matched != 24 || r.AttemptsUnread {
		t.Errorf("OK %t, %d unpaid lines, %d matched, attempts unread %t", r.OK(), r.Unpaid, r.Matched,
			r.AttemptsUnread)
	}
	if first := r.Findings[0].Kind; first != reconcile.MissingInStatement {
		t.Errorf("%s comes first", first)
	}
}

// A statement with the payments of the ledger has no difference, to the dirham.
func TestEqualBooks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var lines []string
	var sum int64
	for n := range 50 {
		p := newPayment("moamalat", noon.Add(time.Duration(n)*time.Minute))
		w.record(t, p)
		lines = append(lines, styles["moamalat"].line(p))
		sum += p.amount
	}
	r := w.compare(t, "moamalat", styles["moamalat"].file(lines...), reconcile.Everything(), reconcile.Span{})
	all := reconcile.Total{Count: 50, Amount: sum}
	if !r.OK() || r.Matched != 50 || r.Statement != all || r.Ledger != all || r.Difference() != 0 ||
		len(r.Findings) != 0 {
		t.Errorf("%+v", r)
	}
	day := reconcile.Span{From: noon.Add(-12 * time.Hour), To: noon.Add(12 * time.Hour)}
	if !r.Span.From.Equal(day.From) || !r.Span.To.Equal(day.To) {
		t.Errorf("the span is %v", r.Span)
	}
}

// Late and duplicate payments are entries, too: each is matched with its own line.
func TestLateAndDoublePayments(t *testing.T) {
	t.Parallel()
	w, s := newWorld(t), styles["sandbox"]
	first, second := newPayment("sandbox", noon), newPayment("sandbox", noon.Add(time.Minute))
	second.amount = first.amount
	money := domain.Money{Minor: first.amount, Currency: domain.LYD}
	w.append(t, domain.IntentID{7},
		domain.Created{At: noon, CheckoutToken: "t", ExpiresAt: noon, Terms: domain.Terms{
			MerchantReference: "m", Reference: "r", Amount: money, Description: "d",
		}},
		domain.AttemptStarted{At: noon, Attempt: first.attempt, Acquirer: "sandbox"},
		domain.AttemptFailed{At: noon, Attempt: first.attempt},
		domain.AttemptStarted{At: noon, Attempt: second.attempt, Acquirer: "sandbox"},
		domain.AttemptFailed{At: noon, Attempt: second.attempt},
		domain.Expired{At: noon},
		domain.LateSucceeded{At: first.at, Attempt: first.attempt, Amount: money, ProviderReference: first.number},
		domain.DuplicatePayment{At: second.at, Attempt: second.attempt, Amount: money,
			ProviderReference: second.number})
	both := s.file(s.line(first), s.line(second))
	if r := w.compare(t, "sandbox", both, reconcile.Everything(), reconcile.Span{}); !r.OK() || r.Matched != 2 {
		t.Errorf("%+v", r)
	}
	r := w.compare(t, "sandbox", s.file(s.line(first)), reconcile.Everything(), reconcile.Span{})
	got := said(r)
	if !slices.Equal(got, []string{"missing_in_statement 0 " + string(second.attempt)}) ||
		r.Findings[0].Entry.Event != domain.TypeDuplicatePayment {
		t.Errorf("%v", got)
	}
}

// Refunds are negative on both sides: a recorded one, one under way, one that we do not know, and
// one of a payment that is in another statement.
func TestRefundsOfTheLedger(t *testing.T) {
	t.Parallel()
	w, s := newWorld(t), styles["moamalat"]
	paid, asked := newPayment("moamalat", noon), newPayment("moamalat", noon.Add(time.Minute))
	first, second := w.record(t, paid), w.record(t, asked)
	w.attempt(t, second, asked, "closed")
	back := func(p payment, n byte, amount int64, number string) domain.Event {
		return domain.RefundRecorded{
			At: noon.Add(2 * time.Minute), Refund: domain.RefundID{n}, Attempt: p.attempt,
			Amount:            domain.Money{Minor: amount, Currency: domain.LYD},
			ProviderReference: number, Evidence: domain.EvidenceAcquirer,
		}
	}
	w.add(t, first, back(paid, 1, 1000, "R1"), back(paid, 2, 2000, "R2"), back(paid, 3, 500, ""))
	w.refund(t, second, asked, 700, "unknown")
	refund := func(p payment, amount int64, number string) string {
		p.amount, p.number = amount, number
		return strings.Replace(s.line(p), "Sale", "Refund", 1)
	}
	r := w.compare(t, "moamalat", s.file(s.line(paid), s.line(asked), refund(paid, 2000, "r2"),
		refund(paid, 500, "R9"), refund(asked, 700, "R4"),
		refund(newPayment("moamalat", noon), 300, "R5")), reconcile.Everything(), reconcile.Span{})
	want := []string{"missing_in_statement 0 " + string(paid.attempt), "missing_in_ledger 7 ",
		"not_yet_in_ledger 6 " + string(asked.attempt)}
	diff := cmp.Diff(want, said(r))
	if diff != "" || r.Matched != 4 || r.Findings[0].Entry.Amount != -1000 || r.Findings[2].Stage != "unknown" {
		t.Errorf("%+v (-want +got):\n%s", r, diff)
	}
}

// Payments outside of the scope are not found, neither in the ledger nor among the attempts.
func TestScope(t *testing.T) {
	t.Parallel()
	w, s := newWorld(t), styles["lypay"]
	ours, theirs := newPayment("lypay", noon), newPayment("lypay", noon.Add(time.Minute))
	open := newPayment("lypay", noon.Add(2*time.Minute))
	theirs.app, open.app, open.unpaid = domain.ApplicationID{2}, domain.ApplicationID{2}, true
	w.record(t, ours)
	w.record(t, theirs)
	w.attempt(t, w.record(t, open), open, "asking")
	file := s.file(s.line(ours), s.line(theirs), s.line(open))
	for _, c := range []struct {
		name string
		of   reconcile.Scope
		want []string
	}{
		{"everything", reconcile.Everything(), []string{"not_yet_in_ledger 4 " + string(open.attempt)}},
		{"ours", reconcile.Of(ours.app), []string{"missing_in_ledger 3 ", "missing_in_ledger 4 "}},
		{"theirs", reconcile.Of(theirs.app),
			[]string{"missing_in_ledger 2 ", "not_yet_in_ledger 4 " + string(open.attempt)}},
		{"both", reconcile.Of(ours.app, theirs.app), []string{"not_yet_in_ledger 4 " + string(open.attempt)}},
		{"of nobody", reconcile.Of(), []string{"missing_in_ledger 2 ", "missing_in_ledger 3 ",
			"missing_in_ledger 4 "}},
		{"zero", reconcile.Scope{}, []string{"missing_in_ledger 2 ", "missing_in_ledger 3 ",
			"missing_in_ledger 4 "}},
	} {
		if diff := cmp.Diff(c.want, said(w.compare(t, "lypay", file, c.of, reconcile.Span{}))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Auditors may compare. AttemptsUnread is set if attempts would have to be read, and only then.
func TestAuditorsCompare(t *testing.T) {
	t.Parallel()
	w, s := newWorld(t), styles["sandbox"]
	paid, open := newPayment("sandbox", noon), newPayment("sandbox", noon.Add(time.Minute))
	open.unpaid = true
	w.record(t, paid)
	w.attempt(t, w.record(t, open), open, "asking")
	auditor := pgtest.Open(t, w.db.SuperuserURL(),
		postgres.Options{RuntimeParams: map[string]string{"role": "daftar_auditor"}})
	for file, unread := range map[string]bool{s.file(s.line(paid)): false,
		s.file(s.line(paid), s.line(open)): true} {
		r, err := reconcile.Compare(t.Context(), auditor, reconcile.Everything(), strings.NewReader(file),
			reconcile.Options{Profile: profile(t, "sandbox")})
		if err != nil || r.Matched != 1 || r.AttemptsUnread != unread || r.OK() == unread ||
			r.Count(reconcile.MissingInLedger) != len(r.Findings) {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// The span is the caller's, or the days of the file.
func TestSpans(t *testing.T) {
	t.Parallel()
	w, s := newWorld(t), styles["sandbox"]
	var lines []string
	var all []payment
	for day := range 4 {
		p := newPayment("sandbox", noon.AddDate(0, 0, day))
		w.record(t, p)
		all, lines = append(all, p), append(lines, s.line(p))
	}
	at := func(text string, parse func(string) (time.Time, error)) time.Time {
		parsed, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	missing := func(n int) string { return "missing_in_statement 0 " + string(all[n].attempt) }
	for _, c := range []struct {
		name, from, to string
		lines          []string
		matched, left  int
		want           []string
	}{
		{"of the file", "", "", lines, 4, 0, nil},
		{"of the file without its last day", "", "", lines[:3], 3, 0, nil},
		{"of the file without a day between", "", "", []string{lines[0], lines[2], lines[3]}, 3, 0,
			[]string{missing(1)}},
		{"two days", "2026-11-21", "2026-11-22", lines, 2, 2, nil},
		{"two days, one of them missing", "2026-11-21", "2026-11-22", lines[2:], 1, 1, []string{missing(1)}},
		{"to the end of the file", "2026-11-22", "", lines, 2, 2, nil},
		{"a day more than the file has", "", "2026-11-23", lines[:3], 3, 0, []string{missing(3)}},
		{"until an instant, which is not included", "", "2026-11-21T10:00:00Z", lines, 1, 3, nil},
		{"until after an instant", "", "2026-11-21T12:00:01+02:00", lines, 2, 2, nil},
	} {
		span := reconcile.Span{}
		if c.from != "" {
			span.From = at(c.from, reconcile.ParseFrom)
		}
		if c.to != "" {
			span.To = at(c.to, reconcile.ParseTo)
		}
		r := w.compare(t, "sandbox", s.file(c.lines...), reconcile.Everything(), span)
		if diff := cmp.Diff(c.want, said(r)); diff != "" || r.Matched != c.matched || r.OutOfSpan != c.left {
			t.Errorf("%s: %d matched, %d out of span (-want +got):\n%s", c.name, r.Matched, r.OutOfSpan, diff)
		}
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	w, s := newWorld(t), styles["sandbox"]
	p := newPayment("sandbox", noon)
	w.record(t, p)
	var done, total int64
	_, err := reconcile.Compare(t.Context(), w.pool, reconcile.Everything(),
		strings.NewReader(s.file(s.line(p))), reconcile.Options{
			Profile: profile(t, "sandbox"), Progress: func(d, of int64) { done, total = d, of },
		})
	if err != nil || done != 3 || total != 3 {
		t.Errorf("%d of %d, %v", done, total, err)
	}
}
