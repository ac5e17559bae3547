package transparency

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/internal/queue"
	"daftar/internal/worker"
)

const (
	// thinEvery is how often old checkpoints are deleted, thinPause the pause between two
	// batches while there are more, and thinAtOnce the size of a batch: each takes half a
	// second at most, so that a year's backlog of the previous release takes a day.
	thinEvery  = time.Minute
	thinPause  = 500 * time.Millisecond
	thinAtOnce = 500
)

// thin deletes the checkpoints that need not be kept any more, until ctx ends. A deleted one can
// still be checked against the log: the tree proves it.
func (n *Notary) thin(ctx context.Context) {
	queue.Loop{Poll: thinEvery, Failing: "transparency: old checkpoints not deleted", Log: n.log}.
		Run(ctx, func(ctx context.Context) (bool, error) {
			more, err := n.thinOnce(ctx)
			return more && worker.Sleep(ctx, thinPause), err
		})
}

// The database decides which checkpoints may be deleted, refuses to delete others, and deletes
// the cosignatures with them (migration 39).
const (
	oldSQL = `
SELECT coalesce(max(size), 0), count(*)
FROM (
    SELECT size
    FROM transparency_checkpoints
    WHERE size > $1
      AND signed_at < now() - interval '1 hour'
    ORDER BY size
    LIMIT $2
) old`
	thinSQL = `
DELETE FROM transparency_checkpoints c
WHERE size > $1
  AND size <= $2
  AND checkpoint_may_go(c)`
)

// thinOnce thins the next batch of checkpoints and reports whether there may be more. One
// server does so at a time.
func (n *Notary) thinOnce(ctx context.Context) (more bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, roundLimit)
	defer cancel()
	var last, count int64
	err = pgx.BeginFunc(ctx, n.pool, func(tx pgx.Tx) error {
		var mine bool
		if err := tx.QueryRow(ctx, tryLockSQL, thinLock).Scan(&mine); err != nil || !mine {
			return err
		}
		if err := tx.QueryRow(ctx, oldSQL, n.thinned, thinAtOnce).Scan(&last, &count); err != nil || count == 0 {
			return err
		}
		_, err := tx.Exec(ctx, thinSQL, n.thinned, last)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("delete old checkpoints: %w", err)
	}
	n.thinned = max(n.thinned, last)
	return count == thinAtOnce, nil
}
