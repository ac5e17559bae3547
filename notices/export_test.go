package notices

import "context"

// Step gives one member a turn, as Run does.
func (n *Notices) Step(ctx context.Context) (bool, error) { return n.step(ctx) }

// Look tells of unknown outcomes, as Run does.
func (n *Notices) Look(ctx context.Context) error { return n.addUnknown(ctx) }
