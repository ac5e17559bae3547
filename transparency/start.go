package transparency

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/worker"
)

// ErrBehind says that the log lacks events of a published checkpoint: it was restored
// from a backup that is too old, or it is another log.
var ErrBehind = errors.New("the log is behind what was published")

// CheckPublished compares the log with the checkpoints that were signed and published before, so
// that a server does not write a second history. A published checkpoint that the database
// has lost is stored again. Errors: ErrBehind, ErrForked, ErrSignature, ErrNotCheckpoint,
// or those of the database and the directory.
func (n *Notary) CheckPublished(ctx context.Context) error {
	stored, err := n.key.newest(ctx, n.pool)
	if err != nil && !errors.Is(err, ErrNoCheckpoint) {
		return err
	}
	published, err := n.dir.newest()
	if err != nil {
		return err
	}
	head, err := eventstore.NewReader(n.pool).Head(ctx) // after the others: the log may grow meanwhile
	if err != nil {
		return err
	}
	if stored.Size > head {
		return fmt.Errorf("%w: the database has a checkpoint over %d events, and %d events; "+
			"restore events and checkpoints from the same backup", ErrBehind, stored.Size, head)
	}
	err = n.dir.check(ctx, n.pool, published, head, n.key.Public())
	if err != nil || published.Size <= stored.Size {
		return err
	}
	_, err = n.pool.Exec(ctx, storeSQL+` ON CONFLICT DO NOTHING`, published.Size, published.Root[:],
		published.Note, n.now())
	if err != nil {
		return fmt.Errorf("store the published checkpoint again: %w", err)
	}
	return nil
}

// newest is the newest checkpoint of a directory, unverified; zero if it has none,
// or there is no directory.
func (d *directory) newest() (Checkpoint, error) {
	if d == nil {
		return Checkpoint{}, nil
	}
	c, err := d.read()
	if err != nil && !errors.Is(err, ErrNoCheckpoint) {
		return Checkpoint{}, fmt.Errorf("DAFTAR_CHECKPOINT_DIR: %w", err)
	}
	return c, nil
}

// check checks a published checkpoint against the log, which must contain it, and against the
// log's keys.
func (d *directory) check(
	ctx context.Context, q postgres.Querier, c Checkpoint, head int64, own ...string,
) error {
	if c.Size == 0 {
		return nil
	}
	known, err := storedKeys(ctx, q, own...)
	if err != nil {
		return err
	}
	switch err = c.signedBy(known); {
	case err != nil:
		err = fmt.Errorf("%w; is this the folder of another log?", err)
	case c.Size > head:
		err = fmt.Errorf("%w: %d events were published, the log has %d; "+
			"daftar audit missing names those that are gone. "+
			"Restore a newer backup, or, if those events are lost for good, "+
			"move the folder away and inform those who keep checkpoints", ErrBehind, c.Size, head)
	default:
		err = contains(ctx, q, c)
	}
	if err != nil {
		return fmt.Errorf("DAFTAR_CHECKPOINT_DIR: %s: %w", d.latest(), err)
	}
	return nil
}

// contains returns ErrForked if the log does not have the checkpoint's root. Hashes that
// the tree does not have yet are computed from the events.
func contains(ctx context.Context, q postgres.Querier, c Checkpoint) error {
	size, err := treeSize(ctx, q)
	if err != nil {
		return err
	}
	e, err := readEdge(ctx, q, min(size, c.Size))
	if err == nil {
		err = extend(ctx, q, e, c.Size)
	}
	if err != nil {
		return asFork(err)
	}
	return sameRoot(c, e.root())
}

// extendedRoot computes the root of the log at a size from a checkpoint and the events
// after it, so that the signature does not depend on the contents of the tree. The
// tree must have the same root, and a proof that it extends the checkpoint's: else
// the error is ErrForked.
func extendedRoot(ctx context.Context, q postgres.Querier, c Checkpoint, size int64) (tlog.Hash, error) {
	e, err := readEdge(ctx, q, c.Size)
	if err == nil && c.Size > 0 {
		err = sameRoot(c, e.root())
	}
	if err == nil {
		err = extend(ctx, q, e, size)
	}
	if err != nil {
		return tlog.Hash{}, asFork(err)
	}
	root := e.root()
	stored, err := rootAt(ctx, q, size)
	if err == nil && stored != root {
		err = fmt.Errorf("%w: at size %d the tree has the root %s, the events %s", ErrForked, size, stored, root)
	}
	if err != nil || c.Size == 0 {
		return root, asFork(err)
	}
	proof, err := tlog.ProveTree(size, c.Size, hashReader(ctx, q))
	if err == nil && tlog.CheckTree(proof, size, root, c.Size, c.Root) != nil {
		err = fmt.Errorf("%w: the tree's hashes do not lead from the checkpoint of size %d to the events up to %d",
			ErrForked, c.Size, size)
	}
	return root, asFork(err)
}

// asFork adds ErrForked to an ErrMismatch: the signed root cannot be computed any more.
func asFork(err error) error {
	if errors.Is(err, ErrMismatch) {
		err = fmt.Errorf("%w: %w", ErrForked, err)
	}
	return err
}

// extendStep is how many events extend reads and hashes at once. While it does, requests wait.
const extendStep = 2 * tileWidth

// extend adds the events up to a position to an edge. It rests for as long as it works, because
// a second's events at once would hold a core for 30 ms and more.
func extend(ctx context.Context, q postgres.Querier, e *edge, to int64) error {
	for e.size < to {
		began := time.Now()
		leaves, err := readLeaves(ctx, q, e.size, min(e.size+extendStep, to))
		if err != nil {
			return err
		}
		if leaves.stopped != nil {
			return fmt.Errorf("position %d: %s: %w", leaves.stopped.Position, leaves.stopped.Reason, ErrMismatch)
		}
		for at := 0; at < len(leaves.hashes); at += tlog.HashSize {
			e.add(tlog.Hash(leaves.hashes[at : at+tlog.HashSize]))
		}
		if e.size < to && !worker.Sleep(ctx, time.Since(began)) {
			return ctx.Err()
		}
	}
	return nil
}
