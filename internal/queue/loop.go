package queue

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/rs/zerolog"

	"daftar/internal/worker"
)

// StoreLimit bounds a claim, a count or the storing of an outcome, also on a silent network.
const StoreLimit = 5 * time.Second

// ErrRow marks a failure that concerns one row, which waits for its next turn.
var ErrRow = errors.New("one row")

// Loop says when the steps of a queue run.
//
//nolint:recvcheck // Run works on a copy, so that a Loop is written where it runs
type Loop struct {
	Poll    time.Duration        // the tick for the next step after one that found nothing to do
	Next    func() time.Duration // how soon something is due; nil: only the tick counts
	Wake    worker.Signal        // starts a step before the tick, but not during a pause; may be nil
	Retry   worker.Backoff       // after failures in a row; zero: from 1 s to 30 s
	Failing string               // logged with each failure
	Log     zerolog.Logger
}

// Run runs steps until ctx ends, the first at once. A step reports whether there was work, of which
// there may be more; its error is of the database, unless it is ErrRow.
func (l Loop) Run(ctx context.Context, step func(context.Context) (worked bool, err error)) {
	for ctx.Err() == nil {
		worked, err := step(ctx)
		if worked || err == nil {
			l.Retry.Reset()
		}
		switch {
		case errors.Is(err, ErrRow):
			l.Log.Warn().Err(err).Msg(l.Failing)
		case ctx.Err() != nil:
		case err != nil:
			worker.Sleep(ctx, l.Failed(err))
		case !worked:
			pause := worker.ToTick(l.Poll)
			if l.Next != nil {
				pause = min(pause, l.Next())
			}
			l.Wake.Wait(ctx, pause)
		}
	}
}

// Repeat does something within StoreLimit, at once and then at every tick, until ctx ends.
func (l Loop) Repeat(ctx context.Context, do func(context.Context) error) {
	l.Run(ctx, func(ctx context.Context) (bool, error) {
		ctx, cancel := context.WithTimeout(ctx, StoreLimit)
		defer cancel()
		return false, do(ctx)
	})
}

// Failed logs a failure and returns the pause after it, for a loop that Run does not fit.
func (l *Loop) Failed(err error) time.Duration {
	l.Retry = cmp.Or(l.Retry, worker.Backoff{First: time.Second, Longest: 30 * time.Second})
	pause := l.Retry.Next()
	l.Log.Warn().Err(err).Int("failures", l.Retry.Failures()).Dur("pause", pause).Msg(l.Failing)
	return pause
}
