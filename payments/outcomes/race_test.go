package outcomes_test

import (
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/ledger"
	"daftar/payments/outcomes"
)

// Whatever members, servers and the acquirer do at once: nothing is settled by one person alone, and each
// outcome is recorded once, as a second person confirmed it or as the acquirer says.
func TestManySettleAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.always()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	people := []accounts.Actor{w.owner, w.finance, w.person("third", accounts.RoleOwner)}
	servers := []*outcomes.Outcomes{w.Outcomes,
		outcomes.New(w.pool, w.ledger, w.accounts, w.attempts, w.refunds)}
	var all []outcomes.Outcome
	for n := range 12 {
		if n%3 == 2 {
			all = append(all, w.unknownRefund(5000))
		} else {
			all = append(all, w.unknownPayment(5000))
		}
	}
	var working sync.WaitGroup
	for g := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, g))
		working.Go(func() {
			for range 40 {
				w.act(people[random.IntN(len(people))], servers[random.IntN(2)], all[random.IntN(len(all))], random)
			}
		})
	}
	working.Wait()
	w.recordAll()
	settled := 0
	for _, o := range all {
		settled += w.checkHistory(o)
	}
	if settled == 0 {
		t.Error("nothing was settled: the test shows nothing")
	}
}

// Of many members who say at once what became of a payment, each something else, one is heard.
func TestTheFirstWordCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	people := []accounts.Actor{w.owner, w.finance}
	for range 15 {
		o := w.unknownPayment(5000)
		var working sync.WaitGroup
		for n := range 6 {
			working.Go(func() {
				verdict := []outcomes.Verdict{outcomes.Paid, outcomes.Failed}[n%2]
				claim := outcomes.Claim{Verdict: verdict, Note: "seen"}
				_, err := w.Settle(t.Context(), people[n%2], w.live(), o.Key, claim)
				if err != nil && !errors.Is(err, outcomes.ErrNoOutcome) && !errors.Is(err, outcomes.ErrProposed) {
					t.Error(err)
				}
			})
		}
		working.Wait()
		w.recordAll()
		if n := len(w.settled(o)); n != 1 {
			t.Errorf("%d were heard", n)
		}
	}
}

// A word that is under way when the acquirer's comes waits for it, and is too late.
func TestAWordWaitsForTheAcquirers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := w.unknownPayment(5000)
	tx, err := w.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = tx.Exec(t.Context(), `UPDATE checkout_attempts SET stage = 'closed' WHERE attempt = $1`, o.Attempt)
	if err != nil {
		t.Fatal(err)
	}
	said := make(chan error, 1)
	go func() {
		_, err := w.Settle(t.Context(), w.owner, w.live(), o.Key,
			outcomes.Claim{Verdict: outcomes.Failed, Note: "seen"})
		said <- err
	}()
	for waits := false; !waits && len(said) == 0; {
		row := w.pool.QueryRow(t.Context(), `
			SELECT EXISTS (SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid)
			               WHERE NOT l.granted AND a.datname = current_database())`)
		if err := row.Scan(&waits); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-said; !errors.Is(err, outcomes.ErrNoOutcome) {
		t.Errorf("it was heard: %v", err)
	}
}

// act is one thing that somebody does with something that may be unknown.
func (w *world) act(by accounts.Actor, op *outcomes.Outcomes, o outcomes.Outcome, random *rand.Rand) {
	ctx := w.t.Context()
	verdict := []outcomes.Verdict{o.Kind.Moved(), outcomes.Failed}[random.IntN(2)]
	var err error
	switch present, missing := op.Find(ctx, w.live(), o.Key); {
	case missing != nil:
		err = missing
	case random.IntN(40) == 0 && o.Kind == outcomes.Payment:
		_, err = w.ledger.Execute(ctx, o.Intent, domain.RecordPayment{Attempt: o.Attempt, Amount: o.Amount},
			ledger.Origin{Actor: "acquirer:plutu"})
	case present.Proposal == nil:
		_, err = op.Settle(ctx, by, w.live(), o.Key, outcomes.Claim{Verdict: verdict, Note: "seen"})
	case random.IntN(4) == 0:
		err = op.Reject(ctx, by, w.live(), present.Proposal.ID)
	default:
		_, err = op.Confirm(ctx, by, w.live(), []outcomes.ProposalID{present.Proposal.ID})
	}
	for _, expected := range []error{nil, outcomes.ErrNoOutcome, outcomes.ErrProposed, outcomes.ErrNoProposal,
		outcomes.ErrOwn, outcomes.ErrPaid} {
		if errors.Is(err, expected) {
			return
		}
	}
	w.t.Errorf("%s: %v", o.Key, err)
}

// checkHistory checks who settled it, and returns how many did: one at most.
func (w *world) checkHistory(o outcomes.Outcome) int {
	w.t.Helper()
	all := w.settled(o)
	for _, origin := range all {
		if origin.ProposedBy == "" || origin.ProposedBy == origin.Actor {
			w.t.Errorf("%s: by %+v", o.Key, origin)
		}
	}
	if len(all) > 1 {
		w.t.Errorf("%s was settled %d times", o.Key, len(all))
	}
	return len(all)
}

// settled is who settled it, as the ledger has them.
func (w *world) settled(o outcomes.Outcome) (all []eventstore.Metadata) {
	w.t.Helper()
	history, err := eventstore.NewReader(w.pool).ReadStream(w.t.Context(), uuid.UUID(o.Intent))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, r := range history {
		origin, err := r.Origin()
		if err != nil {
			w.t.Fatal(err)
		}
		if origin.Note == "seen" {
			all = append(all, origin)
		}
	}
	return all
}
