package transparency

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Kind says what is wrong, as far as hashes show it.
type Kind string

// The kinds.
const (
	KindChanged    Kind = "changed"    // the event differs from what was logged
	KindRemoved    Kind = "removed"    // an event that was logged is gone
	KindInserted   Kind = "inserted"   // an event stands between others where none was
	KindReordered  Kind = "reordered"  // events, or their contents, have changed places
	KindTree       Kind = "tree"       // the stored tree is damaged; the events add up to what was signed
	KindRewritten  Kind = "rewritten"  // events and tree agree, but not with what was signed
	KindCheckpoint Kind = "checkpoint" // a checkpoint was not signed by the log's key
)

// Wrong is the first thing that is wrong with a log.
type Wrong struct {
	Position int64  `json:"position"`
	Kind     Kind   `json:"kind"`
	Reason   string `json:"reason"`
}

// Report is what a verification found.
type Report struct {
	OK          bool    `json:"ok"`
	Size        int64   `json:"size"`        // events that were held to the tree
	Root        string  `json:"root"`        // over the events that were right, all of them where OK
	Events      int64   `json:"events"`      // in the log; those behind size are too new for the tree
	Checkpoints int     `json:"checkpoints"` // whose root and signature were held to the events
	Seconds     float64 `json:"seconds"`
	FirstWrong  *Wrong  `json:"first_wrong,omitempty"`
}

// VerifyOptions of Verify.
type VerifyOptions struct {
	// Keys are the public keys that count; none: those that the database names.
	Keys []string
	// Kept are checkpoints that were kept elsewhere. Without one, an attacker who can
	// write the database and sign could have replaced everything.
	Kept []Checkpoint
	// Progress is called after each chunk; nil: not at all.
	Progress func(done, total int64)
}

// readers is how many chunks are read and hashed at a time.
const readers = 2

// Verify computes every leaf anew from the events, while the log grows, and holds
// them to the tiles and to every checkpoint. It needs SELECT and four connections.
// An error means that the verification could not be completed.
func Verify(ctx context.Context, pool *pgxpool.Pool, o VerifyOptions) (Report, error) {
	began := time.Now()
	v := &verification{pool: pool, edge: &edge{}, o: o}
	wrong, err := v.prepare(ctx)
	if err == nil && wrong == nil {
		wrong, err = v.run(ctx)
	}
	if err != nil {
		return Report{}, fmt.Errorf("verify log: %w", err)
	}
	return Report{
		OK: wrong == nil, Size: v.size, Root: v.edge.root().String(), Events: v.head, Checkpoints: v.checked,
		Seconds: time.Since(began).Seconds(), FirstWrong: wrong,
	}, nil
}

// verification is one run of Verify. Its edge is over the events verified so far.
type verification struct {
	pool       *pgxpool.Pool
	o          VerifyOptions
	keys       note.Verifiers
	size, head int64
	edge       *edge
	signed     signedQueue
	checked    int
	verified   int64 // size of the last checkpoint that was verified
}

const extentSQL = `SELECT coalesce(min(position), 1), coalesce(max(position), 0) FROM events`

func (v *verification) prepare(ctx context.Context) (*Wrong, error) {
	var err error
	if v.size, err = treeSize(ctx, v.pool); err != nil {
		return nil, err
	}
	var first int64
	if err := v.pool.QueryRow(ctx, extentSQL).Scan(&first, &v.head); err != nil {
		return nil, fmt.Errorf("read extent of the log: %w", err)
	}
	keys := v.o.Keys
	if len(keys) == 0 {
		if keys, err = PublicKeys(ctx, v.pool); err != nil {
			return nil, err
		}
	}
	if len(keys) > 0 { // a log without any has no checkpoints either
		if v.keys, err = verifiers(keys); err != nil {
			return nil, err
		}
	}
	v.signed = signedQueue{pool: v.pool, kept: sortedBySize(v.o.Kept), upTo: v.size}
	if first < 1 {
		return &Wrong{Position: first, Kind: KindInserted, Reason: "positions begin at 1"}, nil
	}
	return nil, nil
}

// chunk is a leafRange with the tiles it must agree with.
type chunk struct {
	leafRange
	tiles tileCache
	err   error
}

func (v *verification) run(ctx context.Context) (*Wrong, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for c := range v.chunks(ctx) {
		got := <-c
		if got.err != nil {
			return nil, got.err
		}
		wrong, err := v.take(ctx, got)
		if wrong != nil || err != nil {
			return wrong, err
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

// chunks reads ahead, and gives the chunks in their order.
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
	leaves, err := readLeaves(ctx, v.pool, after, upTo)
	if err != nil {
		return chunk{err: err}
	}
	wanted := make(map[tileID]bool)
	for n := after / tileWidth; n <= (upTo-1)/tileWidth; n++ {
		wanted[tileID{0, n}] = true
	}
	tiles, err := readTiles(ctx, v.pool, wanted)
	return chunk{leafRange: leaves, tiles: tiles, err: err}
}

// take adds a chunk's events to the edge, one by one, up to the first that is
// wrong.
func (v *verification) take(ctx context.Context, c chunk) (*Wrong, error) {
	for at := 0; at < len(c.hashes); at += tlog.HashSize {
		h := tlog.Hash(c.hashes[at : at+tlog.HashSize])
		stored, ok := leafIn(c.tiles[tileID{0, v.edge.size / tileWidth}], v.edge.size)
		if !ok || stored != h {
			return v.explain(ctx, v.edge.size+1, ok)
		}
		var filled []tile
		v.edge.add(h, func(t tile) {
			if t.level > 0 { // level 0 has just been compared
				filled = append(filled, t)
			}
		})
		if wrong, err := v.compare(ctx, filled); wrong != nil || err != nil {
			return wrong, err
		}
		if wrong, err := v.checkSigned(ctx); wrong != nil || err != nil {
			return wrong, err
		}
	}
	if c.stopped != nil {
		return v.explainGap(*c.stopped), nil
	}
	return nil, nil
}

// compare holds tiles to those that are stored, which may be wider.
func (v *verification) compare(ctx context.Context, tiles []tile) (*Wrong, error) {
	if len(tiles) == 0 {
		return nil, nil
	}
	wanted := make(map[tileID]bool)
	for _, t := range tiles {
		wanted[tileID{t.level, t.n}] = true
	}
	stored, err := readTiles(ctx, v.pool, wanted)
	if err != nil {
		return nil, err
	}
	for _, t := range tiles {
		have := stored[tileID{t.level, t.n}]
		if bytes.HasPrefix(have, t.hashes) {
			continue
		}
		k := 0
		for (k+1)*tlog.HashSize <= len(have) && bytes.HasPrefix(have[k*tlog.HashSize:], t.hashes[k*tlog.HashSize:(k+1)*tlog.HashSize]) {
			k++
		}
		return &Wrong{
			Position: t.n<<(tileHeight*(t.level+1)) + int64(k)<<(tileHeight*t.level) + 1, Kind: KindTree,
			Reason: fmt.Sprintf("hash %d of tile %d/%d is not that of the events, which agree with the leaves", k, t.level, t.n),
		}, nil
	}
	return nil, nil
}

// checkSigned holds the checkpoints of the present size to the events.
func (v *verification) checkSigned(ctx context.Context) (*Wrong, error) {
	for {
		c, err := v.signed.peek(ctx)
		if err != nil || c == nil || c.Size > v.edge.size {
			return nil, err
		}
		v.signed.drop()
		if wrong := v.judge(*c, v.edge.root()); wrong != nil {
			return wrong, nil
		}
		v.checked++
		v.verified = c.Size
	}
}

// judge holds a checkpoint to the root that the events have at its size.
func (v *verification) judge(c Checkpoint, root tlog.Hash) *Wrong {
	if v.keys == nil {
		return &Wrong{Position: v.verified + 1, Kind: KindCheckpoint, Reason: fmt.Sprintf(
			"there is a checkpoint of size %d, and no public key to check it with", c.Size)}
	}
	opened, err := OpenCheckpoint(c.Note, v.keys)
	if err != nil || opened.Size != c.Size || opened.Root != c.Root {
		return &Wrong{Position: v.verified + 1, Kind: KindCheckpoint, Reason: fmt.Sprintf(
			"the checkpoint of size %d is not what the log's key has signed", c.Size)}
	}
	if root != c.Root {
		return &Wrong{Position: v.verified + 1, Kind: KindRewritten, Reason: fmt.Sprintf(
			"events and tree agree, but were rewritten somewhere from %d to %d after the checkpoint of size %d was signed: its root is %s, theirs is %s",
			v.verified+1, c.Size, c.Size, c.Root, root)}
	}
	return nil
}

// finish checks the edge of the tree, and whether more was signed than it has.
func (v *verification) finish(ctx context.Context) (*Wrong, error) {
	var partial []tile
	for _, t := range v.edge.partial() {
		if t.level > 0 {
			partial = append(partial, t)
		}
	}
	if wrong, err := v.compare(ctx, partial); wrong != nil || err != nil {
		return wrong, err
	}
	beyond := append([]Checkpoint(nil), v.signed.kept...)
	// The tree may have grown since: a checkpoint that is stored now is beyond it
	// only where the tree is behind it now.
	newest, err := checkpointsAfter(ctx, v.pool, v.size, 1<<62, 1)
	if err != nil {
		return nil, err
	}
	now, err := treeSize(ctx, v.pool)
	if err != nil {
		return nil, err
	}
	for _, c := range append(beyond, newest...) {
		if c.Size > now {
			return &Wrong{Position: v.size + 1, Kind: KindRemoved, Reason: fmt.Sprintf(
				"a checkpoint over %d events was signed; the tree has %d and the log %d", c.Size, now, v.head)}, nil
		}
	}
	return nil, nil
}
