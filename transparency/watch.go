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

// watch is what a Notary knows about its tables besides the newest checkpoint.
type watch struct {
	lostKnown bool      // lost was determined
	lost      error     // the database had lost checkpoints at the start
	treeAt    time.Time // when the tree was last compared with the newest checkpoint
	treeErr   error     // result of that comparison
}

// showForked sets the gauge after a round. It is set once, so that no scrape sees it at 0 in
// between; if the database could not be read, it is not changed.
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

// askForNew starts a check unless the newest checkpoint is the one that this server remembers, covers the
// log, and has the root of the stored tree.
func (n *Notary) askForNew(b *pgx.Batch) {
	last, _ := n.remembered()
	b.Queue(dueSQL).QueryRow(func(row pgx.Row) error {
		var size, head int64
		var newest string
		err := row.Scan(&size, &head, &newest)
		if size != last.Size || head != last.Size || newest != last.Note {
			n.due.Set()
		}
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // the check names it
		}
		return err
	})
	if last.Size == 0 {
		return
	}
	levels, ns := columnsOf(edgeTiles(last.Size))
	b.Queue(tilesSQL, levels, ns).Query(func(rows pgx.Rows) error {
		tiles, err := scanTiles(rows)
		if err != nil {
			return err
		}
		if e, err := edgeFrom(last.Size, tiles, false); err != nil || sameRoot(last, e.root()) != nil {
			n.due.Set()
		}
		return nil
	})
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

// storedHere is the destination that represents the database itself: the checkpoint that was
// stored last is noted like those that were sent.
var storedHere = sha256.Sum256([]byte("transparency_checkpoints"))

const noteSignedSQL = `
INSERT INTO transparency_posts (destination, size, posted_at)
VALUES ($1, $2, $3)
ON CONFLICT (destination) DO UPDATE
SET size = excluded.size, posted_at = excluded.posted_at`

// A size beyond the log was not written by a server.
const lostSQL = `
SELECT size
FROM transparency_posts p
WHERE destination = $1
  AND size <= (SELECT max(position) FROM events)
  AND NOT EXISTS (SELECT FROM transparency_checkpoints c WHERE c.size >= p.size)`

// findLost finds out once, before this server signs, whether checkpoints that were stored here are
// gone. The server signs nevertheless, because it remembers no checkpoint that it could
// contradict; the gauge and the log show the loss until the server ends.
func (n *Notary) findLost(ctx context.Context) error {
	if n.watch.lostKnown {
		return nil
	}
	sizes, err := postgres.List(ctx, n.pool, "look for lost checkpoints", pgx.RowTo[int64],
		lostSQL, storedHere[:])
	if err != nil {
		return err
	}
	n.watch.lostKnown = true
	if len(sizes) > 0 {
		n.watch.lost = fmt.Errorf("%w: the one of size %d, and all since, are gone from the database",
			ErrForked, sizes[0])
		n.log.Error().Err(n.watch.lost).
			Msg("transparency: checkpoints were deleted; this server signs what the log is now")
	}
	return nil
}
