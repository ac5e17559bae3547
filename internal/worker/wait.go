package worker

import (
	"context"
	"time"
)

// Sleep waits for d. It returns false if ctx has ended.
func Sleep(ctx context.Context, d time.Duration) bool { return wait(ctx, d, nil) }

// Signal wakes one goroutine. It is made by NewSignal; in a select it is a channel
// to receive from.
type Signal chan struct{}

// NewSignal makes a Signal that is not set.
func NewSignal() Signal { return make(Signal, 1) }

// Set wakes the goroutine that waits, or else the next one to wait.
func (s Signal) Set() {
	select {
	case s <- struct{}{}:
	default: // it is set already
	}
}

// Wait waits until the Signal is set, at most for d. It returns false if ctx has
// ended.
func (s Signal) Wait(ctx context.Context, d time.Duration) bool { return wait(ctx, d, s) }

func wait(ctx context.Context, d time.Duration, woken <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-woken:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// started is the time from which the ticks of ToTick are counted: servers of one database
// started at different moments, and so do not poll it in the same moment.
var started = time.Now()

// ToTick is the time to the next whole multiple of every, which must be positive, since the
// program started. Pollers that sleep for it wake together: an idle program wakes up once
// for all of them, and not once for each.
func ToTick(every time.Duration) time.Duration {
	past := time.Since(started) % every
	if past < 0 { // the clock of a test
		past += every
	}
	return every - past
}

// Backoff gives the pauses after failures in a row: each is twice as long as the
// one before, from First to Longest.
type Backoff struct {
	First, Longest time.Duration
	failures       int
}

// maxDoublings keeps a pause from overflowing.
const maxDoublings = 20

// Next counts a failure and returns the pause after it.
func (b *Backoff) Next() time.Duration {
	b.failures++
	return b.Pause(b.failures - 1)
}

// Pause is the pause after a failure that came after so many earlier ones.
func (b *Backoff) Pause(earlier int) time.Duration {
	return min(b.First<<min(earlier, maxDoublings), b.Longest)
}

// Failures is how often Next was called since the last Reset.
func (b *Backoff) Failures() int { return b.failures }

// Reset sets the number of failures to 0.
func (b *Backoff) Reset() { b.failures = 0 }
