package expiry

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"daftar/domain"
	"daftar/internal/failpoint"
	"daftar/internal/worker"
	"daftar/ledger"
)

// outcome is what became of a due timer.
type outcome string

const (
	outcomeExpired  outcome = "expired"  // the intent is canceled, as of now
	outcomeClosed   outcome = "settled"  // it had been paid or canceled already
	outcomeOpen     outcome = "open"     // an attempt is open
	outcomeEarly    outcome = "early"    // the clock was set back
	outcomeFailed   outcome = "failed"   // the intent cannot be read
	outcomeReleased outcome = "released" // not handled: the database is unavailable or full, or the server stops
)

// retryPauses are the pauses of a timer whose intent has an open attempt, or cannot be read. The
// checkout cancels the intent as soon as it knows that the attempt failed; the timer is for the
// case that the checkout could not.
var retryPauses = worker.Backoff{First: 5 * time.Second, Longest: 5 * time.Minute}

// earlyGrace prevents repeated claims of a timer where two clocks differ a little.
const earlyGrace = 50 * time.Millisecond

// result is a timer as it is to be stored after it was handled, and the outcome.
type result struct {
	timer
	outcome outcome
	err     error // why it was released
}

// expireDue handles the timers, several at once. After a failure of the ledger that the
// intent did not cause, it releases the rest.
func (w *Worker) expireDue(ctx context.Context, due []timer, now time.Time) []result {
	results := make([]result, len(due))
	var next atomic.Int64
	var failing atomic.Bool
	var underWay sync.WaitGroup
	for range min(atOnce, len(due)) {
		underWay.Go(func() {
			for n := next.Add(1) - 1; n < int64(len(due)); n = next.Add(1) - 1 {
				if failing.Load() {
					results[n] = result{timer: due[n], outcome: outcomeReleased}
					continue
				}
				results[n] = w.expireOne(ctx, due[n], now)
				if results[n].outcome == outcomeReleased {
					failing.Store(true)
				}
			}
		})
	}
	underWay.Wait()
	return results
}

// expireOne sends Expire. The timer was claimed at now. It recovers from a panic, so that
// one intent cannot end the server.
func (w *Worker) expireOne(ctx context.Context, d timer, now time.Time) (r result) {
	defer func() {
		if cause := recover(); cause != nil {
			w.log.Error().Stringer("intent", d.Intent).Str("panic", fmt.Sprint(cause)).
				Bytes("stack", debug.Stack()).Msg("panic in an expiry")
			r = w.retry(d, outcomeFailed)
		}
	}()
	failpoint.Here("expiry_before_append")
	state, err := w.ledger.Execute(ctx, d.Intent, domain.Expire{Stopped: d.Stopped},
		ledger.Origin{Actor: ledger.ActorExpiry})
	switch {
	case err == nil && state.Status == domain.StatusCanceled && !state.UpdatedAt.Before(now):
		if !d.Stopped {
			w.metrics.lag.Observe(w.ledger.Now().Sub(state.ExpiresAt).Seconds())
		}
		return result{timer: d, outcome: outcomeExpired}
	case err == nil:
		return result{timer: d, outcome: outcomeClosed}
	case errors.Is(err, domain.RefusedAttemptOpen), errors.Is(err, ledger.ErrContention):
		return w.retry(d, outcomeOpen)
	case errors.Is(err, domain.RefusedNotDue):
		return w.reschedule(d, outcomeEarly, max(state.ExpiresAt.Sub(w.ledger.Now()), 0)+earlyGrace)
	case ledger.IsTransient(err):
		return result{timer: d, outcome: outcomeReleased, err: err}
	}
	w.log.Error().Err(err).Stringer("intent", d.Intent).Msg("intent cannot be expired")
	return w.retry(d, outcomeFailed)
}

// retry schedules the timer again, after a longer pause than the last time.
func (w *Worker) retry(d timer, o outcome) result {
	d.Looks++
	return w.reschedule(d, o, retryPauses.Pause(d.Looks-1))
}

func (w *Worker) reschedule(d timer, o outcome, pause time.Duration) result {
	d.DueAt = w.ledger.Now().Add(pause)
	return result{timer: d, outcome: o}
}
