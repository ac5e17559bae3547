package expiry

import (
	"context"
	"time"
)

// What tests need to look inside.
const (
	Batch    = batch
	ClaimSQL = claimSQL
)

// RemoveSQL deletes the timers of closed intents.
var RemoveSQL = removeSQL

// SetBatch has a worker that does not run yet claim fewer timers at once.
func (w *Worker) SetBatch(n int) { w.batch = n }

// SetLease shortens the lease of a worker that does not run yet.
func (w *Worker) SetLease(d time.Duration) { w.lease = d }

// Round claims what is due and handles it, of a worker that does not run.
func (w *Worker) Round(ctx context.Context) error {
	_, _, err := w.round(ctx)
	return err
}
