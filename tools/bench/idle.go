package main

import (
	"context"
	"fmt"
	"time"

	"daftar/tools/bench/figures"
)

// upToAMinute is the time of a measurement that needs a minute; less where -time is short.
func (s *stage) upToAMinute() time.Duration { return min(time.Minute, 15*s.time) }

// idle measures the processor time of a server and its PostgreSQL without requests. A
// checkpoint before it writes what earlier requests have changed.
func (s *stage) idle(ctx context.Context) (figures.Result, error) {
	if _, err := s.pool.Exec(ctx, `CHECKPOINT`); err != nil {
		return figures.Result{}, fmt.Errorf("write what was stored: %w", err)
	}
	timer, err := newTimer(ctx)
	if err != nil {
		return figures.Result{}, err
	}
	defer timer.close()
	// What still runs after the last request ends within seconds.
	if err := timer.wait(ctx, time.Now().Add(s.upToAMinute()/15)); err != nil {
		return figures.Result{}, err
	}
	s.openWindow(ctx)
	started := time.Now()
	if err := timer.wait(ctx, started.Add(s.upToAMinute())); err != nil {
		return figures.Result{}, err
	}
	s.closeWindow(ctx)
	used := s.window.cost.Server + s.window.cost.Postgres
	return figures.Result{Value: 100 * used.Seconds() / time.Since(started).Seconds()}, nil
}
