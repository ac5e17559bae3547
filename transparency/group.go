package transparency

import (
	"context"
	"database/sql"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"daftar/eventstore"
	"daftar/eventstore/feed"
)

// GroupName is the name of the group's offset.
const GroupName = "transparency"

// Group is the feed's group that keeps the tree. Events that it takes again must
// be those that it took before, and leave the tree as it was; whatever does not
// fit halts it.
func Group() feed.Group {
	return feed.Group{Name: GroupName, Handle: growTree, OnFailure: feed.Halt}
}

// growTree adds a batch to the tree: one read and one write, whatever its size.
func growTree(ctx context.Context, tx *sql.Tx, events []eventstore.Recorded) error {
	if len(events) == 0 {
		return nil
	}
	before := events[0].Position - 1
	hashes, err := leafHashes(before, events)
	if err != nil {
		return err
	}
	size, e, err := lockEdge(ctx, tx, before)
	if err != nil {
		return err
	}
	if size < before {
		return fmt.Errorf("position %d comes while the tree ends at %d: %w", before+1, size, ErrMismatch)
	}
	if size > before {
		known := min(size-before, int64(len(hashes)))
		if err := sameLeaves(ctx, tx, before, hashes[:known]); err != nil {
			return err
		}
		if hashes = hashes[known:]; len(hashes) == 0 {
			return nil
		}
		if _, e, err = lockEdge(ctx, tx, size); err != nil {
			return err
		}
	}
	var changed []tile
	for _, h := range hashes {
		e.add(h, func(t tile) { changed = append(changed, t) })
	}
	return writeTiles(ctx, tx, size, e.size, append(changed, changedPartial(e, size)...))
}

// changedPartial are the tiles at the edge that have got hashes since the tree
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
// edge are asked for as well: there must be none.
const lockEdgeSQL = `
WITH tree AS MATERIALIZED (SELECT size FROM transparency_tree FOR UPDATE)
SELECT tree.size, w.level, coalesce(t.hashes, '')
FROM tree CROSS JOIN unnest($1::int2[], $2::int8[]) AS w(level, n)
LEFT JOIN transparency_tiles t ON t.level = w.level AND t.n = w.n
ORDER BY w.level`

// lockEdge reads the size of the tree and, where that is the given size, its
// edge.
func lockEdge(ctx context.Context, tx *sql.Tx, size int64) (int64, *edge, error) {
	levels, ns := []int16{}, []int64{}
	for level := range max(edgeLevels(size), 1) {
		n, _ := edgeTile(level, size)
		levels, ns = append(levels, int16(level)), append(ns, n)
	}
	rows, err := tx.QueryContext(ctx, lockEdgeSQL, levels, ns)
	if err != nil {
		return 0, nil, fmt.Errorf("read edge of the tree: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has what went wrong
	stored, e := int64(-1), &edge{size: size}
	var mismatch error
	for rows.Next() {
		var level int
		var hashes []byte
		if err := rows.Scan(&stored, &level, &hashes); err != nil {
			return 0, nil, fmt.Errorf("read edge of the tree: %w", err)
		}
		if _, width := edgeTile(level, size); len(hashes) != width*tlog.HashSize && mismatch == nil {
			mismatch = fmt.Errorf("tile %d/%d has %d hashes, a tree of %d events wants %d: %w",
				level, ns[level], len(hashes)/tlog.HashSize, size, width, ErrMismatch)
		}
		e.tiles = append(e.tiles, append(make([]byte, 0, tileBytes), hashes...))
	}
	if err := rows.Err(); err != nil {
		return 0, nil, fmt.Errorf("read edge of the tree: %w", err)
	}
	if stored < 0 {
		return 0, nil, fmt.Errorf("transparency_tree has no row: %w", ErrMismatch)
	}
	if stored == size && mismatch != nil {
		return 0, nil, mismatch
	}
	return stored, e, nil
}

const leavesSQL = `
SELECT n, hashes FROM transparency_tiles WHERE level = 0 AND n BETWEEN $1 AND $2`

// sameLeaves compares repeated events with the leaves of the tree.
func sameLeaves(ctx context.Context, tx *sql.Tx, before int64, hashes []tlog.Hash) error {
	last := before + int64(len(hashes)) - 1
	rows, err := tx.QueryContext(ctx, leavesSQL, before/tileWidth, last/tileWidth)
	if err != nil {
		return fmt.Errorf("read leaves: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has what went wrong
	stored := make(map[int64][]byte)
	for rows.Next() {
		var n int64
		var data []byte
		if err := rows.Scan(&n, &data); err != nil {
			return fmt.Errorf("read leaves: %w", err)
		}
		stored[n] = data
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read leaves: %w", err)
	}
	for k, h := range hashes {
		at := before + int64(k)
		have, ok := leafIn(stored[at/tileWidth], at)
		if !ok || have != h {
			return fmt.Errorf("position %d came again and is not what it was: %w", at+1, ErrMismatch)
		}
	}
	return nil
}

// leafIn is a leaf's hash in its tile of level 0.
func leafIn(hashes []byte, at int64) (tlog.Hash, bool) {
	begin := int(at%tileWidth) * tlog.HashSize
	if len(hashes) < begin+tlog.HashSize {
		return tlog.Hash{}, false
	}
	return tlog.Hash(hashes[begin : begin+tlog.HashSize]), true
}

// A tile only ever grows.
const writeTilesSQL = `
WITH grown AS (
    UPDATE transparency_tree SET size = $2 WHERE size = $1 RETURNING size
), written AS (
    INSERT INTO transparency_tiles AS t (level, n, hashes)
    SELECT w.level, w.n, w.hashes FROM grown CROSS JOIN unnest($3::int2[], $4::int8[], $5::bytea[]) AS w(level, n, hashes)
    ON CONFLICT (level, n) DO UPDATE SET hashes = excluded.hashes
    WHERE octet_length(t.hashes) < octet_length(excluded.hashes)
    RETURNING 1
)
SELECT count(*) FROM written`

func writeTiles(ctx context.Context, tx *sql.Tx, from, to int64, tiles []tile) error {
	levels, ns, hashes := make([]int16, len(tiles)), make([]int64, len(tiles)), make([][]byte, len(tiles))
	for k, t := range tiles {
		levels[k], ns[k], hashes[k] = int16(t.level), t.n, t.hashes
	}
	var written int
	if err := tx.QueryRowContext(ctx, writeTilesSQL, from, to, levels, ns, hashes).Scan(&written); err != nil {
		return fmt.Errorf("write tiles: %w", err)
	}
	if written != len(tiles) {
		return fmt.Errorf("%d of %d tiles could be written behind position %d: %w", written, len(tiles), from, ErrMismatch)
	}
	return nil
}
