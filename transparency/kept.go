package transparency

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"
	"strconv"

	"golang.org/x/mod/sumdb/note"

	"daftar/eventstore"
)

// Kept is a checkpoint that was kept outside the database. It is read when it is needed: a
// folder may have a million of them.
type Kept struct {
	Size int64
	Read func() (Checkpoint, error)
}

// KeptOf is a checkpoint that was read already.
func KeptOf(c Checkpoint) Kept {
	return Kept{Size: c.Size, Read: func() (Checkpoint, error) { return c, nil }}
}

// KeptIn are the checkpoints in a folder of published ones; none for no path.
func KeptIn(dir string) ([]Kept, error) {
	newest, err := Published(dir)
	if err != nil || dir == "" {
		return nil, err
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list published checkpoints: %w", err)
	}
	var all []Kept
	if newest.Size > 0 {
		all = append(all, KeptOf(newest))
	}
	d := newDirectory(dir)
	for _, file := range files {
		size, err := strconv.ParseInt(file.Name(), 10, 64)
		if err != nil || file.Name() != sizeFile(size) {
			continue // latest, or another file
		}
		all = append(all, Kept{Size: size, Read: func() (Checkpoint, error) { return d.readFile(file.Name()) }})
	}
	return all, nil
}

// Agreement is how far a log agrees with kept checkpoints.
type Agreement struct {
	// Signed is the size of the largest kept one: so many events have existed.
	Signed int64
	// Contained is the size of the largest that the log contains, 0 if it contains none.
	Contained int64
	// Differs is the size of the smallest that the log has enough events for, but not the
	// signed ones; 0: there is none. The first event that differs is after Contained.
	Differs int64
}

// Agree checks a log against checkpoints that were kept outside the database. Only the given
// public keys are accepted; none: those that the database names. Errors: ErrSignature or
// ErrNotCheckpoint for one that none of them has signed, and those of the database and of
// reading.
func Agree(ctx context.Context, q eventstore.Querier, kept []Kept, keys []string) (Agreement, error) {
	if len(kept) == 0 {
		return Agreement{}, nil
	}
	known, err := storedKeys(ctx, q)
	if len(keys) > 0 {
		known, err = Verifiers(keys)
	}
	if err != nil {
		return Agreement{}, err
	}
	head, err := eventstore.NewReader(q).Head(ctx)
	if err != nil {
		return Agreement{}, err
	}
	kept = slices.Clone(kept)
	slices.SortFunc(kept, func(a, b Kept) int { return cmp.Compare(a.Size, b.Size) })
	largest, err := kept[len(kept)-1].open(known)
	if err != nil {
		return Agreement{}, err
	}
	within := sort.Search(len(kept), func(n int) bool { return kept[n].Size > head })
	// A log that does not contain one checkpoint does not contain any larger one.
	first := sort.Search(within, func(n int) bool {
		if err != nil {
			return true
		}
		var c Checkpoint
		if c, err = kept[n].open(known); err == nil {
			err = contains(ctx, q, c)
		}
		differs := errors.Is(err, ErrForked)
		if differs {
			err = nil
		}
		return differs || err != nil
	})
	if err != nil {
		return Agreement{}, err
	}
	a := Agreement{Signed: largest.Size}
	if first > 0 {
		a.Contained = kept[first-1].Size
	}
	if first < within {
		a.Differs = kept[first].Size
	}
	return a, nil
}

func (k Kept) open(keys note.Verifiers) (Checkpoint, error) {
	c, err := k.Read()
	if err == nil && c.Size != k.Size {
		err = fmt.Errorf("%w: its size is %d, its name says %d", ErrNotCheckpoint, c.Size, k.Size)
	}
	if err == nil {
		err = c.signedBy(keys)
	}
	return c, err
}
