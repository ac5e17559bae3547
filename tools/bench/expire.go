package main

import (
	"context"
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
	expiryLead  = 4 * time.Second
	longestLead = 20 * time.Second
	// expiryNotice is how long before its time a timer must be known for the worker to wait for it: it
	// looks for new ones once a second. An intent that a merchant creates has five minutes at least.
	expiryNotice    = 1100 * time.Millisecond
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
SELECT count(*) = $2
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

// expire stores intents that fall due one by one or together, after a lead, and waits until the
// log has the expiry of each. A latency is from expires_at to the event's time, both by the
// database's clock. Where the groups, on a busy machine, had not handled the events of all intents
// expiryNotice before the first fell due, it measures again with a longer lead.
func (s *stage) expire(
	ctx context.Context, intents int, after func(n int) time.Duration,
) (figures.Result, error) {
	lead := expiryLead + time.Duration(intents)*time.Second/groupsPerSecond
	for {
		r, late, err := s.expireAfter(ctx, lead, intents, after)
		if err != nil || late <= 0 {
			return r, err
		}
		if lead > longestLead {
			return r, fmt.Errorf("the groups heard of the intents too late, by %s", late)
		}
		lead *= 3
	}
}

// expireAfter also returns by how much the groups had handled all too late.
func (s *stage) expireAfter(
	ctx context.Context, lead time.Duration, intents int, after func(n int) time.Duration,
) (r figures.Result, late time.Duration, err error) {
	head, err := headOf(ctx, s.pool)
	if err != nil {
		return r, 0, err
	}
	due := time.Now().Add(lead)
	created := func(int) time.Time { return due.Add(-24 * time.Hour) }
	expires := func(n int) time.Time { return due.Add(after(n)) }
	stored := openIntents(s.shop, "due-"+randomHex(4), intents, created, expires)
	if err := stored.storeShared(ctx, s.pool); err != nil {
		return r, 0, err
	}
	if err := awaitGroups(ctx, s.pool); err != nil {
		return r, 0, err
	}
	late = time.Since(due.Add(-expiryNotice))
	if err := until(ctx, expiryLimit, isTrue(ctx, s.pool, canceledSQL, head, intents)); err != nil {
		return r, 0, fmt.Errorf("wait until all have expired: %w", err)
	}
	rows, err := s.pool.Query(ctx, lagsSQL, head)
	if err != nil {
		return r, 0, fmt.Errorf("read lags: %w", err)
	}
	last := due
	var recorded, expired time.Time
	_, err = pgx.ForEachRow(rows, []any{&recorded, &expired}, func() error {
		r.Latencies = append(r.Latencies, max(0, recorded.Sub(expired)))
		if recorded.After(last) {
			last = recorded
		}
		return nil
	})
	slices.Sort(r.Latencies)
	r.Operations = intents
	r.Value = float64(intents) / max(last.Sub(due), time.Millisecond).Seconds()
	return r, late, err
}
