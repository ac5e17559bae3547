package outcomes_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/payments/outcomes"
)

// Each member sees what their own statement shows, and what another one's did.
func TestProofsAreTheirFinders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.always()
	o := w.unknownPayment(5000)
	w.prove(w.finance, outcomes.Paid, o.Key)
	if n, err := w.SettleProven(t.Context(), w.finance, w.live(), []outcomes.Key{o.Key}, "Monday"); err != nil ||
		n != (outcomes.Count{Proposed: 1}) {
		t.Fatalf("%+v, %v", n, err)
	}
	seen := w.find(o.Key)
	if seen.ProofOf(w.owner.User) != nil || seen.ProofOf(w.finance.User) == nil {
		t.Errorf("the proofs are %+v", seen.Proofs)
	}
	if want := "#2 TX-" + o.Subject + " 2026-11-20T10:00:00Z 5.000 LYD"; seen.Proposal.Statement != want {
		t.Errorf("the line is %q, want %q", seen.Proposal.Statement, want)
	}
	w.prove(w.owner, outcomes.Failed, o.Key)
	w.prove(w.owner, outcomes.Paid, o.Key) // compared again: the later counts
	seen = w.find(o.Key)
	if own := seen.ProofOf(w.owner.User); own == nil || own.Verdict != outcomes.Paid || len(seen.Proofs) != 2 {
		t.Errorf("the proofs are %+v", seen.Proofs)
	}
	if _, err := w.Confirm(t.Context(), w.owner, w.live(), []outcomes.ProposalID{seen.Proposal.ID}); err != nil {
		t.Fatal(err)
	}
	e, origin := w.last(o.Intent)
	if e.(domain.Succeeded).ProviderReference != "TX-"+o.Subject || origin.Statement != seen.Proposal.Statement {
		t.Errorf("%+v by %+v", e, origin)
	}
}

// Only what the tenant has unknown is kept, of members who may settle it, and not for ever.
func TestWhatIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	known, o := w.unknownPayment(4000), w.unknownPayment(5000)
	w.settle(w.owner, known, outcomes.Paid)
	found := []outcomes.Proof{
		{Key: known.Key, Verdict: outcomes.Failed},
		{Key: outcomes.KeyOfPayment("0123456789abcdefghjkmnpqrs"), Verdict: outcomes.Failed},
		{Key: o.Key, Verdict: outcomes.Failed},
	}
	if n, err := w.Keep(t.Context(), w.owner, w.live(), found); n != 1 || err != nil {
		t.Errorf("kept %d, %v", n, err)
	}
	if n, err := w.Keep(t.Context(), w.owner, w.org.In(domain.ModeTest), found); n != 0 || err != nil {
		t.Errorf("kept %d on the test side, %v", n, err)
	}
	viewer := w.person("viewer", accounts.RoleViewer)
	if _, err := w.Keep(t.Context(), viewer, w.live(), found); !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("a viewer: %v", err)
	}
	if p := w.find(o.Key).ProofOf(w.owner.User); p == nil || p.Line != 0 || p.At != nil {
		t.Errorf("the proof is %+v", p)
	}
	w.settle(w.owner, o, outcomes.Failed)
	if _, origin := w.last(o.Intent); origin.Statement != outcomes.NoLine {
		t.Errorf("the evidence is %+v", origin)
	}

	old := w.unknownPayment(6000)
	w.prove(w.owner, outcomes.Paid, old.Key)
	w.exec(`UPDATE statement_proofs SET found_at = found_at - $1::interval`, 31*24*time.Hour)
	w.prove(w.finance, outcomes.Paid, w.unknownPayment(7000).Key)
	if p := w.find(old.Key).Proofs; len(p) != 0 {
		t.Errorf("after a month there is %+v", p)
	}
}

// A statement that shows the contrary of what a person says is no evidence for it, nor is one that another
// member compared.
func TestAnothersStatementIsNoEvidence(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := w.unknownPayment(5000)
	w.prove(w.owner, outcomes.Paid, o.Key)
	w.prove(w.finance, outcomes.Failed, o.Key)
	third := w.person("third", accounts.RoleFinance)
	_, err := w.SettleProven(t.Context(), third, w.live(), []outcomes.Key{o.Key}, "Monday")
	if !errors.Is(err, outcomes.ErrNoOutcome) {
		t.Errorf("settled by another's statement: %v", err)
	}
	w.settle(w.owner, o, outcomes.Failed)
	if _, origin := w.last(o.Intent); origin.Statement != "" {
		t.Errorf("the evidence is %+v", origin)
	}
}

// What the ledger has as paid stays paid, whatever the acquirer said of it later.
func TestPaidStaysPaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := w.unknownPayment(5000)
	w.execute(o.Intent, domain.RecordPayment{Attempt: o.Attempt, Amount: o.Amount})
	_, err := w.Settle(t.Context(), w.owner, w.live(), o.Key,
		outcomes.Claim{Verdict: outcomes.Failed, Note: "x"})
	if !errors.Is(err, outcomes.ErrPaid) {
		t.Errorf("it failed: %v", err)
	}
	w.prove(w.owner, outcomes.Failed, o.Key)
	_, err = w.SettleProven(t.Context(), w.owner, w.live(), []outcomes.Key{o.Key}, "x")
	if !errors.Is(err, outcomes.ErrNoOutcome) {
		t.Errorf("it failed by a statement: %v", err)
	}
	if s := w.settle(w.owner, o, outcomes.Paid); s == outcomes.Proposed {
		t.Errorf("it is %s", s)
	}

	w.always()
	o = w.unknownPayment(5000)
	w.settle(w.finance, o, outcomes.Failed)
	proposed := w.find(o.Key).Proposal.ID
	w.execute(o.Intent, domain.RecordPayment{Attempt: o.Attempt, Amount: o.Amount})
	confirmed, err := w.Confirm(t.Context(), w.owner, w.live(), []outcomes.ProposalID{proposed})
	if confirmed != 0 || err != nil || w.find(o.Key).Proposal != nil {
		t.Errorf("confirmed %d, %v, proposed is %+v", confirmed, err, w.find(o.Key).Proposal)
	}
	w.settle(w.finance, o, outcomes.Paid)
	proposed = w.find(o.Key).Proposal.ID
	if _, err := w.Confirm(t.Context(), w.owner, w.live(), []outcomes.ProposalID{proposed}); err != nil {
		t.Error(err)
	}
	if n, err := w.Count(t.Context(), w.live(), 10); n != 0 || err != nil {
		t.Errorf("%d are left, %v", n, err)
	}
}

// What people can act on is among the first, however much there is to look up.
func TestTheListBeginsWithWhatIsKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.always()
	waits, proven, proposed := w.unknownPayment(1000), w.unknownPayment(2000), w.unknownPayment(3000)
	w.settle(w.finance, proposed, outcomes.Paid)
	w.prove(w.owner, outcomes.Paid, proven.Key)
	all, err := w.List(t.Context(), w.live(), 3)
	if err != nil || len(all) != 3 {
		t.Fatalf("listed %+v, %v", all, err)
	}
	for n, want := range []outcomes.Key{proposed.Key, proven.Key, waits.Key} {
		if all[n].Key != want {
			t.Errorf("%d is %s, want %s", n, all[n].Key, want)
		}
	}
}

// What the ledger would not take, and a number that is too long, stop no other.
func TestOneLineStopsNoOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long, known, good := w.unknownPayment(1000), w.unknownRefund(2000), w.unknownRefund(3000)
	w.execute(known.Intent, domain.RecordRefund{Refund: domain.RefundID{9}, Attempt: known.Attempt,
		Amount: dinars(1), ProviderReference: "BACK-1", Evidence: domain.EvidencePerson})
	found := []outcomes.Proof{
		{Key: long.Key, Verdict: outcomes.Paid, Line: 2, ProviderReference: strings.Repeat("1", 101)},
		{Key: known.Key, Verdict: outcomes.Refunded, Line: 3, ProviderReference: "BACK-1"},
		{Key: good.Key, Verdict: outcomes.Refunded, Line: 4, ProviderReference: "BACK-2"},
	}
	if n, err := w.Keep(t.Context(), w.owner, w.live(), found); n != 3 || err != nil {
		t.Fatalf("kept %d, %v", n, err)
	}
	n, err := w.SettleProven(t.Context(), w.owner, w.live(), []outcomes.Key{long.Key, known.Key, good.Key}, "x")
	if n != (outcomes.Count{Settled: 2}) || err != nil {
		t.Errorf("settled %+v, %v", n, err)
	}
	if e, origin := w.last(long.Intent); e.(domain.Succeeded).ProviderReference != "" || origin.Statement == "" {
		t.Errorf("%+v by %+v", e, origin)
	}
	if w.find(known.Key).Proposal != nil {
		t.Error("what the ledger refuses is proposed")
	}
}

// While a call may just be under way, nothing is for people.
func TestCallsAreGivenAMinute(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := w.unknownPayment(1000)
	for _, c := range []struct {
		ago  time.Duration
		want int
	}{{0, 0}, {2 * time.Minute, 1}} {
		w.exec(`UPDATE checkout_attempts SET stage = 'asking', stage_since = now() - $1::interval`, c.ago)
		found := 1
		if _, err := w.Find(t.Context(), w.live(), o.Key); errors.Is(err, outcomes.ErrNoOutcome) {
			found = 0
		}
		n, err := w.Count(t.Context(), w.live(), 10)
		if n != c.want || found != c.want || err != nil {
			t.Errorf("after %s: %d counted and %d found, want %d (%v)", c.ago, n, found, c.want, err)
		}
	}
}
