package transparency

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
)

// watch is what a Notary knows of its tables beyond the newest checkpoint.
type watch struct {
	recalled bool      // lost is known
	lost     error     // at the start the database had lost checkpoints
	treeAt   time.Time // when the tree was last compared with the newest checkpoint
	treeErr  error     // what came of it
}

// showForked sets the gauge after a round. It is set once, so that no scrape sees it at 0 in
// between; a database that could not be asked leaves it as it was.
func (n *Notary) showForked(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.forked != nil, n.watch.lost != nil, errors.Is(err, ErrForked):
		n.metrics.forked.Set(1)
	case err == nil:
		n.metrics.forked.Set(0)
	}
}

// checkTree returns ErrForked while the stored tree does not have the root of the newest
// checkpoint: it was deleted, or damaged. Without new events nothing else would notice.
func (n *Notary) checkTree(ctx context.Context, last Checkpoint, now time.Time) error {
	if last.Size == 0 || now.Sub(n.watch.treeAt) < restEvery {
		return n.watch.treeErr
	}
	e, err := readEdge(ctx, n.pool, last.Size)
	if err == nil {
		err = sameRoot(last, e.root())
	}
	n.watch.treeAt, n.watch.treeErr = now, asFork(err)
	return n.watch.treeErr
}

// storedHere is the destination that stands for the database itself: which checkpoint was
// stored last is noted as it is of those that were sent.
var storedHere = sha256.Sum256([]byte("transparency_checkpoints"))

const noteSignedSQL = `
INSERT INTO transparency_posts (destination, size, posted_at) VALUES ($1, $2, $3)
ON CONFLICT (destination) DO UPDATE SET size = excluded.size, posted_at = excluded.posted_at`

// A size beyond the log was written by none.
const lostSQL = `
SELECT size FROM transparency_posts p
WHERE destination = $1 AND size <= (SELECT max(position) FROM events)
  AND NOT EXISTS (SELECT FROM transparency_checkpoints c WHERE c.size >= p.size)`

// recall finds out once whether checkpoints are gone that were stored here, before this
// server signs. It signs all the same, for it remembers nothing that it could contradict; the
// gauge and the log say so until it ends.
func (n *Notary) recall(ctx context.Context) error {
	if n.watch.recalled {
		return nil
	}
	sizes, err := postgres.List(ctx, n.pool, "look for lost checkpoints", pgx.RowTo[int64], lostSQL,
		storedHere[:])
	if err != nil {
		return err
	}
	n.watch.recalled = true
	if len(sizes) > 0 {
		n.watch.lost = fmt.Errorf("%w: the one of size %d, and all since, are gone from the database",
			ErrForked, sizes[0])
		n.log.Error().Err(n.watch.lost).Msg("transparency: checkpoints were deleted; this server signs what the log is now")
	}
	return nil
}
