package refunds_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/payments/acquirer"
	"daftar/payments/refunds"
)

// requested is a refund of a new payment, of all of it.
func (h *house) requested() refunds.Refund {
	h.t.Helper()
	i, _ := h.paidBy("bank")
	r, err := h.asks(refunds.Order{Intent: i.ID, ByAcquirer: true})
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// rename makes an event of the refund's intent one that this release does not know, or turns it back.
func (h *house) rename(r refunds.Refund, from, to string) {
	h.t.Helper()
	err := pgx.BeginFunc(h.t.Context(), pgtest.Open(h.t, h.db.SuperuserURL(), postgres.Options{}),
		func(tx pgx.Tx) error {
			if _, err := tx.Exec(h.t.Context(), `ALTER TABLE events DISABLE TRIGGER USER`); err != nil {
				return err
			}
			err := postgres.One(tx.Exec(h.t.Context(),
				`UPDATE events SET type = $3 WHERE stream_id = $1 AND version = 2 AND type = $2`, uuid.UUID(r.Intent), from, to))
			if err != nil {
				return err
			}
			_, err = tx.Exec(h.t.Context(), `ALTER TABLE events ENABLE TRIGGER USER`)
			return err
		})
	if err != nil {
		h.t.Fatal(err)
	}
}

// An intent that a server cannot read keeps its own refund waiting and no other; the error has the
// refund's number.
func TestOneThatCannotBeReadKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	stuck := h.requested()
	h.rename(stuck, domain.TypeAttemptStarted, "intent.of_a_later_release")
	other := h.requested()
	if worked, err := h.worker.Step(t.Context()); !worked || !errors.Is(err, domain.ErrUnknownEvent) ||
		!strings.Contains(err.Error(), stuck.ID.String()) {
		t.Errorf("worked %t, %v; want the refund and why", worked, err)
	}
	h.is(stuck.ID, refunds.Requested, "")
	h.steps(h.server) // without the one that waits for its turn
	h.is(other.ID, refunds.Recorded, "")
	later := h.serve(time.Hour)
	if worked, err := later.worker.Step(t.Context()); !worked || err == nil {
		t.Errorf("an hour later: worked %t, %v", worked, err)
	}
	h.rename(stuck, "intent.of_a_later_release", domain.TypeAttemptStarted)
	h.steps(later)
	h.is(stuck.ID, refunds.Requested, "") // its next turn is in five minutes
	h.steps(h.serve(time.Hour + 6*time.Minute))
	h.is(stuck.ID, refunds.Recorded, "")
	if h.asked.Load() != 2 {
		t.Errorf("the acquirer was asked %d times", h.asked.Load())
	}
}

// The worker says which refund it cannot carry out, once a turn, and goes on.
func TestRefundsBehindOneThatCannotBeRead(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	stuck := h.requested()
	h.rename(stuck, domain.TypeAttemptStarted, "intent.of_a_later_release")
	var others []refunds.Refund
	for range 5 {
		others = append(others, h.requested())
	}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { h.worker.Run(ctx) })
	for _, r := range others {
		pgtest.WaitFor(t, "the refunds behind it", func() bool {
			now, err := h.Find(t.Context(), r.ID)
			return err == nil && now.State == refunds.Recorded
		})
	}
	stop()
	running.Wait()
	said := 0
	for line := range strings.Lines(h.logged.String()) {
		if strings.Contains(line, `"refunds are not carried out"`) &&
			strings.Contains(line, stuck.ID.String()) &&
			strings.Contains(line, "unknown event") {
			said++
		}
	}
	if said == 0 || said > 5 {
		t.Errorf("said %d times:\n%s", said, h.logged.String())
	}
}

// Somebody ended the refund while the acquirer was asked: that its answer is not written is said,
// and what went back is in the ledger.
func TestARefundThatEndedMeanwhile(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	r := h.requested()
	h.answer = func(_ domain.Intent, _ domain.AttemptID, amount domain.Money) (acquirer.Refunded, error) {
		if _, err := h.pool.Exec(t.Context(), `UPDATE refunds SET state = 'unknown' WHERE uuid = $1`,
			r.ID); err != nil {
			t.Error(err)
		}
		if _, err := h.Settle(t.Context(), h.people[accounts.RoleOwner], h.org, r.ID, refunds.NotRefunded, "",
			"not seen"); err != nil {
			t.Error(err)
		}
		return acquirer.Refunded{Money: amount, ProviderReference: "BACK-LATE"}, nil
	}
	if worked, err := h.worker.Step(t.Context()); !worked || err == nil ||
		!strings.Contains(err.Error(), r.ID.String()) {
		t.Errorf("worked %t, %v", worked, err)
	}
	if !strings.Contains(h.logged.String(), "is not written down") {
		t.Errorf("logged:\n%s", h.logged.String())
	}
	h.is(r.ID, refunds.Failed, refunds.PersonDenied)
	if back := h.load(r.Intent).Refunds; len(back) != 1 || back[0].ProviderReference != "BACK-LATE" {
		t.Errorf("the ledger has %+v", back)
	}
}

// A server that stops cuts an acquirer off that does not answer; the refund is unknown, as after a
// kill, and nobody asks again.
func TestStoppingCutsAnAcquirerOff(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	r := h.requested()
	asking := make(chan struct{})
	ask := func(ctx context.Context, _ domain.Intent, _ domain.AttemptID,
		_ domain.Money) (acquirer.Refunded, error) {
		close(asking) // a second time panics
		<-ctx.Done()
		return acquirer.Refunded{}, ctx.Err()
	}
	w := refunds.NewWorker(h.Desk, ask, zerolog.Nop(), nil)
	w.CutOffAtOnce()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { w.Run(ctx) })
	<-asking
	stop()
	running.Wait()
	h.is(r.ID, refunds.Unknown, refunds.ServerEnded)
	h.steps(h.serve(time.Hour))
	h.is(r.ID, refunds.Unknown, refunds.ServerEnded)
	if h.asked.Load() != 0 {
		t.Error("the acquirer was asked again")
	}
}
