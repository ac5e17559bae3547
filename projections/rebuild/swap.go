package rebuild

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/internal/failpoint"
	"daftar/internal/worker"
)

const (
	// swapTimeout is how long the swap is tried before an operator has to find out
	// which session keeps the old table in use.
	swapTimeout = 10 * time.Minute
	// swapPause is about the time between two tries, in which writers and readers continue.
	swapPause = 200 * time.Millisecond

	// longLockTimeoutSQL is for locks that block no other session while they are waited for.
	longLockTimeoutSQL = `SET LOCAL lock_timeout = '5s'`
	// shortLockTimeoutSQL is for a lock that blocks writers, and readers of the old table, while
	// it is waited for.
	shortLockTimeoutSQL = `SET LOCAL lock_timeout = '20ms'`

	// A group that never ran has no row yet.
	lockPositionSQL = `
INSERT INTO consumer_offsets (consumer_group, position, updated_at)
VALUES ($1, 0, clock_timestamp())
ON CONFLICT (consumer_group) DO UPDATE
SET position = consumer_offsets.position
RETURNING position`
	swappedSQL = `
UPDATE projection_runs
SET phase = 'done', position = $2, events = $2, drift = 0, heartbeat = clock_timestamp(),
    finished_at = clock_timestamp(), outcome = 'swapped'
WHERE id = $1`
)

// swap replaces the old tables by the new ones, and returns how long writers may have
// had to wait for it. A reader in a long transaction blocks the swap; it is
// tried again after a pause in which others continue.
func (r *rebuild) swap(ctx context.Context) (time.Duration, error) {
	var longest time.Duration
	for began := time.Now(); ; {
		// Events that were appended during the comparison, or the pause, are replayed before
		// the lock is taken.
		if err := r.catchUp(ctx); err != nil {
			return longest, err
		}
		held, err := r.trySwap(ctx)
		longest = max(longest, held)
		if err == nil {
			return longest, nil
		}
		if !retryable(err) {
			return longest, fmt.Errorf("put the new tables in place: %w", err)
		}
		if time.Since(began) > swapTimeout {
			return longest, fmt.Errorf("put the new tables in place: %w", errors.Join(ErrBlocked, err))
		}
		if !worker.Sleep(ctx, swapPause/2+rand.N(swapPause)) { //nolint:gosec // no secret
			return longest, fmt.Errorf("put the new tables in place: %w", ctx.Err())
		}
	}
}

// trySwap replays the last few events, under the lock that keeps
// others from being applied to the old tables, and swaps the tables, in one transaction. held is
// how long that lock was held.
func (r *rebuild) trySwap(ctx context.Context) (held time.Duration, err error) {
	tx, err := r.conn.Begin(ctx)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback(context.WithoutCancel(ctx))
	swap, err := r.prepareSwap(ctx, tx)
	if err != nil {
		return 0, err
	}
	position, began, err := r.stopWriters(ctx, tx)
	if err != nil {
		return 0, err
	}
	defer func() { held = time.Since(began) }()
	if err := r.advance(ctx, tx, r.run.Position, position); err != nil {
		return held, err
	}
	if r.Group != "" {
		began = time.Now() // until here only the group has waited; from here on readers wait
	}
	if _, err := tx.Exec(ctx, shortLockTimeoutSQL+"; "+swap, pgx.QueryExecModeSimpleProtocol); err != nil {
		return held, err
	}
	if _, err := tx.Exec(ctx, swappedSQL, r.run.ID, position); err != nil {
		return held, err
	}
	failpoint.Here("rebuild_before_swap")
	if err := tx.Commit(ctx); err != nil {
		return held, err
	}
	failpoint.Here("rebuild_after_swap")
	r.run.Phase, r.run.Position, r.run.Events = PhaseDone, position, position
	return held, nil
}

const copiedStructureSQL = `SELECT structure FROM projection_runs WHERE id = $1 FOR UPDATE`

// prepareSwap does the part of the swap that needs no lock for which others wait.
func (r *rebuild) prepareSwap(ctx context.Context, tx pgx.Tx) (swap string, err error) {
	if _, err := tx.Exec(ctx, longLockTimeoutSQL); err != nil {
		return "", err
	}
	for _, t := range r.Tables {
		if err := refuseDependents(ctx, tx, t.Name); err != nil {
			return "", err
		}
	}
	if _, err := tx.Exec(ctx, "LOCK TABLE "+list(r.tableNames(r.at))+" IN ACCESS EXCLUSIVE MODE"); err != nil {
		return "", err
	}
	var copied string
	if err := tx.QueryRow(ctx, copiedStructureSQL, r.run.ID).Scan(&copied); err != nil {
		return "", err
	}
	structure, err := r.structure(ctx, tx)
	if err != nil {
		return "", err
	}
	if structure != copied {
		return "", fmt.Errorf("%w: the tables have changed", ErrRestart)
	}
	if err := r.copyAttributes(ctx, tx); err != nil {
		return "", err
	}
	return r.swapStatements(ctx, tx)
}

// stopWriters keeps all others from changing the old tables, and returns the position up to
// which these have every event.
func (r *rebuild) stopWriters(ctx context.Context, tx pgx.Tx) (position int64, since time.Time, err error) {
	if r.Group != "" {
		err = tx.QueryRow(ctx, lockPositionSQL, r.Group).Scan(&position)
		if err != nil {
			return 0, since, fmt.Errorf("lock position of %s: %w", r.Group, err)
		}
		return position, time.Now(), nil
	}
	if err := eventstore.LockAppends(ctx, tx); err != nil {
		return 0, since, err
	}
	since = time.Now()
	position, err = eventstore.NewReader(tx).Head(ctx)
	return position, since, err
}
