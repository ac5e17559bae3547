package refunds

import "context"

// Step carries out the refund whose turn came first, and reports whether there was one.
func (w *Worker) Step(ctx context.Context) (bool, error) { return w.step(ctx) }

// CutOffAtOnce has a question to an acquirer end with the context of Run.
func (w *Worker) CutOffAtOnce() { w.grace = 0 }
