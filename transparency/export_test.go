package transparency

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/mod/sumdb/tlog"
)

// Spacing is the least time between two checkpoints.
const Spacing = spacing

// MaxAge is how long an event may wait for a checkpoint.
const MaxAge = maxAge

// CheckEvery is how often a Notary checks for new events.
const CheckEvery = checkEvery

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

// Edge is the right edge of a tree, without a database.
type Edge struct{ edge }

// Add appends a leaf and returns the tiles that it filled.
func (e *Edge) Add(h tlog.Hash) []tlog.Tile {
	var filled []tlog.Tile
	for _, t := range e.add(h) {
		filled = append(filled, tlog.Tile{H: tileHeight, L: t.level, N: t.n, W: tileWidth})
	}
	return filled
}

// Root of the tree.
func (e *Edge) Root() tlog.Hash { return e.root() }

// Changed are the tiles that are not full and have grown since a size.
func (e *Edge) Changed(since int64) []tlog.Tile {
	var changed []tlog.Tile
	for _, t := range changedPartial(&e.edge, since) {
		changed = append(changed, tlog.Tile{H: tileHeight, L: t.level, N: t.n, W: len(t.hashes) / tlog.HashSize})
	}
	return changed
}

// RecordForked makes the gauge remember each value that it is set to.
func (n *Notary) RecordForked() *[]float64 {
	r := recordingGauge{n.metrics.forked, new([]float64)}
	n.metrics.forked = r
	return r.values
}

type recordingGauge struct {
	prometheus.Gauge

	values *[]float64
}

func (r recordingGauge) Set(v float64) {
	*r.values = append(*r.values, v)
	r.Gauge.Set(v)
}
