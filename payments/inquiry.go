package payments

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/queue"
	"daftar/internal/worker"
	"daftar/ledger"
	"daftar/payments/attempt"
)

const (
	// pollEvery is how soon a due attempt is noticed without a hint on this server.
	pollEvery = time.Second
	// inquiryLease is how long a server may work on one attempt: an inquiry, a
	// second call, and recording the outcome.
	inquiryLease = 2*acquirerLimit + 4*storeLimit
)

// Wake makes Run look for due attempts at once instead of within a second.
func (e *Engine) Wake() {
	for _, q := range e.backlogs {
		q.woken.Set()
	}
}

// wake does the same for the named acquirers only.
func (e *Engine) wake(names ...string) {
	for _, q := range e.backlogs {
		if slices.Contains(names, q.name) {
			q.woken.Set()
		}
	}
}

// Run asks acquirers about attempts whose outcome is not known, until ctx ends. That cancels
// inquiries, which may be repeated. It returns when none is under way.
func (e *Engine) Run(ctx context.Context) {
	var working sync.WaitGroup
	defer working.Wait()
	for _, q := range e.backlogs {
		working.Go(func() { e.work(ctx, q) })
	}
	repeat := func(every time.Duration, failing string, do func(context.Context) error) {
		working.Go(func() { queue.Loop{Poll: every, Failing: failing, Log: e.log}.Repeat(ctx, do) })
	}
	working.Go(func() { e.polls.Watch(ctx, e.askForDue, func(error) { e.Wake() }) })
	repeat(sweepEvery, "old usage is not deleted", e.sweepUsage)
	repeat(countEvery, "attempts are not counted", e.countAttempts)
}

// work inquires about the due attempts of one acquirer until ctx ends.
func (e *Engine) work(ctx context.Context, q *backlog) {
	var underWay sync.WaitGroup
	defer underWay.Wait()
	queue.Loop{ // askForDue polls
		Poll: worker.SafetyPoll, Wake: q.woken, Failing: "due attempts cannot be read",
		Log: e.log.With().Str("acquirer", q.name).Logger(),
	}.Run(ctx, func(ctx context.Context) (bool, error) { return false, e.inquireDue(ctx, q, &underWay) })
}

// askForDue wakes the backlogs of acquirers with due attempts, by one statement for all of them.
func (e *Engine) askForDue(b *pgx.Batch) {
	names := make([]string, len(e.backlogs))
	for n, q := range e.backlogs {
		names[n] = q.name
	}
	b.Queue(dueAcquirersSQL, e.ledger.Now(), names).Query(func(rows pgx.Rows) error {
		due, err := pgx.CollectRows(rows, pgx.RowTo[string])
		e.wake(due...)
		return err
	})
}

// inquireDue starts an inquiry for each due attempt, up to the limit.
func (e *Engine) inquireDue(ctx context.Context, q *backlog, underWay *sync.WaitGroup) error {
	now := e.ledger.Now()
	claiming, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	due, err := e.attempts.claimDue(claiming, q, now, now.Add(inquiryLease))
	if err != nil {
		return err
	}
	for _, a := range due {
		q.began(a.Organization)
		underWay.Go(func() {
			defer q.ended(a.Organization)
			e.inquireSafely(ctx, a.Attempt)
		})
	}
	return nil
}

// inquireSafely recovers from panics of an adapter. A failed inquiry is tried again when
// the lease is over.
func (e *Engine) inquireSafely(ctx context.Context, a attempt.Attempt) {
	defer func() {
		if cause := recover(); cause != nil {
			e.logFor(a).Error().Str("panic", fmt.Sprint(cause)).Bytes("stack", debug.Stack()).
				Msg("panic in an inquiry")
		}
	}()
	if err := e.inquire(ctx, a); err != nil && ctx.Err() == nil {
		e.logFor(a).Warn().Err(err).Msg("attempt not settled")
	}
}

// inquire asks about one attempt, outside of any transaction.
func (e *Engine) inquire(ctx context.Context, a attempt.Attempt) error {
	loading, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	i, err := e.ledger.Load(loading, a.Intent)
	if err != nil && !errors.Is(err, ledger.ErrNotFound) {
		return err
	}
	known, begun := i.Attempt(a.ID)
	if !begun {
		return e.report(ctx, a, attempt.NeverBegun(a, i.ExpiresAt, e.ledger.Now()))
	}
	o, ours, err := e.OptionOf(loading, a, i)
	switch {
	case err != nil:
		return err
	case known.State == domain.AttemptStatePaid && !o.PaidRepeatedly:
		return e.report(ctx, a, attempt.Paid(a.Claim(i.ExpiresAt)))
	case !ours:
		return e.report(ctx, a, attempt.Disputed{
			Claim:   a.Claim(i.ExpiresAt),
			Trouble: attempt.Trouble{Kind: attempt.TroubleNoAccount, Acquirer: a.Acquirer}.Stored(),
		})
	case !o.Inquiry:
		return e.recordFinding(ctx, a, i, attempt.NoInquiry(a, i, o.Capability, e.ledger.Now()))
	}
	// inquiryLease allows for acquirerLimit only.
	asking, cancel := context.WithTimeout(ctx, min(o.limit(), acquirerLimit))
	defer cancel()
	report, err := o.by.Inquire(asking, a.Ref(o.Capability, i.Amount))
	if ctx.Err() != nil {
		return ctx.Err() // the server is stopping; the next one asks
	}
	if err != nil {
		return errors.Join(err, e.report(ctx, a, attempt.Unanswered{Claim: a.Claim(i.ExpiresAt)}))
	}
	finding := attempt.Find(a, i, report, e.ledger.Now())
	if o.PaidRepeatedly {
		finding = finding.WithRechecks(a, i, e.ledger.Now())
	}
	return e.recordFinding(ctx, a, i, finding)
}
