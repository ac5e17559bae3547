package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/tools/bench/figures"
)

const (
	overduePerSecond = 1500 // of a measurement, where all fall due at once
	steadyPerSecond  = 200
	expiryLimit      = 3 * time.Minute
	// expiryLead is the least time between storing intents and their expiry, in which the
	// groups handle their events.
	expiryLead      = 3 * time.Second
	longestLead     = 20 * time.Second
	groupsPerSecond = 2000 // events that the groups certainly handle in a second
)

// expireAtOnce measures how fast intents are canceled that all fall due together.
func (s *stage) expireAtOnce(ctx context.Context) (figures.Result, error) {
	return s.expire(ctx, max(1, int(s.time.Seconds()*overduePerSecond)), func(int) time.Duration { return 0 })
}

// expireSteadily measures how late intents are canceled that fall due one after
// the other.
func (s *stage) expireSteadily(ctx context.Context) (figures.Result, error) {
	return s.expire(ctx, max(1, int(s.time.Seconds()*steadyPerSecond)), func(n int) time.Duration {
		return time.Duration(n) * time.Second / steadyPerSecond
	})
}

const (
	canceledSQL = `
SELECT count(*)
FROM events
WHERE position > $1
  AND type = 'intent.expired'`
	lagsSQL = `
SELECT e.recorded_at, i.expires_at
FROM events e
JOIN intents i ON i.uuid = e.stream_id
WHERE e.position > $1
  AND e.type = 'intent.expired'`
)

// errLate reports that intents fell due before the groups had handled the events of all.
var errLate = errors.New("the groups heard of the intents too late")

// expire measures again with a longer lead where the groups, on a busy machine, handled the
// events too late.
func (s *stage) expire(
	ctx context.Context, intents int, after func(n int) time.Duration,
) (figures.Result, error) {
	lead := expiryLead + time.Duration(intents)*time.Second/groupsPerSecond
	for {
		r, err := s.expireAfter(ctx, lead, intents, after)
		if !errors.Is(err, errLate) || lead > longestLead {
			return r, err
		}
		lead *= 3
	}
}

// expireAfter stores intents that fall due one by one or together, after a lead, and waits
// until the log has the expiry of each. A latency is from expires_at to the event's time,
// both by the database's clock.
func (s *stage) expireAfter(
	ctx context.Context, lead time.Duration, intents int, after func(n int) time.Duration,
) (figures.Result, error) {
	head, err := headOf(ctx, s.pool)
	if err != nil {
		return figures.Result{}, err
	}
	due := time.Now().Add(lead)
	err = storing{
		shop: s.shop, named: "due-" + randomHex(4), intents: intents,
		created: func(int) time.Time { return due.Add(-24 * time.Hour) },
		expires: func(n int) time.Time { return due.Add(after(n)) },
	}.store(ctx, s.pool)
	if err != nil {
		return figures.Result{}, err
	}
	if err := awaitGroups(ctx, s.pool); err != nil {
		return figures.Result{}, err
	}
	late := time.Since(due)
	if err := until(ctx, expiryLimit, func() (bool, error) {
		var canceled int
		err := s.pool.QueryRow(ctx, canceledSQL, head).Scan(&canceled)
		return canceled == intents, err
	}); err != nil {
		return figures.Result{}, fmt.Errorf("wait until all have expired: %w", err)
	}
	if late > 0 {
		return figures.Result{}, fmt.Errorf("%w, by %s", errLate, late)
	}
	rows, err := s.pool.Query(ctx, lagsSQL, head)
	if err != nil {
		return figures.Result{}, fmt.Errorf("read lags: %w", err)
	}
	r := figures.Result{Operations: intents}
	last := due
	var recorded, expires time.Time
	_, err = pgx.ForEachRow(rows, []any{&recorded, &expires}, func() error {
		r.Latencies = append(r.Latencies, max(0, recorded.Sub(expires)))
		if recorded.After(last) {
			last = recorded
		}
		return nil
	})
	if err != nil {
		return figures.Result{}, fmt.Errorf("read lags: %w", err)
	}
	slices.Sort(r.Latencies)
	r.Value = float64(intents) / max(last.Sub(due), time.Millisecond).Seconds()
	return r, nil
}
