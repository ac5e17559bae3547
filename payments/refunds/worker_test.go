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

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/payments/acquirer"
	"daftar/payments/refunds"
)

// requestRefund orders a refund of all of a new payment.
func (h *env) requestRefund() refunds.Refund {
	h.t.Helper()
	i, _ := h.paidBy("bank")
	r, err := h.order(refunds.Order{Intent: i.ID, ByAcquirer: true})
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// rename changes the type of an event of the refund's intent, to one that this release does not
// know, or back.
func (h *env) rename(r refunds.Refund, from, to string) {
	h.t.Helper()
	err := pgx.BeginFunc(h.t.Context(), pgtest.Open(h.t, h.db.SuperuserURL(), postgres.Options{}),
		func(tx pgx.Tx) error {
			if _, err := tx.Exec(h.t.Context(), `ALTER TABLE events DISABLE TRIGGER USER`); err != nil {
				return err
			}
			err := postgres.One(tx.Exec(h.t.Context(),
				`UPDATE events SET type = $3 WHERE stream_id = $1 AND version = 2 AND type = $2`,
				uuid.UUID(r.Intent), from, to))
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

// An intent that a server cannot read delays its own refund and no other; the error has the
// refund's id.
func TestUnreadableIntentDelaysNoOther(t *testing.T) {
	t.Parallel()
	h := newEnv(t)
	stuck := h.requestRefund()
	h.rename(stuck, domain.TypeAttemptStarted, "intent.of_a_later_release")
	other := h.requestRefund()
	worked, err := h.worker.Step(t.Context())
	if !worked || !errors.Is(err, domain.ErrUnknownEvent) || !strings.Contains(err.Error(), stuck.ID.String()) {
		t.Errorf("worked %t, %v; want the refund and why", worked, err)
	}
	h.wantState(stuck.ID, refunds.Requested, "")
	h.runSteps(h.server) // without the one that waits for its turn
	h.wantState(other.ID, refunds.Recorded, "")
	later := h.startServer(time.Hour)
	if worked, err := later.worker.Step(t.Context()); !worked || err == nil {
		t.Errorf("an hour later: worked %t, %v", worked, err)
	}
	h.rename(stuck, "intent.of_a_later_release", domain.TypeAttemptStarted)
	h.runSteps(later)
	h.wantState(stuck.ID, refunds.Requested, "") // its next turn is in five minutes
	h.runSteps(h.startServer(time.Hour + 6*time.Minute))
	h.wantState(stuck.ID, refunds.Recorded, "")
	if h.asked.Load() != 2 {
		t.Errorf("the acquirer was asked %d times", h.asked.Load())
	}
}

// The worker logs a refund that it cannot carry out, once a turn, and continues.
func TestRefundsAfterAnUnreadableIntent(t *testing.T) {
	t.Parallel()
	h := newEnv(t)
	stuck := h.requestRefund()
	h.rename(stuck, domain.TypeAttemptStarted, "intent.of_a_later_release")
	var others []refunds.Refund
	for range 5 {
		others = append(others, h.requestRefund())
	}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { h.worker.Run(ctx) })
	for _, r := range others {
		pgtest.WaitFor(t, "the refunds after it", func() bool {
			now, err := h.Find(t.Context(), r.ID)
			return err == nil && now.State == refunds.Recorded
		})
	}
	stop()
	running.Wait()
	logged := 0
	for line := range strings.Lines(h.logged.String()) {
		if strings.Contains(line, `"refunds are not carried out"`) &&
			strings.Contains(line, stuck.ID.String()) &&
			strings.Contains(line, "unknown event") {
			logged++
		}
	}
	if logged == 0 || logged > 5 {
		t.Errorf("logged %d times:\n%s", logged, h.logged.String())
	}
}

// A person ended the refund while the acquirer was asked: the worker logs that the answer is not
// written to the row at first. The money that went back is in the ledger, and then in the row.
func TestARefundThatEndedMeanwhile(t *testing.T) {
	t.Parallel()
	h := newEnv(t)
	r := h.requestRefund()
	h.answer = func(_ domain.Intent, _ domain.AttemptID, amount domain.Money) (acquirer.Refunded, error) {
		_, err := h.pool.Exec(t.Context(), `UPDATE refunds SET state = 'unknown' WHERE uuid = $1`, r.ID)
		if err != nil {
			t.Error(err)
		}
		_, err = h.Settle(t.Context(), operator, h.org, r.ID, refunds.NotRefunded, "", "not seen")
		if err != nil {
			t.Error(err)
		}
		return acquirer.Refunded{Money: amount, ProviderReference: "BACK-LATE"}, nil
	}
	worked, err := h.worker.Step(t.Context())
	if !worked || err != nil {
		t.Errorf("worked %t, %v", worked, err)
	}
	if !strings.Contains(h.logged.String(), "is not written down") {
		t.Errorf("logged:\n%s", h.logged.String())
	}
	h.wantState(r.ID, refunds.Recorded, "")
	if back := h.load(r.Intent).Refunds; len(back) != 1 || back[0].ProviderReference != "BACK-LATE" {
		t.Errorf("the ledger has %+v", back)
	}
}

// A server that stops cancels a call to an acquirer that does not answer. The refund is unknown, as
// after a crash, and no server asks again.
func TestStoppingCancelsACall(t *testing.T) {
	t.Parallel()
	h := newEnv(t)
	r := h.requestRefund()
	asking := make(chan struct{})
	ask := func(
		ctx context.Context, _ domain.Intent, _ domain.AttemptID, _ domain.Money,
	) (acquirer.Refunded, error) {
		close(asking) // a second time panics
		<-ctx.Done()
		return acquirer.Refunded{}, ctx.Err()
	}
	w := refunds.NewWorker(h.Operations, ask, nil, zerolog.Nop(), nil)
	w.CancelAtOnce()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { w.Run(ctx) })
	<-asking
	stop()
	running.Wait()
	h.wantState(r.ID, refunds.Unknown, refunds.ServerEnded)
	h.runSteps(h.startServer(time.Hour))
	h.wantState(r.ID, refunds.Unknown, refunds.ServerEnded)
	if h.asked.Load() != 0 {
		t.Error("the acquirer was asked again")
	}
}

// An acquirer that does not answer for one application delays few of its refunds, and none of
// another's.
func TestSilenceDelaysFew(t *testing.T) {
	t.Parallel()
	h := newEnv(t)
	silent := h.app
	const many = 20 // more than a server carries out at a time
	for range many {
		h.requestRefund()
	}
	h.app = h.applicationOf(h.org, "another")
	other := h.requestRefund()
	end := make(chan struct{})
	h.answer = func(i domain.Intent, _ domain.AttemptID, amount domain.Money) (acquirer.Refunded, error) {
		if i.Application == silent {
			<-end
		}
		return acquirer.Refunded{Money: amount, ProviderReference: uuid.NewString()}, nil
	}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { h.worker.Run(ctx) })
	pgtest.WaitFor(t, "the refund of the other application", func() bool {
		now, err := h.Find(t.Context(), other.ID)
		return err == nil && now.State == refunds.Recorded
	})
	asking, err := h.List(t.Context(), refunds.Asking)
	if err != nil || len(asking) == 0 || len(asking) > 4 {
		t.Errorf("%d refunds of the silent one are being asked for, %v; want 1 to 4", len(asking), err)
	}
	close(end)
	pgtest.WaitFor(t, "all refunds", func() bool {
		recorded, err := h.List(t.Context(), refunds.Recorded)
		return err == nil && len(recorded) == many+1
	})
	stop()
	running.Wait()
}
