package transparency

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/eventstore"
)

// ErrMismatch says that an event or a tile does not continue the tree as it is
// stored. Nothing was written.
var ErrMismatch = errors.New("it does not match the tree")

const sizeSQL = `SELECT size FROM transparency_tree`

// treeSize is how many events are in the tree.
func treeSize(ctx context.Context, q eventstore.Querier) (int64, error) {
	var size int64
	if err := q.QueryRow(ctx, sizeSQL).Scan(&size); err != nil {
		return 0, fmt.Errorf("read size of the tree: %w", err)
	}
	return size, nil
}

const tilesSQL = `
SELECT t.level, t.n, t.hashes FROM unnest($1::int2[], $2::int8[]) AS w(level, n)
JOIN transparency_tiles t ON t.level = w.level AND t.n = w.n`

// tileID names a tile.
type tileID struct {
	level int
	n     int64
}

// tileCache is the tiles that one reader has read.
type tileCache map[tileID][]byte

// readTiles reads those tiles that there are.
func readTiles(ctx context.Context, q eventstore.Querier, ids map[tileID]bool) (tileCache, error) {
	levels, ns := make([]int16, 0, len(ids)), make([]int64, 0, len(ids))
	for id := range ids {
		levels, ns = append(levels, int16(id.level)), append(ns, id.n)
	}
	// Each plan knows how few tiles are wanted of how many.
	rows, err := q.Query(ctx, tilesSQL, pgx.QueryExecModeCacheDescribe, levels, ns)
	if err != nil {
		return nil, fmt.Errorf("read tiles: %w", err)
	}
	tiles := make(tileCache, len(ids))
	var id tileID
	var hashes []byte
	if _, err := pgx.ForEachRow(rows, []any{&id.level, &id.n, &hashes}, func() error {
		tiles[id] = bytes.Clone(hashes)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("read tiles: %w", err)
	}
	return tiles, nil
}

// hashReader reads hashes of the tree, as tlog numbers them, from the tiles: one
// query for all that one call wants.
func hashReader(ctx context.Context, q eventstore.Querier) tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		wanted := make(map[tileID]bool)
		for _, index := range indexes {
			t := tlog.TileForIndex(tileHeight, index)
			wanted[tileID{t.L, t.N}] = true
		}
		tiles, err := readTiles(ctx, q, wanted)
		if err != nil {
			return nil, err
		}
		hashes := make([]tlog.Hash, len(indexes))
		for n, index := range indexes {
			t := tlog.TileForIndex(tileHeight, index)
			if hashes[n], err = tlog.HashFromTile(t, tiles[tileID{t.L, t.N}], index); err != nil {
				return nil, fmt.Errorf("tile %d/%d lacks hash %d: %w", t.L, t.N, index, ErrMismatch)
			}
		}
		return hashes, nil
	})
}

// rootAt is the root that the stored tiles have for the first size events. The
// tree must have reached that size.
func rootAt(ctx context.Context, q eventstore.Querier, size int64) (tlog.Hash, error) {
	root, err := tlog.TreeHash(size, hashReader(ctx, q))
	if err != nil {
		return tlog.Hash{}, fmt.Errorf("compute root at %d: %w", size, err)
	}
	return root, nil
}

// readEdge reads the right edge of the stored tree at its present size or a
// smaller one.
func readEdge(ctx context.Context, q eventstore.Querier, size int64) (*edge, error) {
	wanted := make(map[tileID]bool)
	for level := range edgeLevels(size) {
		n, _ := edgeTile(level, size)
		wanted[tileID{level, n}] = true
	}
	tiles, err := readTiles(ctx, q, wanted)
	if err != nil {
		return nil, err
	}
	e := &edge{size: size}
	for level := range edgeLevels(size) {
		n, width := edgeTile(level, size)
		hashes := tiles[tileID{level, n}]
		if len(hashes) < width*tlog.HashSize {
			return nil, fmt.Errorf("tile %d/%d has %d hashes, a tree of %d events wants %d: %w",
				level, n, len(hashes)/tlog.HashSize, size, width, ErrMismatch)
		}
		e.tiles = append(e.tiles, append(make([]byte, 0, tileBytes), hashes[:width*tlog.HashSize]...))
	}
	return e, nil
}
