package transparency

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/eventstore/feed"
)

// GroupName is the name of the group's offset.
const GroupName = "transparency"

// share is how much of its time the group may work while requests come in, in percent, and staleness the
// least time between two polls then.
const (
	share     = 25
	staleness = 500 * time.Millisecond
)

// Group is the feed's group that writes the tree. Events that it handles again must
// be the same as before, and do not change the tree; an event that does not fit halts it. A
// payment is urgent, as its receipt waits for a checkpoint; what merchants' programs do is in the tree
// within a second. A checkpoint over it follows within another.
func Group() feed.Group {
	return feed.Group{
		Name: GroupName, Handle: growTree, OnFailure: feed.Halt, Urgent: feed.ByPeople, Share: share,
		Staleness: staleness,
	}
}

// growTree adds a batch to the tree: one read and one write, whatever its size.
func growTree(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
	if len(events) == 0 {
		return nil
	}
	before := events[0].Position - 1
	hashes, err := leafHashes(before, events)
	if err != nil {
		return err
	}
	size, tiles, err := lockTiles(ctx, tx, edgeTiles(before))
	if err != nil {
		return err
	}
	if size < before {
		return fmt.Errorf("position %d comes while the tree ends at %d: %w", before+1, size, ErrMismatch)
	}
	if size > before { // some of the events are in the tree already
		known := min(size-before, int64(len(hashes)))
		wanted := append(leafTiles(before, before+known), edgeTiles(size)...)
		if _, tiles, err = lockTiles(ctx, tx, wanted); err != nil {
			return err
		}
		for n, h := range hashes[:known] {
			at := before + int64(n)
			if have, ok := tiles.leaf(at); !ok || have != h {
				return fmt.Errorf("position %d came again and is not what it was: %w", at+1, ErrMismatch)
			}
		}
		if hashes = hashes[known:]; len(hashes) == 0 {
			return nil
		}
	}
	e, err := edgeFrom(size, tiles, true)
	if err != nil {
		return err
	}
	var changed []tile
	for _, h := range hashes {
		changed = append(changed, e.add(h)...)
	}
	return writeTiles(ctx, tx, size, e.size, append(changed, changedPartial(e, size)...))
}

// changedPartial are the tiles at the edge that got hashes since the tree
// had the given size.
func changedPartial(e *edge, since int64) []tile {
	var changed []tile
	for _, t := range e.partial() {
		if e.size>>(tileHeight*t.level) != since>>(tileHeight*t.level) {
			changed = append(changed, t)
		}
	}
	return changed
}

// The tree's row stays locked, so that no other server grows the tree meanwhile, not
// even if the group's offset was tampered with. Tiles that should be empty at this
// edge are read as well: there must be none.
const lockTilesSQL = `
WITH tree AS MATERIALIZED (SELECT size FROM transparency_tree FOR UPDATE)
SELECT tree.size, w.level, w.n, coalesce(t.hashes, '')
FROM tree
CROSS JOIN unnest($1::int2[], $2::int8[]) AS w(level, n)
LEFT JOIN LATERAL (SELECT hashes
                   FROM transparency_tiles
                   WHERE level = w.level
                     AND n = w.n OFFSET 0) t ON true`

// lockTiles reads the size of the tree and some of its tiles.
func lockTiles(ctx context.Context, tx pgx.Tx, ids []tileID) (int64, tileCache, error) {
	levels, ns := columnsOf(ids)
	rows, _ := tx.Query(ctx, lockTilesSQL, levels, ns) // its error comes again from the rows
	size, tiles := int64(-1), make(tileCache, len(ids))
	var id tileID
	var hashes []byte
	_, err := pgx.ForEachRow(rows, []any{&size, &id.level, &id.n, &hashes}, func() error {
		tiles[id] = hashes
		return nil
	})
	if err != nil {
		return 0, nil, fmt.Errorf("read tree: %w", err)
	}
	if size < 0 {
		return 0, nil, errNoTree
	}
	return size, tiles, nil
}

// A tile only grows.
const writeTilesSQL = `
WITH grown AS (
    UPDATE transparency_tree
    SET size = $2
    WHERE size = $1
    RETURNING size
), written AS (
    INSERT INTO transparency_tiles AS t (level, n, hashes)
    SELECT w.level, w.n, w.hashes
    FROM grown
    CROSS JOIN unnest($3::int2[], $4::int8[], $5::bytea[]) AS w(level, n, hashes)
    ON CONFLICT (level, n) DO UPDATE
    SET hashes = excluded.hashes
    WHERE octet_length(t.hashes) < octet_length(excluded.hashes)
    RETURNING 1
)
SELECT count(*)
FROM written`

func writeTiles(ctx context.Context, tx pgx.Tx, from, to int64, tiles []tile) error {
	ids, hashes := make([]tileID, len(tiles)), make([][]byte, len(tiles))
	for k, t := range tiles {
		ids[k], hashes[k] = t.tileID, t.hashes
	}
	levels, ns := columnsOf(ids)
	var written int
	if err := tx.QueryRow(ctx, writeTilesSQL, from, to, levels, ns, hashes).Scan(&written); err != nil {
		return fmt.Errorf("write tiles: %w", err)
	}
	if written != len(tiles) {
		return fmt.Errorf("%d of %d tiles could be written behind position %d: %w",
			written, len(tiles), from, ErrMismatch)
	}
	return nil
}
