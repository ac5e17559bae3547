package refunds

import "context"

// Step carries out the refund that was due first, and reports whether there was one.
func (w *Worker) Step(ctx context.Context) (bool, error) {
	carryOut, err := w.claim(ctx)
	if carryOut == nil {
		return false, err
	}
	return true, carryOut()
}

// CancelAtOnce makes a call to an acquirer end with the context of Run.
func (w *Worker) CancelAtOnce() { w.grace = 0 }
