package accounts

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
)

// Failures are counted in the database, for all servers, against the account and
// against the networks. After the free ones, each doubles the delay. No user is
// locked out: the delay is bounded, an hour without failures resets it, and the
// user's own browsers and network are counted separately (people).
const (
	firstDelay   = time.Second
	longestDelay = 15 * time.Minute
	quietTime    = time.Hour
)

// Throttled says that there were too many attempts. Nothing was tried.
type Throttled struct {
	RetryAfter time.Duration
	Recorded   bool // this delay is in the audit trail already
}

func (t Throttled) Error() string {
	return fmt.Sprintf("too many attempts: try again in %s", t.RetryAfter.Round(time.Second))
}

// Limit is what attempts are counted against.
type Limit struct {
	Name string
	Free int // how many in a row cost no delay
}

func delayAfter(failures, free int) time.Duration {
	if failures < free {
		return 0
	}
	if doublings := failures - free; doublings < 10 {
		return min(firstDelay<<doublings, longestDelay)
	}
	return longestDelay
}

// Reservation is an attempt that was allowed. It counts as a failure until CancelReservation.
// It has the keys of its rows.
type Reservation [][]byte

// Rows are locked in the order of their keys, so that attempts cannot deadlock. The first
// statement inserts those that are missing.
const (
	lockFailuresSQL = `
INSERT INTO sign_in_failures AS f (key, failures, last_at, blocked_until)
SELECT key, 0, $2::timestamptz, $2
FROM unnest($1::bytea[]) AS k(key)
ORDER BY key
ON CONFLICT (key) DO UPDATE
SET failures = f.failures
RETURNING key, failures, last_at, blocked_until, recorded_for IS NOT DISTINCT FROM blocked_until`
	countFailureSQL = `
UPDATE sign_in_failures
SET failures = $2, last_at = $3, blocked_until = $4
WHERE key = $1`
	markRecordedSQL = `
UPDATE sign_in_failures
SET recorded_for = blocked_until
WHERE key = ANY ($1)
  AND blocked_until > $2`
	lockKeysSQL = `
SELECT FROM sign_in_failures
WHERE key = ANY ($1)
ORDER BY key
FOR UPDATE`
	deleteFailuresSQL = `DELETE FROM sign_in_failures WHERE key = $1`
	// The last_at of a row that still blocks is less than longestDelay old.
	sweepFailuresSQL   = `DELETE FROM sign_in_failures WHERE last_at < $1`
	subtractFailureSQL = `
UPDATE sign_in_failures
SET failures = greatest(failures - 1, 0), blocked_until = least(blocked_until, $2)
WHERE key = ANY ($1)`
)

// failures are those that were counted against a key, locked.
type failures struct {
	Key                  []byte
	Count                int
	LastAt, BlockedUntil time.Time
	Recorded             bool
}

// Reserve counts an attempt as failed before it is made: attempts at the same
// time cannot slip past the count. The error is Throttled where there were too
// many; that attempt is not counted.
func (a *Accounts) Reserve(ctx context.Context, against []Limit) (Reservation, error) {
	keys := make(Reservation, 0, len(against))
	free := make(map[Hash]int)
	for _, one := range against {
		key := HashOf(one.Name)
		keys, free[key] = append(keys, key[:]), one.Free
	}
	now := a.now()
	var refusal Throttled
	err := pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		locked, err := postgres.List(ctx, tx, "count attempt",
			pgx.RowToStructByPos[failures], lockFailuresSQL, keys, now)
		if err != nil {
			return err
		}
		for _, f := range locked {
			if wait := f.BlockedUntil.Sub(now); wait > refusal.RetryAfter {
				refusal = Throttled{RetryAfter: wait, Recorded: f.Recorded}
			}
		}
		var batch pgx.Batch
		if refusal.RetryAfter > 0 {
			batch.Queue(markRecordedSQL, keys, now)
			locked = nil
		}
		for _, f := range locked {
			if now.Sub(f.LastAt) > quietTime {
				f.Count = 0
			}
			batch.Queue(countFailureSQL, f.Key, f.Count+1, now,
				now.Add(delayAfter(f.Count+1, free[Hash(f.Key)])))
		}
		if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
			return fmt.Errorf("count attempt: %w", err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if refusal.RetryAfter > 0 {
		return nil, refusal
	}
	return keys, nil
}

// CancelReservation is for an attempt that succeeded. It removes the failures that were
// counted against the account. From the networks it subtracts this attempt alone: the owner
// of one account could guess at others from there.
func (a *Accounts) CancelReservation(ctx context.Context, tx pgx.Tx, r Reservation) error {
	var batch pgx.Batch
	batch.Queue(lockKeysSQL, r)
	batch.Queue(deleteFailuresSQL, r[0])
	batch.Queue(subtractFailureSQL, r[1:], a.now())
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return fmt.Errorf("forget failures: %w", err)
	}
	return nil
}

// sweepEvery is how often failures that no longer count are removed.
const sweepEvery = 10 * time.Minute

// Sweep removes failures that no longer count.
func (a *Accounts) Sweep(ctx context.Context) error {
	if _, err := a.pool.Exec(ctx, sweepFailuresSQL, a.now().Add(-quietTime)); err != nil {
		return fmt.Errorf("remove failures: %w", err)
	}
	return nil
}
