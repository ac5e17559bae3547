package refunds_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/payments/decisions"
	"daftar/payments/refunds"
	"daftar/projections"
	"daftar/projections/rebuild"
)

// Servers crash and read models are rebuilt while people refund and decide in random order: what a
// refund has decided stays decided, once.
func TestARefundsDecisionIsKept(t *testing.T) {
	t.Parallel()
	decisionsAreKept(t, 40)
}

func decisionsAreKept(t *testing.T, runs int) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	d := newCrashEnv(t)
	for n := range runs {
		d.random = rand.New(rand.NewPCG(seed, uint64(n)))
		d.runOnce(t)
		if t.Failed() {
			t.Fatalf("run %d of seed %d", n, seed)
		}
	}
	for _, m := range projections.Models() {
		report, err := rebuild.Verify(t.Context(), d.pool, m, func(int64, int64) {})
		if err != nil || !report.OK {
			t.Errorf("verify %s: %+v, %v", m.Name, report, err)
		}
	}
	t.Logf("%d runs: %v", runs, d.seen)
}

// step runs one step of the worker, which a crash may end.
func (d *crashEnv) step() {
	defer func() {
		if r := recover(); r != nil && r != any(killed{}) {
			panic(r)
		}
	}()
	if _, err := d.worker.Step(d.t.Context()); err != nil {
		d.t.Error(err)
	}
}

// runOnce creates an intent that was paid twice, and then people, servers and the group act on it
// at random.
func (d *crashEnv) runOnce(t *testing.T) {
	t.Helper()
	i, attempts := d.paidBy("bank", "bank")
	of := attempts[0]
	decided := false
	d.byBank = false
	clear(d.gave)
	for range 4 + d.random.IntN(14) {
		switch d.random.IntN(10) {
		case 0, 9:
			d.feed(1+d.random.IntN(9), false)
		case 1:
			d.feed(1+d.random.IntN(4), true)
		case 2, 3:
			d.refund(i.ID, of)
		case 4:
			d.crashAt = pick(d.random,
				"", "before it is asked", "after its answer", "before the row", "after the row")
			d.step()
			d.crashAt = ""
		case 5:
			d.lapseLeases(of)
		case 6:
			d.settle(of)
		case 7:
			decided = d.decide(i.ID, of) || decided
		case 8:
			if d.random.IntN(6) == 0 {
				d.rebuild()
			}
		}
	}
	for waits := true; waits; waits = d.underWay(of) || d.unrecorded(of) {
		d.lapseLeases(of)
		d.step()
		d.settle(of)
	}
	d.feed(1000, false)
	d.check(i.ID, of, decided)
	if d.random.IntN(10) == 0 {
		d.rebuild()
		d.check(i.ID, of, decided)
	}
}

func pick(r *rand.Rand, all ...string) string { return all[r.IntN(len(all))] }

// underWay reports whether a refund of the attempt has not ended.
func (d *crashEnv) underWay(of domain.AttemptID) (open bool) {
	d.t.Helper()
	const sql = `SELECT EXISTS (SELECT FROM refunds WHERE attempt = $1 AND ended_at IS NULL)`
	if err := d.pool.QueryRow(d.t.Context(), sql, of).Scan(&open); err != nil {
		d.t.Fatal(err)
	}
	return open
}

// unrecorded reports whether the ledger is yet to be told of a failed refund of the attempt.
func (d *crashEnv) unrecorded(of domain.AttemptID) (waits bool) {
	d.t.Helper()
	const sql = `SELECT EXISTS (SELECT FROM refunds WHERE attempt = $1 AND unrecorded = 'failure')`
	if err := d.pool.QueryRow(d.t.Context(), sql, of).Scan(&waits); err != nil {
		d.t.Fatal(err)
	}
	return waits
}

// lapseLeases lets two minutes pass for the refunds of an attempt.
func (d *crashEnv) lapseLeases(of domain.AttemptID) {
	d.t.Helper()
	const sql = `
		UPDATE refunds
		SET busy_until = busy_until - interval '2 minutes', requested_at = requested_at - interval '2 minutes',
		    ended_at = ended_at - interval '2 minutes'
		WHERE attempt = $1
		  AND (ended_at IS NULL OR unrecorded = 'failure')`
	if _, err := d.pool.Exec(d.t.Context(), sql, of); err != nil {
		d.t.Fatal(err)
	}
}

// refund requests some of the money, or records that it went back.
func (d *crashEnv) refund(id domain.IntentID, of domain.AttemptID) {
	o := refunds.Order{
		Intent: id, Attempt: of, ByAcquirer: d.random.IntN(2) == 0,
		ProviderReference: uuid.NewString(), Note: "n",
	}
	if d.random.IntN(2) == 0 {
		part := dinars(1 + d.random.Int64N(9))
		o.Amount = &part
	}
	ctx, cancel := context.WithCancel(d.t.Context())
	defer cancel()
	if !o.ByAcquirer && d.random.IntN(2) == 0 {
		d.crashAt, d.stop = pick(d.random, "before the ledger", "before the row", "after the row"), cancel
	}
	defer func() {
		d.crashAt = ""
		if r := recover(); r != nil && r != any(killed{}) {
			panic(r)
		}
	}()
	_, err := d.operations.Request(ctx, d.people[accounts.RoleOwner], d.org, o)
	if o.ByAcquirer && d.byBank && err == nil {
		d.t.Error("the acquirer is to give back what went back by bank")
	}
	switch {
	case err == nil, ctx.Err() != nil, errors.Is(err, refunds.ErrGivenBack) && d.byBank,
		errors.Is(err, refunds.ErrUnderWay), errors.Is(err, refunds.ErrNothingPaid),
		errors.Is(err, refunds.ErrTooLarge):
	default:
		d.t.Error(err)
	}
}

// settle gives a person's verdict on unknown refunds, from the acquirer's books.
func (d *crashEnv) settle(of domain.AttemptID) {
	d.t.Helper()
	unknown, err := d.List(d.t.Context(), refunds.Unknown)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, r := range unknown {
		if r.Attempt != of {
			continue
		}
		verdict, reference := refunds.NotRefunded, ""
		if back, gave := d.gave[r.ID]; gave {
			verdict, reference = refunds.Refunded, back
		}
		if _, err := d.Settle(d.t.Context(), operator, d.org, r.ID, verdict, reference, "seen"); err != nil {
			d.t.Error(err)
		}
	}
}

// decide makes a person's decision. They may not decide that the money went back in another way
// where the ledger has a refund of it, or one is under way.
func (d *crashEnv) decide(id domain.IntentID, of domain.AttemptID) bool {
	d.t.Helper()
	kind := decisions.Kinds[d.random.IntN(3)]
	all, err := d.decisions.Exceptions(d.t.Context(), d.org.In(domain.ModeLive), id)
	if err != nil {
		d.t.Fatal(err)
	}
	if len(all) == 0 {
		return false
	}
	left, underWay := d.load(id).Refundable(of).Minor, d.underWay(of)
	err = pgx.BeginFunc(d.t.Context(), d.pool, func(tx pgx.Tx) error {
		return decisions.Decide(d.t.Context(), tx, uuid.UUID(d.org), id, all[0].Version,
			decisions.Decision{At: d.ledger.Now(), By: "x", Kind: kind, Note: "by a person"})
	})
	switch {
	case err == nil && (left == 0 || underWay && kind == decisions.Refunded):
		d.t.Errorf("decided as %s with %d left, a refund under way: %t", kind, left, underWay)
	case err != nil && !errors.Is(err, decisions.ErrDecided) && !errors.Is(err, decisions.ErrRefunding):
		d.t.Error(err)
	case errors.Is(err, decisions.ErrDecided) && left > 0 && all[0].Decision == nil:
		d.t.Errorf("with %d left and no decision: %v", left, err)
	}
	d.byBank = d.byBank || err == nil && kind == decisions.Refunded
	return err == nil
}

// check compares the pages with the ledger: the exception is in one of the two lists, once.
func (d *crashEnv) check(id domain.IntentID, of domain.AttemptID, decided bool) {
	d.t.Helper()
	i := d.load(id)
	all, err := d.decisions.Exceptions(d.t.Context(), d.org.In(domain.ModeLive), id)
	if err != nil || len(all) != 1 || all[0].Attempt != of {
		d.t.Fatalf("exceptions %+v, %v", all, err)
	}
	left, decision := i.Refundable(of).Minor, all[0].Decision
	switch {
	case (decision != nil) != (decided || left == 0):
		d.t.Errorf("%d are left, a person decided: %t; the page has %+v", left, decided, decision)
	case decision == nil:
		d.seen["open"]++
	case decided && decision.Note != "by a person":
		d.t.Errorf("a person's decision became %+v", decision)
	case decided:
		d.seen["decided by a person"]++
	default:
		d.seen["decided by a refund"]++
		known := decision.By == "owner@ours.example" || decision.By == operator.Name
		if decision.Kind != decisions.Refunded || !known ||
			decision.Reference == "" || decision.Note == "" {
			d.t.Errorf("a refund's decision is %+v", decision)
		}
	}
	listed := func(of []decisions.Exception) (n int) {
		for _, x := range of {
			if x.Intent == id {
				n++
			}
		}
		return n
	}
	open, _, errOpen := d.decisions.ToDecide(d.t.Context(), d.org.In(domain.ModeLive), 10_000)
	closed, _, errClosed := d.decisions.Decided(d.t.Context(), d.org.In(domain.ModeLive),
		decisions.Filter{}, "", 10_000)
	if err := errors.Join(errOpen, errClosed); err != nil {
		d.t.Fatal(err)
	}
	got, want := fmt.Sprint(listed(open), listed(closed)), fmt.Sprint(1-count(decision), count(decision))
	if got != want {
		d.t.Errorf("open and decided: %s, want %s", got, want)
	}
	given := int64(0)
	for _, r := range i.Refunds {
		if r.Evidence == domain.EvidenceAcquirer && d.gave[r.ID] == "" {
			d.t.Errorf("the ledger has %s, which the acquirer did not give", r.ID)
		}
		given += r.Amount.Minor
	}
	d.checkFailures(i, of)
	for id := range d.gave {
		recorded := slices.ContainsFunc(i.Refunds, func(b domain.Refund) bool { return b.ID == id })
		if r, err := d.Find(d.t.Context(), id); err != nil || r.Attempt == of && !recorded {
			d.t.Errorf("the acquirer gave %s, which the ledger lacks: %v", id, err)
		}
	}
	if given+left != i.Amount.Minor {
		d.t.Errorf("%d went back and %d are left of %d", given, left, i.Amount.Minor)
	}
}

func count(d *decisions.Decision) int {
	if d == nil {
		return 0
	}
	return 1
}

// One person requests a refund by the acquirer while another decides that the money goes back by
// bank: one of them is refused.
func TestNoTwoWaysAtOnce(t *testing.T) {
	t.Parallel()
	d := newCrashEnv(t)
	d.random = rand.New(rand.NewPCG(1, 2))
	for range 20 {
		i, attempts := d.paidBy("bank", "bank")
		d.feed(1000, false)
		all, err := d.decisions.Exceptions(t.Context(), d.org.In(domain.ModeLive), i.ID)
		if err != nil || len(all) != 1 {
			t.Fatalf("%+v, %v", all, err)
		}
		var decided, asked error
		var both sync.WaitGroup
		both.Go(func() {
			decided = pgx.BeginFunc(t.Context(), d.pool, func(tx pgx.Tx) error {
				return decisions.Decide(t.Context(), tx, uuid.UUID(d.org), i.ID, all[0].Version,
					decisions.Decision{At: d.ledger.Now(), By: "x", Kind: decisions.Refunded, Note: "by bank"})
			})
		})
		both.Go(func() {
			_, asked = d.order(refunds.Order{Intent: i.ID, Attempt: attempts[0], ByAcquirer: true})
		})
		both.Wait()
		if (decided == nil) == (asked == nil) {
			t.Errorf("decided: %v; asked: %v", decided, asked)
		}
		if decided == nil {
			d.seen["decided"]++
			if !errors.Is(asked, refunds.ErrGivenBack) {
				t.Errorf("asked: %v", asked)
			}
			// That the money went back may still be recorded in the ledger.
			o := refunds.Order{Intent: i.ID, Attempt: attempts[0], ProviderReference: "TR-1"}
			if _, err := d.order(o); err != nil {
				t.Error(err)
			}
		} else if !errors.Is(decided, decisions.ErrRefunding) {
			t.Errorf("decided: %v", decided)
		}
	}
	t.Logf("%v", d.seen)
}
