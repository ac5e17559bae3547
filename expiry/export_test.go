package expiry

import "time"

// What tests need to look inside.
const (
	Batch     = batch
	ClaimSQL  = claimSQL
	RemoveSQL = removeSQL
)

// SetBatch has a worker that does not run yet claim fewer timers at once.
func (w *Worker) SetBatch(n int) { w.batch = n }

// SetLease shortens the lease of a worker that does not run yet.
func (w *Worker) SetLease(d time.Duration) { w.lease = d }
