package outcomes_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/ledger"
	"daftar/payments"
	"daftar/payments/outcomes"
	"daftar/payments/refunds"
)

func user(by accounts.Actor) string { return ledger.ActorUser(uuid.UUID(by.User)) }

// Without a rule one member settles: the ledger has who, how they know and the acquirer's number.
func TestOneMemberSettles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	paid, failed := w.unknownPayment(5000), w.unknownPayment(7000)
	back, kept := w.unknownRefund(3000), w.unknownRefund(2000)
	if n, err := w.Count(t.Context(), w.live(), 100); n != 4 || err != nil {
		t.Errorf("%d are unknown, %v", n, err)
	}
	for _, c := range []struct {
		o outcomes.Outcome
		v outcomes.Verdict
	}{{paid, outcomes.Paid}, {failed, outcomes.Failed}, {back, outcomes.Refunded}, {kept, outcomes.Failed}} {
		if s := w.settle(w.finance, c.o, c.v); s == outcomes.Proposed {
			t.Errorf("%s is %s", c.o.Key, s)
		}
		e, origin := w.last(c.o.Intent)
		if origin.Actor != user(w.finance) || origin.ProposedBy != "" || origin.Note != "in the portal" {
			t.Errorf("%s: %T by %+v", c.o.Key, e, origin)
		}
		records := w.trail(c.o.Intent, outcomes.ActionSettle)
		if len(records) != 1 || records[0].Actor != w.finance.Name || records[0].Detail["proposed_by"] != nil {
			t.Errorf("%s: the trail has %+v", c.o.Key, records)
		}
		_, err := w.Settle(t.Context(), w.owner, w.live(), c.o.Key, outcomes.Claim{Verdict: c.v, Note: "again"})
		if !errors.Is(err, outcomes.ErrNoOutcome) {
			t.Errorf("%s is settled twice: %v", c.o.Key, err)
		}
	}
	if e, _ := w.last(paid.Intent); e.(domain.Succeeded).ProviderReference != "TX-"+paid.Subject[:8] {
		t.Errorf("the ledger has %+v", e)
	}
	if e, _ := w.last(failed.Intent); e.(domain.AttemptFailed).Attempt != failed.Attempt {
		t.Errorf("the ledger has %+v", e)
	}
	if e, _ := w.last(back.Intent); e.(domain.RefundRecorded).Evidence != domain.EvidencePerson {
		t.Errorf("the ledger has %+v", e)
	}
	if e, _ := w.last(kept.Intent); e.(domain.RefundFailed).Reason == "" {
		t.Errorf("the ledger has %+v", e)
	}
	if all, err := w.List(t.Context(), w.live(), 100); len(all) != 0 || err != nil {
		t.Errorf("still unknown: %+v, %v", all, err)
	}
}

// Where the rule asks for two, the ledger has it only when another member has confirmed.
func TestTwoPeopleSettle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.always()
	for _, o := range []outcomes.Outcome{w.unknownPayment(5000), w.unknownRefund(3000)} {
		before, _ := w.ledger.Load(t.Context(), o.Intent)
		if s := w.settle(w.finance, o, o.Kind.Moved()); s != outcomes.Proposed {
			t.Fatalf("%s is %s", o.Key, s)
		}
		proposed := w.find(o.Key).Proposal
		if proposed == nil || proposed.Proposer != w.finance.Name || proposed.Note != "in the portal" {
			t.Fatalf("proposed is %+v", proposed)
		}
		for _, by := range []accounts.Actor{w.owner, w.finance} {
			_, err := w.Settle(t.Context(), by, w.live(), o.Key, outcomes.Claim{Verdict: outcomes.Failed, Note: "x"})
			if !errors.Is(err, outcomes.ErrProposed) {
				t.Errorf("settled past a proposal: %v", err)
			}
		}
		ids := []outcomes.ProposalID{proposed.ID}
		if _, err := w.Confirm(t.Context(), w.finance, w.live(), ids); !errors.Is(err, outcomes.ErrOwn) {
			t.Errorf("one's own: %v", err)
		}
		if _, err := w.Confirm(t.Context(), operator, w.live(), ids); !errors.Is(err, accounts.ErrForbidden) {
			t.Errorf("an operator: %v", err)
		}
		developer := w.person("developer-"+string(o.Kind), accounts.RoleDeveloper)
		if _, err := w.Confirm(t.Context(), developer, w.live(), ids); !errors.Is(err, accounts.ErrForbidden) {
			t.Errorf("a developer: %v", err)
		}
		after, _ := w.ledger.Load(t.Context(), o.Intent)
		if after.Version != before.Version {
			t.Errorf("the ledger has changed before the second person: %+v", after)
		}
		if n, err := w.Confirm(t.Context(), w.owner, w.live(), ids); n != 1 || err != nil {
			t.Fatalf("confirmed %d, %v", n, err)
		}
		e, origin := w.last(o.Intent)
		if origin.Actor != user(w.owner) || origin.ProposedBy != user(w.finance) || origin.Note != "in the portal" {
			t.Errorf("%T by %+v", e, origin)
		}
		records := w.trail(o.Intent, outcomes.ActionConfirm)
		if len(records) != 1 || records[0].Actor != w.owner.Name ||
			records[0].Detail["proposed_by"] != w.finance.Name {
			t.Errorf("the trail has %+v", records)
		}
		if len(w.trail(o.Intent, outcomes.ActionPropose)) != 1 {
			t.Error("the proposal is not in the trail")
		}
		_, err := w.Confirm(t.Context(), w.owner, w.live(), ids)
		if !errors.Is(err, outcomes.ErrNoProposal) {
			t.Errorf("confirmed twice: %v", err)
		}
	}
}

// The table itself refuses what one person alone would settle.
func TestTheTableWantsTwoPeople(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.always()
	w.settle(w.finance, w.unknownPayment(5000), outcomes.Paid)
	for _, state := range []string{"recording", "recorded"} {
		_, err := w.pool.Exec(t.Context(), `
			UPDATE outcome_proposals
			SET state = $1, decided_by = proposed_by, decided_at = now(),
			    ended_at = CASE $1 WHEN 'recorded' THEN now() END`, state)
		if err == nil || !strings.Contains(err.Error(), "two_people") {
			t.Errorf("%s: %v", state, err)
		}
	}
}

// A proposal that is rejected, by either, changes nothing, and another one may follow.
func TestProposalsAreRejected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.always()
	o := w.unknownPayment(5000)
	for _, by := range []accounts.Actor{w.owner, w.finance} {
		w.settle(w.finance, o, outcomes.Paid)
		id := w.find(o.Key).Proposal.ID
		if err := w.Reject(t.Context(), by, w.live(), id); err != nil {
			t.Fatal(err)
		}
		if err := w.Reject(t.Context(), by, w.live(), id); !errors.Is(err, outcomes.ErrNoProposal) {
			t.Errorf("rejected twice: %v", err)
		}
		if w.find(o.Key).Proposal != nil {
			t.Error("it is still proposed")
		}
	}
	if n := len(w.trail(o.Intent, outcomes.ActionReject)); n != 2 {
		t.Errorf("%d records of rejections", n)
	}
}

// What the acquirer says meanwhile counts: the proposal is overtaken, and recorded nowhere.
func TestTheAcquirersWordComesFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.always()
	o, other := w.unknownPayment(5000), w.unknownPayment(6000)
	w.settle(w.finance, o, outcomes.Failed)
	w.settle(w.finance, other, outcomes.Paid)
	ids := []outcomes.ProposalID{w.find(o.Key).Proposal.ID, w.find(other.Key).Proposal.ID}
	w.execute(o.Intent, domain.RecordPayment{Attempt: o.Attempt, Amount: o.Amount})
	w.exec(`UPDATE checkout_attempts SET stage = 'closed' WHERE attempt = $1`, o.Attempt)
	if n, err := w.Confirm(t.Context(), w.owner, w.live(), ids); n != 1 || err != nil {
		t.Errorf("confirmed %d, %v", n, err)
	}
	i, err := w.ledger.Load(t.Context(), o.Intent)
	if err != nil || i.Status != domain.StatusSucceeded || i.PaidBy != o.Attempt {
		t.Errorf("the ledger has %+v, %v", i, err)
	}
	if _, origin := w.last(other.Intent); origin.ProposedBy != user(w.finance) {
		t.Errorf("the other one is by %+v", origin)
	}

	// The acquirer's word comes between the commit and the ledger: the money stays.
	late, more := w.unknownPayment(7000), w.unknownPayment(8000)
	ids = nil
	for _, o := range []outcomes.Outcome{late, more} {
		w.settle(w.finance, o, outcomes.Failed)
		ids = append(ids, w.find(o.Key).Proposal.ID)
	}
	if n, err := w.Confirm(t.Context(), w.owner, w.live(), ids); n != 2 || err != nil {
		t.Fatalf("confirmed %d, %v", n, err)
	}
	if n, _ := w.Count(t.Context(), w.live(), 10); n != 0 {
		t.Errorf("%d that are being recorded are shown as unknown", n)
	}
	w.execute(late.Intent, domain.RecordPayment{Attempt: late.Attempt, Amount: late.Amount})
	w.recordAll()
	for id, status := range map[domain.IntentID]domain.Status{
		late.Intent: domain.StatusSucceeded, more.Intent: domain.StatusRequiresPaymentMethod,
	} {
		if i, err := w.ledger.Load(t.Context(), id); err != nil || i.Status != status {
			t.Errorf("the ledger has %s, want %s (%v)", i.Status, status, err)
		}
	}
	var states string
	row := w.pool.QueryRow(t.Context(), `SELECT string_agg(state, ',' ORDER BY state) FROM outcome_proposals`)
	if err := row.Scan(&states); err != nil || states != "overtaken,overtaken,recorded,recorded" {
		t.Errorf("the proposals are %s, %v", states, err)
	}
}

// A server that ends between the commit and the ledger leaves it to the next.
func TestTheLedgerIsToldLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var keys []outcomes.Key
	var intents []domain.IntentID
	for range 3 {
		o := w.unknownPayment(5000)
		keys, intents = append(keys, o.Key), append(intents, o.Intent)
	}
	w.prove(w.finance, outcomes.Paid, keys...)
	n, err := w.SettleProven(t.Context(), w.finance, w.live(), keys, "the statement of Monday")
	if n != (outcomes.Count{Settled: 3}) || err != nil {
		t.Fatalf("settled %+v, %v", n, err)
	}
	for _, id := range intents {
		if i, _ := w.ledger.Load(t.Context(), id); i.Status != domain.StatusProcessing {
			t.Errorf("it is %s before Run", i.Status)
		}
	}
	_, err = w.SettleProven(t.Context(), w.owner, w.live(), keys, "x")
	if !errors.Is(err, outcomes.ErrNoOutcome) {
		t.Errorf("settled again: %v", err)
	}
	w.recordAll()
	for _, id := range intents {
		if i, _ := w.ledger.Load(t.Context(), id); i.Status != domain.StatusSucceeded {
			t.Errorf("it is %s after Run", i.Status)
		}
		e, origin := w.last(id)
		if origin.Statement == "" || e.(domain.Succeeded).ProviderReference == "" {
			t.Errorf("%+v by %+v", e, origin)
		}
	}
	var left int
	if err := w.pool.QueryRow(t.Context(), `SELECT count(*) FROM statement_proofs`).Scan(&left); err != nil ||
		left != 0 {
		t.Errorf("%d proofs are left, %v", left, err)
	}
}

// prove keeps a line of a statement for each.
func (w *world) prove(by accounts.Actor, v outcomes.Verdict, keys ...outcomes.Key) {
	w.t.Helper()
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	var found []outcomes.Proof
	for n, k := range keys {
		found = append(found, outcomes.Proof{Key: k, Verdict: v, Line: n + 2, ProviderReference: "TX-" + k.Subject,
			Amount: 5000, At: &at})
	}
	if kept, err := w.Keep(w.t.Context(), by, w.live(), found); kept != len(keys) || err != nil {
		w.t.Fatalf("kept %d of %d, %v", kept, len(keys), err)
	}
}

func TestBadClaims(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	payment, refund := w.unknownPayment(5000), w.unknownRefund(3000)
	good := outcomes.Claim{Verdict: outcomes.Failed, Note: "x"}
	with := func(change func(*outcomes.Claim)) outcomes.Claim { c := good; change(&c); return c }
	noNote := with(func(c *outcomes.Claim) { c.Note = " " })
	for what, c := range map[string]struct {
		of    domain.Tenant
		key   outcomes.Key
		claim outcomes.Claim
		err   error
	}{
		"a refund that was paid": {w.live(), refund.Key,
			with(func(c *outcomes.Claim) { c.Verdict = outcomes.Paid }), outcomes.ErrVerdict},
		"a payment that went back": {w.live(), payment.Key,
			with(func(c *outcomes.Claim) { c.Verdict = outcomes.Refunded }), outcomes.ErrVerdict},
		"a long number": {w.live(), payment.Key,
			with(func(c *outcomes.Claim) { c.Reference = strings.Repeat("1", 101) }), outcomes.ErrReference},
		"the test side": {w.org.In(domain.ModeTest), payment.Key, good, outcomes.ErrNoOutcome},
		"no attempt": {w.live(), outcomes.KeyOfPayment("0123456789abcdefghjkmnpqrs"), good,
			outcomes.ErrNoOutcome},
		"no refund": {w.live(), outcomes.Key{Kind: outcomes.Refund, Subject: "x"}, good, outcomes.ErrNoOutcome},
		"no such kind": {w.live(), outcomes.Key{Kind: "order", Subject: payment.Subject}, good,
			outcomes.ErrNoOutcome},
		"another's": {accounts.OrganizationID(uuid.New()).In(domain.ModeLive), payment.Key, good,
			accounts.ErrNoOrganization},
	} {
		if _, err := w.Settle(t.Context(), w.owner, c.of, c.key, c.claim); !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", what, err, c.err)
		}
	}
	_, err := w.Settle(t.Context(), w.owner, w.live(), payment.Key, noNote)
	if _, is := errors.AsType[payments.NoteError](err); !is {
		t.Errorf("no note: %v", err)
	}
	for _, text := range []string{"", "payment:", "order:1", "refund:\n"} {
		if _, err := outcomes.ParseKey(text); !errors.Is(err, outcomes.ErrNoOutcome) {
			t.Errorf("%q is a key: %v", text, err)
		}
	}
	if k, err := outcomes.ParseKey(payment.Key.String()); k != payment.Key || err != nil {
		t.Errorf("%s is read as %s, %v", payment.Key, k, err)
	}
}

// A refund under a number that the ledger has already stays unknown, and its money reserved.
func TestARefundIsRecordedUnderItsNumberOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := w.unknownRefund(3000), w.unknownRefund(3000)
	claim := outcomes.Claim{Verdict: outcomes.Refunded, Reference: "BACK-1", Note: "in the portal"}
	if _, err := w.Settle(t.Context(), w.owner, w.live(), first.Key, claim); err != nil {
		t.Fatal(err)
	}
	w.execute(second.Intent, domain.RecordRefund{Refund: domain.RefundID(uuid.New()), Attempt: second.Attempt,
		Amount: dinars(1), ProviderReference: "BACK-2", Evidence: domain.EvidencePerson})
	for reference, want := range map[string]error{"BACK-2": refunds.ErrKnown, "BACK-3": refunds.ErrTooLarge} {
		claim.Reference = reference
		_, err := w.Settle(t.Context(), w.owner, w.live(), second.Key, claim)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", reference, err, want)
		}
	}
	r, err := w.refunds.Find(t.Context(), domain.RefundID(uuid.MustParse(second.Subject)))
	if err != nil || r.State != refunds.Unknown {
		t.Errorf("it is %+v, %v", r, err)
	}
	w.settle(w.owner, second, outcomes.Failed)
}
