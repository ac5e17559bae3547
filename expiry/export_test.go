package expiry

import (
	"context"
	"time"
)

// What tests need to look inside.
var (
	ClaimSQL  = claimSQL
	RemoveSQL = removeSQL // deletes the timers of closed intents
)

// Batch is how many timers are claimed at once.
const Batch = batch

// SetBatch has a worker that does not run yet claim fewer timers at once.
func (w *Worker) SetBatch(n int) {
	w.batch, w.claimSQL = n, waiting.Claim(n, claimed)
}

// SetLease shortens the lease of a worker that does not run yet.
func (w *Worker) SetLease(d time.Duration) { w.lease = d }

// Round claims what is due and handles it, of a worker that does not run.
func (w *Worker) Round(ctx context.Context) error {
	_, err := w.round(ctx)
	return err
}
