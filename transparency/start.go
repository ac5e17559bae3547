package transparency

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"daftar/eventstore"
	"daftar/internal/postgres"
)

// ErrBehind says that the log lacks events of a published checkpoint: it was restored
// from a backup that is too old, or it is another log.
var ErrBehind = errors.New("the log is behind what was published")

// CheckPublished compares the log with what was signed and published before, so that
// a server does not write a second history. Errors: ErrBehind, ErrForked,
// ErrSignature, ErrNotCheckpoint, or those of the database and the directory.
func (n *Notary) CheckPublished(ctx context.Context) error {
	head, err := eventstore.NewReader(n.pool).Head(ctx)
	if err != nil {
		return err
	}
	stored, err := Latest(ctx, n.pool)
	if err != nil && !errors.Is(err, ErrNoCheckpoint) {
		return err
	}
	if stored.Size > head {
		return fmt.Errorf("%w: the database has a checkpoint over %d events, and %d events; restore events and checkpoints from the same backup",
			ErrBehind, stored.Size, head)
	}
	if n.dir == nil {
		return nil
	}
	if err := n.checkDirectory(ctx, head); err != nil {
		return fmt.Errorf("DAFTAR_CHECKPOINT_DIR: %s: %w", n.dir.latest(), err)
	}
	return nil
}

func (n *Notary) checkDirectory(ctx context.Context, head int64) error {
	there, err := n.dir.read()
	if errors.Is(err, ErrNoCheckpoint) {
		return nil
	}
	if err != nil {
		return err
	}
	keys, err := PublicKeys(ctx, n.pool)
	if err != nil {
		return err
	}
	known, err := verifiers(append(keys, n.key.Public()))
	if err != nil {
		return err
	}
	if _, err := OpenCheckpoint(there.Note, known); err != nil {
		return fmt.Errorf("%w; is this the folder of another log?", err)
	}
	if there.Size > head {
		return fmt.Errorf("%w: %d events were published, the log has %d; restore a newer backup, or, if those events are lost for good, "+
			"move the folder away and inform those who keep checkpoints", ErrBehind, there.Size, head)
	}
	return n.contains(ctx, there)
}

// contains returns ErrForked where the log, which is long enough, does not have
// the checkpoint's root.
func (n *Notary) contains(ctx context.Context, c Checkpoint) error {
	size, err := treeSize(ctx, n.pool)
	if err != nil {
		return err
	}
	// What the tree does not have yet comes from the events themselves.
	e, err := readEdge(ctx, n.pool, min(size, c.Size))
	if err != nil {
		return err
	}
	if err := extend(ctx, n.pool, e, c.Size); err != nil {
		return err
	}
	if root := e.root(); root != c.Root {
		return fmt.Errorf("%w: at size %d its root is %s, published was %s", ErrForked, c.Size, root, c.Root)
	}
	return nil
}

// extend adds the events up to a position to an edge.
func extend(ctx context.Context, q postgres.Querier, e *edge, to int64) error {
	for e.size < to {
		leaves, err := readLeaves(ctx, q, e.size, min(e.size+chunkSize, to))
		if err != nil {
			return err
		}
		if leaves.stopped != nil {
			return fmt.Errorf("position %d: %s: %w", leaves.stopped.Position, leaves.stopped.Reason, ErrMismatch)
		}
		for at := 0; at < len(leaves.hashes); at += tlog.HashSize {
			e.add(tlog.Hash(leaves.hashes[at : at+tlog.HashSize]))
		}
	}
	return nil
}
