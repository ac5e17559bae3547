package settlements_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/books"
	"daftar/domain"
	"daftar/ledger"
	"daftar/payments"
	"daftar/payments/outcomes"
	"daftar/payments/settlements"
)

// Finance accepts a statement. The event has who did it; the payments are covered.
func TestAccept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.sale(5000)
	d := w.lay("week.csv", e, w.sale(7000))
	state, err := w.accept(w.finance, d)
	if err != nil || state != outcomes.Recorded {
		t.Fatal(state, err)
	}
	covering, err := w.Covering(t.Context(), w.tenant(), e.Intent, e.At.Add(-time.Minute))
	if err != nil || len(covering) != 1 {
		t.Fatal(covering, err)
	}
	s := covering[0]
	if s.File != "week.csv" || s.SHA256 != hash("week.csv") || s.Now.Gross != 12000 || s.Now.Fees != 10 ||
		s.Now.Net != 11990 || s.Now.ValueDate != day || len(s.Shares) != 2 || s.ExpectedFees != nil ||
		s.Changes[0].Actor != "finance@ours.example" || s.Changes[0].ProposedBy != "" {
		t.Errorf("%+v", s)
	}
	if waiting, err := w.Waiting(t.Context(), w.tenant(), 10); err != nil || len(waiting) > 0 {
		t.Errorf("%v wait, %v", waiting, err)
	}
	if got := w.trail(settlements.ActionAccept); !slices.Equal(got, []string{"done"}) {
		t.Errorf("the trail has %q", got)
	}
}

// Neither a file nor a payment is accepted twice, and nothing that differs from what was shown. Each refusal
// is in the audit trail, and changes nothing.
func TestNothingIsAcceptedTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := w.sale(5000), w.sale(7000)
	shown := w.lay("two", first, second)
	digest, err := shown.Digest()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.accept(w.finance, w.lay("one", first)); err != nil {
		t.Fatal(err)
	}
	again := w.lay("one", first, second)
	if _, err := w.accept(w.finance, again); !errors.Is(err, books.RefusedStatementKnown) ||
		len(again.Accepted) != 1 {
		t.Errorf("the same file: %v, %v", again.Accepted, err)
	}
	if _, err := w.accept(w.finance, shown); !errors.Is(err, books.RefusedCovered) {
		t.Errorf("a payment twice: %v", err)
	}
	fees := int64(0)
	now, terms := w.lay("two", first, second), settlements.Terms{ValueDate: day, Fees: &fees}
	if _, err := w.Accept(t.Context(), w.finance, now, terms, digest); !errors.Is(err, settlements.ErrChanged) {
		t.Errorf("changed books: %v", err)
	}
	if len(now.Covered) != 1 || now.Covered[0].Intent != [16]byte(first.Intent) ||
		len(now.Settlements[0].Shares) != 1 {
		t.Errorf("%+v", now)
	}
	if _, err := w.accept(w.finance, w.lay("three", first)); !errors.Is(err, settlements.ErrNothing) {
		t.Errorf("nothing: %v", err)
	}
	want := []string{
		"failed " + settlements.ErrNothing.Error(), "failed " + settlements.ErrChanged.Error(),
		"failed share_covered", "failed statement_known", "done",
	}
	if got := w.trail(settlements.ActionAccept); !slices.Equal(got, want) {
		t.Errorf("the trail has %q, not %q", got, want)
	}
	if all, err := w.Latest(t.Context(), w.tenant(), 10); err != nil || len(all) != 1 {
		t.Errorf("%d settlements, %v", len(all), err)
	}
}

// With four eyes a second member confirms, never the first; the event has both.
func TestTwoPeople(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.twoPeople()
	ctx, of := t.Context(), w.tenant()
	e := w.sale(5000)
	if state, err := w.accept(w.finance, w.lay("one", e)); err != nil || state != outcomes.Proposed {
		t.Fatal(state, err)
	}
	if _, err := w.accept(w.owner, w.lay("one", e)); !errors.Is(err, outcomes.ErrProposed) {
		t.Errorf("the same file again: %v", err)
	}
	if _, err := w.accept(w.owner, w.lay("other", e)); err != nil { // the first of both wins
		t.Fatal(err)
	}
	waiting, err := w.Waiting(ctx, of, 10)
	if err != nil || len(waiting) != 2 || waiting[0].Proposer != "finance@ours.example" {
		t.Fatal(waiting, err)
	}
	id := waiting[0].ID
	if err := w.Confirm(ctx, w.finance, of, id); !errors.Is(err, outcomes.ErrOwn) {
		t.Errorf("one's own: %v", err)
	}
	own := `UPDATE settlement_proposals SET state = 'recording', decided_by = proposed_by`
	if _, err := w.pool.Exec(ctx, own); err == nil {
		t.Error("the table takes one's own word")
	}
	if err := w.Confirm(ctx, w.owner, of, id); err != nil {
		t.Fatal(err)
	}
	if err := w.Confirm(ctx, w.owner, of, id); !errors.Is(err, outcomes.ErrNoProposal) {
		t.Errorf("again: %v", err)
	}
	all, err := w.Latest(ctx, of, 10)
	first := ledger.ActorUser([16]byte(w.finance.User))
	if err != nil || len(all) != 1 || all[0].Changes[0].ProposedBy != first {
		t.Fatal(all, err)
	}
	other, err := w.Proposal(ctx, of, waiting[1].ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Confirm(ctx, w.finance, of, other.ID); !errors.Is(err, books.RefusedCovered) {
		t.Errorf("a payment twice: %v", err)
	}
	if covered, _, err := w.Conflicts(ctx, other); err != nil || covered[0].Settlement != all[0].Settlement {
		t.Errorf("%+v, %v", covered, err)
	}
	if err := w.Reject(ctx, w.owner, of, other.ID); !errors.Is(err, outcomes.ErrNoProposal) {
		t.Errorf("it was refused: %v", err)
	}
}

// A proposal that a server did not complete is completed by anyone with the right, once.
func TestARecordingIsCompleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.twoPeople()
	ctx, of := t.Context(), w.tenant()
	if _, err := w.accept(w.finance, w.lay("one", w.sale(5000))); err != nil {
		t.Fatal(err)
	}
	waiting, err := w.Waiting(ctx, of, 10)
	if err != nil || len(waiting) != 1 {
		t.Fatal(waiting, err)
	}
	var proposal string
	if err := w.pool.QueryRow(ctx, `SELECT proposal FROM settlement_proposals`).Scan(&proposal); err != nil {
		t.Fatal(err)
	}
	decided := strings.Replace(proposal, `"State":"proposed"`, `"State":"recording"`, 1)
	decided = strings.Replace(decided, `"DecidedBy":"00000000-0000-0000-0000-000000000000"`,
		`"DecidedBy":"`+w.owner.User.String()+`"`, 1)
	for range 2 {
		_, err := w.pool.Exec(ctx, `UPDATE settlement_proposals
			SET state = 'recording', decided_by = $1, proposal = $2`, w.owner.User, decided)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Confirm(ctx, w.finance, of, waiting[0].ID); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := w.Latest(ctx, of, 10); err != nil || len(all) != 1 {
		t.Errorf("%d settlements, %v", len(all), err)
	}
}

// Of many who confirm a proposal at once, one records it, and nobody is told that it was refused.
func TestManyConfirmAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.twoPeople()
	ctx, of := t.Context(), w.tenant()
	if _, err := w.accept(w.finance, w.lay("one", w.sale(5000))); err != nil {
		t.Fatal(err)
	}
	waiting, err := w.Waiting(ctx, of, 10)
	if err != nil || len(waiting) != 1 {
		t.Fatal(waiting, err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			err := w.Confirm(ctx, w.owner, of, waiting[0].ID)
			if err != nil && !errors.Is(err, outcomes.ErrNoProposal) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	var state string
	if err := w.pool.QueryRow(ctx, `SELECT state FROM settlement_proposals`).Scan(&state); err != nil {
		t.Fatal(err)
	}
	if latest, err := w.Latest(ctx, of, 10); err != nil || len(latest) != 1 || state != "recorded" {
		t.Errorf("%d settlements, %s, %v", len(latest), state, err)
	}
}

// Finance corrects a settlement with a note, and withdraws it: its payments and its file are open again.
func TestCorrect(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, e := t.Context(), w.sale(5000)
	if _, err := w.accept(w.finance, w.lay("one", e)); err != nil {
		t.Fatal(err)
	}
	all, err := w.Latest(ctx, w.tenant(), 1)
	if err != nil {
		t.Fatal(err)
	}
	c := books.CorrectSettlement{ID: all[0].Settlement, ValueDate: day.Add(1), Fees: 20, Net: 4980}
	if _, err := w.Record(ctx, w.finance, w.key(), c, " "); !errors.As(err, new(payments.NoteError)) {
		t.Errorf("without a note: %v", err)
	}
	if _, err := w.Record(ctx, w.finance, w.key(), c, "the bank says so"); err != nil {
		t.Fatal(err)
	}
	s, err := w.Find(ctx, w.key(), c.ID)
	if err != nil || s.Now.Fees != 20 || s.Now.ValueDate != day.Add(1) || len(s.Changes) != 2 ||
		s.Changes[1].Note != "the bank says so" {
		t.Fatalf("%+v, %v", s, err)
	}
	c.Withdraw = true
	if _, err := w.Record(ctx, w.finance, w.key(), c, "of another shop"); err != nil {
		t.Fatal(err)
	}
	if covering, err := w.Covering(ctx, w.tenant(), e.Intent, time.Time{}); err != nil || len(covering) > 0 {
		t.Errorf("%+v, %v", covering, err)
	}
	if _, err := w.accept(w.finance, w.lay("one", e)); err != nil {
		t.Errorf("accepted again: %v", err)
	}
}

// The contract's fee on record is expected; a proposal that it changes is refused.
func TestExpectedFees(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, of, e := t.Context(), w.tenant(), w.sale(5000)
	fee := books.ScheduleFee{Method: "adfali", From: domain.DayOf(e.At).Add(-1), Rate: 100}
	if _, err := w.Record(ctx, w.finance, w.key(), fee, "contract of 2026"); err != nil {
		t.Fatal(err)
	}
	w.twoPeople()
	d := w.lay("one", e)
	if expected := d.Settlements[0].ExpectedFees; expected == nil || *expected != 50 {
		t.Fatalf("expected: %v", expected)
	}
	if _, err := w.accept(w.finance, d); err != nil {
		t.Fatal(err)
	}
	fee.Rate = 200
	if _, err := w.Record(ctx, w.finance, w.key(), fee, "it rose"); err != nil {
		t.Fatal(err)
	}
	waiting, err := w.Waiting(ctx, of, 10)
	if err != nil || len(waiting) != 2 {
		t.Fatal(waiting, err)
	}
	if err := w.Confirm(ctx, w.owner, of, waiting[1].ID); err != nil {
		t.Fatal(err)
	}
	if err := w.Confirm(ctx, w.owner, of, waiting[0].ID); !errors.Is(err, settlements.ErrChanged) {
		t.Errorf("the contract changed: %v", err)
	}
}

// Owners and finance keep books, of their own organisation alone; attempts of others are in the trail.
func TestWhoKeepsBooks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.sale(5000)
	for _, role := range []accounts.Role{accounts.RoleDeveloper, accounts.RoleSupport, accounts.RoleViewer} {
		if _, err := w.accept(w.person(role), w.lay("one", e)); !errors.Is(err, accounts.ErrForbidden) {
			t.Errorf("%s: %v", role, err)
		}
	}
	if _, err := w.accept(operator, w.lay("one", e)); !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("an operator: %v", err)
	}
	other, err := w.accounts.CreateOrganization(t.Context(), operator, "other")
	if err != nil {
		t.Fatal(err)
	}
	theirs := w.lay("one", e)
	theirs.Key = books.KeyOf(other.ID.In(domain.ModeLive), "plutu")
	if _, err := w.accept(w.owner, theirs); !errors.Is(err, accounts.ErrNoOrganization) {
		t.Errorf("another organisation: %v", err)
	}
	if got := w.trail(accounts.ActionAccess); len(got) != 3 {
		t.Errorf("the trail has %q", got)
	}
}
