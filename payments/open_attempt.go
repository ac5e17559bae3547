package payments

import (
	"context"
	"errors"
	"time"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments/attempt"
)

// OpenAttempt returns the row of the open attempt. A lost row is written again from the
// ledger, so that the acquirer is asked about it. It returns false where no attempt is open.
func (e *Engine) OpenAttempt(ctx context.Context, i domain.Intent) (attempt.Attempt, bool, error) {
	open, waits := i.OpenAttempt()
	if i.Status != domain.StatusProcessing || !waits {
		return attempt.Attempt{}, false, nil
	}
	a, err := e.attempts.find(ctx, open.ID)
	if !errors.Is(err, ErrNoAttempt) {
		return a, err == nil, err
	}
	now := e.ledger.Now()
	a, err = e.attempts.insert(ctx, attempt.Recovered(open, i.ID, locale.Arabic.String(), now))
	if err != nil {
		return attempt.Attempt{}, false, err
	}
	e.logFor(a).Error().Msg("row of an open attempt was lost; written again from the ledger")
	e.wake(a.Acquirer)
	return a, true, nil
}

// lastAttempt returns the row of the open attempt, or else of the one that began last: a
// message of the acquirer may contradict its end. It returns false where none has begun.
func (e *Engine) lastAttempt(ctx context.Context, i domain.Intent) (attempt.Attempt, bool, error) {
	a, found, err := e.OpenAttempt(ctx, i)
	if err != nil || found || len(i.Attempts) == 0 {
		return a, found, err
	}
	a, err = e.attempts.find(ctx, i.Attempts[len(i.Attempts)-1].ID)
	if errors.Is(err, ErrNoAttempt) {
		return a, false, nil
	}
	return a, err == nil, err
}

// InquireEarly makes an attempt due now, because a payer waits for the outcome. A failure is
// only logged: the attempt is asked about later anyway.
func (e *Engine) InquireEarly(
	ctx context.Context, a attempt.Attempt, expiresAt time.Time, pause time.Duration,
) {
	early, now := attempt.InquireEarly{NotSince: pause, ExpiresAt: expiresAt}, e.ledger.Now()
	if _, fits := attempt.Next(a, early, now); !fits {
		return // most of the time, and without a query
	}
	_, due, err := e.attempts.apply(ctx, a, early, now)
	if err != nil {
		e.log.Warn().Err(err).Str("attempt", string(a.ID)).Msg("attempt not asked about early")
		return
	}
	if due {
		e.wake(a.Acquirer)
	}
}

// LateReports reports whether the acquirer is being asked about one of the attempts of an
// ended intent, and whether one of them is set aside for an operator.
func (e *Engine) LateReports(ctx context.Context, i domain.Intent) (asking, aside bool, err error) {
	ids := make([]domain.AttemptID, len(i.Attempts))
	for n, a := range i.Attempts {
		ids[n] = a.ID
	}
	return e.attempts.lateReports(ctx, i.ID, ids)
}
