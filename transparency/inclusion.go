package transparency

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"daftar/eventstore"
	"daftar/internal/postgres"
)

// InclusionFormat is the first field of every file with an Inclusion.
const InclusionFormat = "daftar-inclusion/1"

// Inclusion proves that the log has events, without revealing them: it has only hashes and
// numbers. A reader who has an event, from a Proof, finds its
// hash here; all others can check the hashes against the signed checkpoint.
type Inclusion struct {
	Format     string         `json:"format"`
	PublicKey  string         `json:"public_key"`
	Checkpoint string         `json:"checkpoint"`
	Leaves     []IncludedLeaf `json:"leaves"`

	Size     int64     `json:"-"`
	Root     tlog.Hash `json:"-"`
	SignedAt time.Time `json:"-"`
}

// IncludedLeaf is the place of an event in the tree.
type IncludedLeaf struct {
	Position int64       `json:"position"`
	Hash     tlog.Hash   `json:"leaf_hash"`
	Path     []tlog.Hash `json:"inclusion"`
}

// Include proves that the newest checkpoint covers the events, and checks the proof as an
// auditor does: with the signature, and with hashes that it computes from the events.
// Errors: ErrNoCheckpoint, ErrUncovered, ErrMismatch if the log is not what was signed, or
// the database's.
func Include(ctx context.Context, q postgres.Querier, events ...eventstore.Recorded) (Inclusion, error) {
	c, key, err := latestWithKey(ctx, q)
	if err != nil {
		return Inclusion{}, err
	}
	in := Inclusion{
		Format:     InclusionFormat,
		PublicKey:  key,
		Checkpoint: c.Note,
		Size:       c.Size,
		Root:       c.Root,
		SignedAt:   c.SignedAt,
	}
	for _, e := range events {
		if e.Position > c.Size {
			return Inclusion{}, fmt.Errorf("%w: position %d, the newest checkpoint ends at %d",
				ErrUncovered, e.Position, c.Size)
		}
		path, err := pathOf(ctx, q, e.Position, c.Size)
		if err != nil {
			return Inclusion{}, err
		}
		hash := tlog.RecordHash(Leaf(e))
		if err := tlog.CheckRecord(path, c.Size, c.Root, e.Position-1, hash); err != nil {
			return Inclusion{}, fmt.Errorf("position %d is not in the tree that was signed: %w",
				e.Position, ErrMismatch)
		}
		in.Leaves = append(in.Leaves, IncludedLeaf{Position: e.Position, Hash: hash, Path: path})
	}
	return in, nil
}

// pathOf are the hashes that lead from an event to the root of the tree of a size.
func pathOf(ctx context.Context, q postgres.Querier, position, size int64) ([]tlog.Hash, error) {
	path, err := tlog.ProveRecord(size, position-1, hashReader(ctx, q))
	if err != nil {
		return nil, fmt.Errorf("prove position %d: %w", position, err)
	}
	return nonNil(path), nil
}

// latestWithKey is the newest signed checkpoint, and the one of the public keys in the
// database that has signed it.
func latestWithKey(ctx context.Context, q postgres.Querier) (Checkpoint, string, error) {
	c, err := Latest(ctx, q)
	if err != nil {
		return Checkpoint{}, "", err
	}
	keys, err := PublicKeys(ctx, q)
	if err != nil {
		return Checkpoint{}, "", err
	}
	for _, key := range keys {
		if known, err := Verifiers([]string{key}); err == nil {
			if _, err := OpenCheckpoint(c.Note, known); err == nil {
				return c, key, nil
			}
		}
	}
	return Checkpoint{}, "", ErrNoCheckpoint
}
