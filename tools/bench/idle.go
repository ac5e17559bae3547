package main

import (
	"context"
	"time"

	"daftar/tools/bench/figures"
)

// upToAMinute is the time of a measurement that needs a minute; less where -time is short.
func (o *options) upToAMinute() time.Duration { return min(time.Minute, 15*o.time) }

// idle measures the processor time of a server and its PostgreSQL without requests. What earlier requests
// have changed is vacuumed and written before: one autovacuum of it takes more than an idle minute.
func (s *stage) idle(ctx context.Context) (figures.Result, error) {
	if err := execute(ctx, s.pool, `VACUUM ANALYZE`, `CHECKPOINT`); err != nil {
		return figures.Result{}, err
	}
	// What still runs after the last request ends within seconds.
	if err := wait(ctx, s.upToAMinute()/15); err != nil {
		return figures.Result{}, err
	}
	s.openWindow(ctx)
	started := time.Now()
	if err := wait(ctx, s.upToAMinute()); err != nil {
		return figures.Result{}, err
	}
	s.closeWindow(ctx)
	used := s.window.cost.Server + s.window.cost.Postgres
	return figures.Result{Value: 100 * used.Seconds() / time.Since(started).Seconds()}, nil
}

func wait(ctx context.Context, length time.Duration) error {
	select {
	case <-time.After(length):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
