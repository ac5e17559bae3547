package outcomes

import "context"

// Step records one settled payment, as Run does.
func (op *Outcomes) Step(ctx context.Context) (bool, error) { return op.step(ctx) }
