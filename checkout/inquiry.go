package checkout

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"daftar/checkout/attempt"
	"daftar/domain"
	"daftar/internal/worker"
	"daftar/ledger"
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

// wake wakes Run: an attempt of the acquirer is due.
func (c *Checkout) wake(name string) {
	for _, q := range c.queues {
		if q.name == name {
			q.woken.Set()
		}
	}
}

// Run asks acquirers what became of attempts whose outcome is not known, until
// ctx ends. It returns when no inquiry is under way any more.
func (c *Checkout) Run(ctx context.Context) {
	var working sync.WaitGroup
	defer working.Wait()
	for _, q := range c.queues {
		working.Go(func() { c.work(ctx, q) })
	}
	working.Go(func() { c.wakeWhenDue(ctx) })
	working.Go(func() { c.repeat(ctx, sweepEvery, "old usage is not deleted", c.sweepUsage) })
	c.repeat(ctx, countEvery, "attempts are not counted", c.countAttempts)
}

// repeat does something now and then until ctx ends, and says where it fails.
func (c *Checkout) repeat(ctx context.Context, every time.Duration, failed string, do func(context.Context) error) {
	for {
		if err := do(ctx); err != nil && ctx.Err() == nil {
			c.log.Warn().Err(err).Msg(failed)
		}
		if !worker.Sleep(ctx, every) {
			return
		}
	}
}

// work asks one acquirer, until ctx ends.
func (c *Checkout) work(ctx context.Context, q *queue) {
	var underWay sync.WaitGroup
	defer underWay.Wait()
	backoff := worker.Backoff{First: pollEvery, Longest: longestPause}
	for {
		err := c.inquireDue(ctx, q, &underWay)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			pause := backoff.Next()
			c.log.Warn().Err(err).Str("acquirer", q.name).Int("failures", backoff.Failures()).Msg("due attempts cannot be read")
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
func (c *Checkout) wakeWhenDue(ctx context.Context) {
	names := make([]string, len(c.queues))
	for n, q := range c.queues {
		names[n] = q.name
	}
	backoff := worker.Backoff{First: pollEvery, Longest: longestPause}
	for pause := worker.ToTick(pollEvery); len(names) > 0 && worker.Sleep(ctx, pause); {
		asking, cancel := context.WithTimeout(ctx, storeLimit)
		due, err := c.attempts.due(asking, c.now(), names)
		cancel()
		if err != nil && ctx.Err() == nil {
			pause = backoff.Next()
			c.log.Warn().Err(err).Int("failures", backoff.Failures()).Msg("due attempts are not looked for")
			continue
		}
		backoff.Reset()
		pause = worker.ToTick(pollEvery)
		for _, name := range due {
			c.wake(name)
		}
	}
}

// inquireDue starts an inquiry for each attempt that is due, as far as there is room.
func (c *Checkout) inquireDue(ctx context.Context, q *queue, underWay *sync.WaitGroup) error {
	now := c.now()
	claiming, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	due, err := c.attempts.claimDue(claiming, q, now, now.Add(inquiryLease))
	if err != nil {
		return err
	}
	for _, a := range due {
		q.began(a.Organization)
		underWay.Go(func() {
			defer q.ended(a.Organization)
			c.inquireSafely(ctx, a.Attempt)
		})
	}
	return nil
}

// inquireSafely keeps the server alive whatever an adapter does. What fails here
// is tried again when the lease is over.
func (c *Checkout) inquireSafely(ctx context.Context, a attempt.Attempt) {
	defer func() {
		if cause := recover(); cause != nil {
			c.logFor(a).Error().Str("panic", fmt.Sprint(cause)).Bytes("stack", debug.Stack()).Msg("panic in an inquiry")
		}
	}()
	if err := c.inquire(ctx, a); err != nil && ctx.Err() == nil {
		c.logFor(a).Warn().Err(err).Msg("attempt not settled")
	}
}

// inquire asks about one attempt, outside of any transaction.
func (c *Checkout) inquire(ctx context.Context, a attempt.Attempt) error {
	loading, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	i, err := c.ledger.Load(loading, a.Intent)
	if err != nil && !errors.Is(err, ledger.ErrNotFound) {
		return err
	}
	known, begun := i.Attempt(a.ID)
	if !begun {
		return c.report(ctx, a, attempt.NeverBegun(a, i.ExpiresAt, c.now()))
	}
	o, ours, err := c.optionOf(loading, a, i)
	switch {
	case err != nil:
		return err
	case known.State == domain.AttemptStatePaid && !o.PaidRepeatedly:
		return c.report(ctx, a, attempt.Paid(a.Claim(i.ExpiresAt)))
	case !ours:
		return c.report(ctx, a, attempt.Disputed{
			Claim: a.Claim(i.ExpiresAt), Trouble: attempt.Trouble{Kind: attempt.TroubleNoAccount, Acquirer: a.Acquirer}.Stored(),
		})
	case !o.Inquiry:
		return c.recordFinding(ctx, a, i, attempt.Unaskable(a, i, o.Capability, c.now()))
	}
	// inquiryLease has room for acquirerLimit only.
	asking, cancel := context.WithTimeout(ctx, min(o.limit(), acquirerLimit))
	defer cancel()
	report, err := o.by.Inquire(asking, a.Ref(o.Capability, i.Amount))
	if ctx.Err() != nil {
		return ctx.Err() // the server is stopping; the next one asks
	}
	if err != nil {
		return errors.Join(err, c.report(ctx, a, attempt.Unanswered{Claim: a.Claim(i.ExpiresAt)}))
	}
	finding := attempt.Find(a, i, report, c.now())
	if o.PaidRepeatedly {
		finding = finding.Watched(a, i, c.now())
	}
	return c.recordFinding(ctx, a, i, finding)
}
