package postgres

import (
	"context"
	"sync/atomic"
	"time"
)

const (
	// outageLimit is for how long after the beginning of an outage requests wait for its end: a
	// restart or a promotion takes a second or two. During a longer outage they fail at once.
	outageLimit = 4 * time.Second
	// retryInterval is how often a request that waits tries again.
	retryInterval = 50 * time.Millisecond
	// answerReserve of a request's time is kept for the answer.
	answerReserve = 500 * time.Millisecond
)

// Retrier makes requests wait for a database that is out of reach for a moment, because it is
// restarted or another host is promoted. The zero value is ready; it is safe for concurrent use.
type Retrier struct {
	since atomic.Int64 // when the outage began, in nanoseconds; 0: there is none
}

// Do calls do until it succeeds or fails in another way than Unavailable, four seconds of an
// outage are over, or ctx is about to end. It must be safe to repeat do whatever its outcome. do
// must use the database, because its success ends the outage.
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
		if now.Add(retryInterval).After(end) {
			return err
		}
		select {
		case <-time.After(retryInterval):
		case <-ctx.Done():
			return err
		}
	}
}
