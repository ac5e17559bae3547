package postgres

import (
	"context"
	"sync/atomic"
	"time"
)

const (
	// outageLimit is for how long after the beginning of an outage requests wait for its end: a
	// restart or a promotion takes a second or two. What lasts longer is said at once, so that
	// no caller is kept from knowing it.
	outageLimit = 4 * time.Second
	// tryAgainEvery is how often a request that waits tries again.
	tryAgainEvery = 50 * time.Millisecond
	// answerReserve of a request's time is kept for the answer.
	answerReserve = 500 * time.Millisecond
)

// Retrier has requests wait for a database that is away for a moment, because it is restarted
// or another host is promoted. The zero value is ready; it is safe for concurrent use.
type Retrier struct {
	since atomic.Int64 // when the outage began, in nanoseconds; 0: there is none
}

// Do does something until it fails in another way than Unavailable, four seconds of an outage
// are over, or ctx is about to end. It must be something that can be repeated whatever became
// of it, and that asks the database: what succeeds ends the outage.
func (p *Retrier) Do(ctx context.Context, do func() error) error {
	for {
		err := do()
		if Classify(err) != Unavailable {
			if err == nil && p.since.Load() != 0 {
				p.since.Store(0)
			}
			return err
		}
		now := time.Now()
		began := now
		if !p.since.CompareAndSwap(0, now.UnixNano()) {
			if since := p.since.Load(); since != 0 { // it may have ended in this moment
				began = time.Unix(0, since)
			}
		}
		end := began.Add(outageLimit)
		if deadline, has := ctx.Deadline(); has && deadline.Add(-answerReserve).Before(end) {
			end = deadline.Add(-answerReserve)
		}
		if now.Add(tryAgainEvery).After(end) {
			return err
		}
		select {
		case <-time.After(tryAgainEvery):
		case <-ctx.Done():
			return err
		}
	}
}
