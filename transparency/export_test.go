package transparency

import "context"

// Look is what Run does at each tick.
func (n *Notary) Look(ctx context.Context) error {
	_, err := n.signIfDue(ctx)
	return err
}

// Publish publishes once to each outlet.
func (n *Notary) Publish(ctx context.Context) error {
	if _, err := n.advance(ctx, n.pool); err != nil {
		return err
	}
	for _, o := range n.outlets {
		if err := n.publishNewest(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// Thin thins the next batch of old checkpoints.
func (n *Notary) Thin(ctx context.Context) (more bool, err error) { return n.thinOnce(ctx) }
