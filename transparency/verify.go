package transparency

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Kind is what is wrong, as far as hashes show it.
type Kind string

// The kinds.
const (
	KindChanged    Kind = "changed"    // the event differs from what was logged
	KindRemoved    Kind = "removed"    // an event that was logged is gone
	KindInserted   Kind = "inserted"   // an event is between others where none was
	KindReordered  Kind = "reordered"  // events, or their contents, have changed places
	KindTree       Kind = "tree"       // the stored tree is damaged; the events have the signed root
	KindRewritten  Kind = "rewritten"  // events and tree agree, but not with what was signed
	KindCheckpoint Kind = "checkpoint" // a checkpoint was not signed by the log's key
)

// Discrepancy is a place where a log is not what was logged or signed.
type Discrepancy struct {
	Position int64  `json:"position"`
	Kind     Kind   `json:"kind"`
	Reason   string `json:"reason"`
}

func discrepancy(position int64, kind Kind, reason string, args ...any) *Discrepancy {
	return &Discrepancy{Position: position, Kind: kind, Reason: fmt.Sprintf(reason, args...)}
}

// Report is what a verification found.
type Report struct {
	OK          bool         `json:"ok"`
	Size        int64        `json:"size"`        // events that were compared with the tree
	Root        string       `json:"root"`        // over the events that were right, all of them if OK
	Events      int64        `json:"events"`      // in the log; those after size are too new for the tree
	Checkpoints int          `json:"checkpoints"` // whose root and signature were checked
	Seconds     float64      `json:"seconds"`
	Discrepancy *Discrepancy `json:"first_wrong,omitempty"` // the first
}

// VerifyOptions of Verify.
type VerifyOptions struct {
	// Keys are the public keys that are accepted; none: those that the database names.
	Keys []string
	// Kept are checkpoints that were kept outside the database. Without one, an attacker who
	// can write the database and sign could have replaced everything.
	Kept []Checkpoint
	// Progress is called after each chunk; nil: not at all.
	Progress func(done, total int64)
}

// readers is how many chunks are read and hashed at a time.
const readers = 2

// Verify computes every leaf again from the events, while the log grows, and compares
// them with the tiles and with every checkpoint. It needs SELECT and four connections.
// An error means that the verification could not be completed; it is ErrSignature if
// the keys are not those of a checkpoint, and says nothing about the log.
func Verify(ctx context.Context, pool *pgxpool.Pool, o VerifyOptions) (Report, error) {
	began := time.Now()
	v := &verification{pool: pool, edge: &edge{}, o: o}
	found, err := v.prepare(ctx)
	if err == nil && found == nil {
		found, err = v.run(ctx)
	}
	if err != nil {
		return Report{}, fmt.Errorf("verify log: %w", err)
	}
	return Report{
		OK:          found == nil,
		Size:        v.size,
		Root:        v.edge.root().String(),
		Events:      v.head,
		Checkpoints: v.checked,
		Seconds:     time.Since(began).Seconds(),
		Discrepancy: found,
	}, nil
}

// verification is one run of Verify. Its edge is over the events verified so far.
type verification struct {
	pool       *pgxpool.Pool
	o          VerifyOptions
	keys       note.Verifiers
	named      note.Verifiers // the keys that the database names
	size, head int64
	edge       *edge
	checked    int
	verified   int64        // size of the last checkpoint that was verified
	forged     *Discrepancy // the first checkpoint that no key has signed
	other      error        // of the first that a key other than those given has signed
}

const extentSQL = `
SELECT coalesce(min(position), 1), coalesce(max(position), 0)
FROM events`

func (v *verification) prepare(ctx context.Context) (*Discrepancy, error) {
	var err error
	if v.size, err = treeSize(ctx, v.pool); err != nil {
		return nil, err
	}
	var first int64
	if err := v.pool.QueryRow(ctx, extentSQL).Scan(&first, &v.head); err != nil {
		return nil, fmt.Errorf("read extent of the log: %w", err)
	}
	if v.named, err = storedKeys(ctx, v.pool); err != nil {
		return nil, err
	}
	v.keys = v.named
	if len(v.o.Keys) > 0 {
		if v.keys, err = Verifiers(v.o.Keys); err != nil {
			return nil, err
		}
	}
	if err := v.checkKeys(ctx); err != nil {
		return nil, err
	}
	if first < 1 {
		return discrepancy(first, KindInserted, "positions begin at 1"), nil
	}
	return nil, nil
}

// checkKeys refuses keys that have signed no checkpoint, before the log is read: a
// checkpoint of another key says nothing about the log.
func (v *verification) checkKeys(ctx context.Context) error {
	for _, c := range v.o.Kept {
		if err := c.signedBy(v.keys); err != nil {
			return err
		}
	}
	_, err := newestSigned(ctx, v.pool, v.keys)
	if !errors.Is(err, ErrNoCheckpoint) {
		return err
	}
	switch stored, err := newestSigned(ctx, v.pool, v.named); {
	case err == nil:
		return stored.signedBy(v.keys)
	case !errors.Is(err, ErrNoCheckpoint):
		return err
	}
	return nil
}

// chunk is a leafRange with the tiles and the checkpoints that it must match.
type chunk struct {
	leafRange
	tiles  tileCache
	signed []Checkpoint
	err    error
}

func (v *verification) run(ctx context.Context) (*Discrepancy, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for c := range v.chunks(ctx) {
		got := <-c
		if got.err != nil {
			return nil, got.err
		}
		if found, err := v.verifyChunk(ctx, got); found != nil || err != nil {
			return found, err
		}
		if v.o.Progress != nil {
			v.o.Progress(v.edge.size, v.size)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return v.finish(ctx)
}

// chunks reads ahead, and returns the chunks in their order.
func (v *verification) chunks(ctx context.Context) <-chan chan chunk {
	ordered := make(chan chan chunk, readers)
	slots := make(chan struct{}, readers)
	go func() {
		defer close(ordered)
		for after := int64(0); after < v.size; after += chunkSize {
			result := make(chan chunk, 1)
			select {
			case ordered <- result:
			case <-ctx.Done():
				return
			}
			slots <- struct{}{}
			go func() {
				defer func() { <-slots }()
				result <- v.read(ctx, after, min(after+chunkSize, v.size))
			}()
		}
	}()
	return ordered
}

func (v *verification) read(ctx context.Context, after, upTo int64) chunk {
	c := chunk{}
	if c.leafRange, c.err = readLeaves(ctx, v.pool, after, upTo); c.err != nil {
		return c
	}
	if c.tiles, c.err = readTiles(ctx, v.pool, leafTiles(after, upTo)...); c.err != nil {
		return c
	}
	c.signed, c.err = v.signed(ctx, after, upTo, chunkSize)
	return c
}

// signed are the checkpoints with sizes above one up to another, the smallest first:
// up to limit of those stored, and the kept ones.
func (v *verification) signed(ctx context.Context, after, upTo int64, limit int) ([]Checkpoint, error) {
	stored, err := checkpointsAfter(ctx, v.pool, after, upTo, limit)
	if err != nil {
		return nil, err
	}
	var all []Checkpoint
	for _, c := range v.o.Kept {
		if c.Size > after && c.Size <= upTo {
			all = append(all, c)
		}
	}
	all = append(all, stored...)
	slices.SortStableFunc(all, func(a, b Checkpoint) int { return cmp.Compare(a.Size, b.Size) })
	return all, nil
}

// verifyChunk adds a chunk's events to the edge, one by one, up to the first that is
// wrong.
func (v *verification) verifyChunk(ctx context.Context, c chunk) (*Discrepancy, error) {
	for at := 0; at < len(c.hashes); at += tlog.HashSize {
		h := tlog.Hash(c.hashes[at : at+tlog.HashSize])
		stored, ok := c.tiles.leaf(v.edge.size)
		if !ok || stored != h {
			return v.explain(ctx, v.edge.size+1, ok)
		}
		if found, err := v.compare(ctx, v.edge.add(h)); found != nil || err != nil {
			return found, err
		}
		for ; len(c.signed) > 0 && c.signed[0].Size == v.edge.size; c.signed = c.signed[1:] {
			if found := v.checkSigned(c.signed[0], v.edge.root()); found != nil {
				return found, nil
			}
		}
	}
	if c.stopped != nil && c.stopped.Position > v.head {
		return discrepancy(c.stopped.Position, c.stopped.Kind, "the log ends at %d; the tree has %d events",
			v.head, v.size), nil
	}
	return c.stopped, nil
}

// compare compares tiles with the stored ones, which may have more hashes. Tiles of level 0 are
// skipped: their leaves are compared one by one.
func (v *verification) compare(ctx context.Context, tiles []tile) (*Discrepancy, error) {
	var above []tile
	var ids []tileID
	for _, t := range tiles {
		if t.level > 0 {
			above, ids = append(above, t), append(ids, t.tileID)
		}
	}
	if len(above) == 0 {
		return nil, nil
	}
	stored, err := readTiles(ctx, v.pool, ids...)
	if err != nil {
		return nil, err
	}
	for _, t := range above {
		have := stored[t.tileID]
		if bytes.HasPrefix(have, t.hashes) {
			continue
		}
		k := 0
		for (k+1)*tlog.HashSize <= len(have) &&
			bytes.HasPrefix(have[k*tlog.HashSize:], t.hashes[k*tlog.HashSize:(k+1)*tlog.HashSize]) {
			k++
		}
		return discrepancy(t.n<<(tileHeight*(t.level+1))+int64(k)<<(tileHeight*t.level)+1, KindTree,
			"hash %d of tile %d/%d is not that of the events, which agree with the leaves", k, t.level, t.n), nil
	}
	return nil, nil
}

// checkSigned compares a checkpoint with the root that the events have at its size. A forged one
// says nothing about the events: it is reported if nothing else is wrong.
func (v *verification) checkSigned(c Checkpoint, root tlog.Hash) *Discrepancy {
	if err := c.signedBy(v.keys); err != nil {
		if c.signedBy(v.named) == nil {
			v.other = cmp.Or(v.other, err)
			return nil
		}
		v.forged = cmp.Or(v.forged, discrepancy(v.verified+1, KindCheckpoint,
			"the checkpoint of size %d is not what the log's key has signed", c.Size))
		return nil
	}
	if root != c.Root {
		return discrepancy(v.verified+1, KindRewritten,
			"events and tree agree, but were rewritten somewhere from %d to %d "+
				"after the checkpoint of size %d was signed: its root is %s, theirs is %s",
			v.verified+1, c.Size, c.Size, c.Root, root)
	}
	v.checked++
	v.verified = c.Size
	return nil
}

// finish checks the edge of the tree, and whether more was signed than it has.
func (v *verification) finish(ctx context.Context) (*Discrepancy, error) {
	if found, err := v.compare(ctx, v.edge.partial()); found != nil || err != nil {
		return found, err
	}
	// The tree may have grown since the verification began: a stored checkpoint is beyond the
	// tree only if the tree is still smaller now.
	beyond, err := v.signed(ctx, v.size, 1<<62, manyRows)
	if err != nil {
		return nil, err
	}
	now, err := treeSize(ctx, v.pool)
	if err != nil {
		return nil, err
	}
	for _, c := range beyond {
		if c.signedBy(v.keys) != nil {
			v.checkSigned(c, c.Root)
		} else if c.Size > now {
			return discrepancy(v.size+1, KindRemoved,
				"a checkpoint over %d events was signed; the tree has %d and the log %d", c.Size, now, v.head), nil
		}
	}
	if v.forged == nil && v.other != nil {
		return nil, v.other
	}
	return v.forged, nil
}
