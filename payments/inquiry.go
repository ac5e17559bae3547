package payments

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"daftar/domain"
	"daftar/internal/worker"
	"daftar/ledger"
	"daftar/payments/attempt"
)

const (
	// pollEvery is how soon a due attempt is noticed without a hint on this server.
	pollEvery = time.Second
	// inquiryLease is how long a server may take over one attempt: an inquiry, a
	// second call, and the writing down of what was learnt.
	inquiryLease = 2*acquirerLimit + 4*storeLimit
	// longestPause bounds the waiting between tries while the database is away.
	longestPause = 30 * time.Second
)

// Wake has Run look at once for attempts that are due, where it would within a second.
func (e *Engine) Wake() {
	for _, q := range e.queues {
		q.woken.Set()
	}
}

// wake wakes Run: an attempt of the acquirer is due.
func (e *Engine) wake(name string) {
	for _, q := range e.queues {
		if q.name == name {
			q.woken.Set()
		}
	}
}

// Run asks acquirers what became of attempts whose outcome is not known, until
// ctx ends. It returns when no inquiry is under way any more.
func (e *Engine) Run(ctx context.Context) {
	var working sync.WaitGroup
	defer working.Wait()
	for _, q := range e.queues {
		working.Go(func() { e.work(ctx, q) })
	}
	working.Go(func() { e.wakeWhenDue(ctx) })
	working.Go(func() { e.repeat(ctx, sweepEvery, "old usage is not deleted", e.sweepUsage) })
	e.repeat(ctx, countEvery, "attempts are not counted", e.countAttempts)
}

// repeat does something now and then until ctx ends, and says where it fails.
func (e *Engine) repeat(ctx context.Context, every time.Duration, failed string,
	do func(context.Context) error,
) {
	for {
		if err := do(ctx); err != nil && ctx.Err() == nil {
			e.log.Warn().Err(err).Msg(failed)
		}
		if !worker.Sleep(ctx, every) {
			return
		}
	}
}

// work asks one acquirer, until ctx ends.
func (e *Engine) work(ctx context.Context, q *queue) {
	var underWay sync.WaitGroup
	defer underWay.Wait()
	backoff := worker.Backoff{First: pollEvery, Longest: longestPause}
	for {
		err := e.inquireDue(ctx, q, &underWay)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			pause := backoff.Next()
			e.log.Warn().Err(err).Str("acquirer", q.name).Int("failures",
				backoff.Failures()).Msg("due attempts cannot be read")
			worker.Sleep(ctx, pause)
			continue
		}
		backoff.Reset()
		select {
		case <-q.woken:
		case <-ctx.Done():
			return
		}
	}
}

// wakeWhenDue wakes the queues of acquirers with attempts that are due: one statement for
// all of them.
func (e *Engine) wakeWhenDue(ctx context.Context) {
	names := make([]string, len(e.queues))
	for n, q := range e.queues {
		names[n] = q.name
	}
	backoff := worker.Backoff{First: pollEvery, Longest: longestPause}
	for pause := worker.ToTick(pollEvery); len(names) > 0 && worker.Sleep(ctx, pause); {
		asking, cancel := context.WithTimeout(ctx, storeLimit)
		due, err := e.attempts.due(asking, e.ledger.Now(), names)
		cancel()
		if err != nil && ctx.Err() == nil {
			pause = backoff.Next()
			e.log.Warn().Err(err).Int("failures", backoff.Failures()).Msg("due attempts are not looked for")
			continue
		}
		backoff.Reset()
		pause = worker.ToTick(pollEvery)
		for _, name := range due {
			e.wake(name)
		}
	}
}

// inquireDue starts an inquiry for each attempt that is due, as far as there is room.
func (e *Engine) inquireDue(ctx context.Context, q *queue, underWay *sync.WaitGroup) error {
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

// inquireSafely keeps the server alive whatever an adapter does. What fails here
// is tried again when the lease is over.
func (e *Engine) inquireSafely(ctx context.Context, a attempt.Attempt) {
	defer func() {
		if cause := recover(); cause != nil {
			e.logFor(a).Error().Str("panic", fmt.Sprint(cause)).Bytes("stack",
				debug.Stack()).Msg("panic in an inquiry")
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
			Claim: a.Claim(i.ExpiresAt), Trouble: attempt.Trouble{Kind: attempt.TroubleNoAccount, Acquirer: a.Acquirer}.Stored(),
		})
	case !o.Inquiry:
		return e.recordFinding(ctx, a, i, attempt.Unaskable(a, i, o.Capability, e.ledger.Now()))
	}
	// inquiryLease has room for acquirerLimit only.
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
		finding = finding.Watched(a, i, e.ledger.Now())
	}
	return e.recordFinding(ctx, a, i, finding)
}
