package expiry

import (
	"context"
	"time"
)

var (
	ClaimSQL  = claimSQL
	RemoveSQL = removeSQL // deletes the timers of closed intents
)

// SetBatch sets how many timers a worker claims at once, before it runs.
func (w *Worker) SetBatch(n int) {
	w.batch, w.claimSQL = n, timerTable.Claim(n, claimedColumns)
}

// SetLease sets the lease of a worker, before it runs.
func (w *Worker) SetLease(d time.Duration) { w.lease = d }

// Round claims due timers and handles them, for a worker that does not run.
func (w *Worker) Round(ctx context.Context) error {
	_, err := w.round(ctx)
	return err
}
