package refunds

import "context"

// Step carries out the refund that waits longest, and says whether there was one.
func (w *Worker) Step(ctx context.Context) (bool, error) { return w.step(ctx) }
