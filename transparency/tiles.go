package transparency

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/internal/postgres"
)

// ErrMismatch says that an event or a tile does not continue the tree as it is
// stored. Nothing was written.
var ErrMismatch = errors.New("it does not match the tree")

const sizeSQL = `SELECT size FROM transparency_tree`

var errNoTree = fmt.Errorf("transparency_tree has no row: %w", ErrMismatch)

func treeSize(ctx context.Context, q postgres.Querier) (int64, error) {
	return postgres.Find(ctx, q, "read size of the tree", errNoTree, pgx.RowTo[int64], sizeSQL)
}

const tilesSQL = `
SELECT t.level, t.n, t.hashes
FROM unnest($1::int2[], $2::int8[]) AS w(level, n)
CROSS JOIN LATERAL (SELECT level, n, hashes
                    FROM transparency_tiles
                    WHERE level = w.level
                      AND n = w.n OFFSET 0) t`

// tileCache has the tiles that one reader has read.
type tileCache map[tileID][]byte

// leafTiles are the tiles of level 0 that have the leaves of events after one position
// up to another.
func leafTiles(after, upTo int64) []tileID {
	var ids []tileID
	for n := after / tileWidth; n <= (upTo-1)/tileWidth; n++ {
		ids = append(ids, tileID{0, n})
	}
	return ids
}

// columnsOf are the columns of tile ids, as parameters of a statement.
func columnsOf(ids []tileID) (levels []int16, ns []int64) {
	for _, id := range ids {
		levels, ns = append(levels, int16(id.level)), append(ns, id.n)
	}
	return levels, ns
}

// readTiles reads the tiles that exist.
func readTiles(ctx context.Context, q postgres.Querier, ids ...tileID) (tileCache, error) {
	levels, ns := columnsOf(ids)
	rows, err := q.Query(ctx, tilesSQL, levels, ns)
	if err != nil {
		return nil, fmt.Errorf("read tiles: %w", err)
	}
	tiles, err := scanTiles(rows)
	if err != nil {
		return nil, fmt.Errorf("read tiles: %w", err)
	}
	return tiles, nil
}

func scanTiles(rows pgx.Rows) (tileCache, error) {
	tiles := make(tileCache)
	var id tileID
	var hashes []byte
	_, err := pgx.ForEachRow(rows, []any{&id.level, &id.n, &hashes}, func() error {
		tiles[id] = bytes.Clone(hashes)
		return nil
	})
	return tiles, err
}

// hashReader reads hashes of the tree, as tlog numbers them, from the tiles: one
// query for each call.
func hashReader(ctx context.Context, q postgres.Querier) tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var wanted []tileID
		for _, index := range indexes {
			t := tlog.TileForIndex(tileHeight, index)
			if id := (tileID{t.L, t.N}); !slices.Contains(wanted, id) {
				wanted = append(wanted, id)
			}
		}
		tiles, err := readTiles(ctx, q, wanted...)
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
// tree must have at least that size.
func rootAt(ctx context.Context, q postgres.Querier, size int64) (tlog.Hash, error) {
	root, err := tlog.TreeHash(size, hashReader(ctx, q))
	if err != nil {
		return tlog.Hash{}, fmt.Errorf("compute root at %d: %w", size, err)
	}
	return root, nil
}

// readEdge reads the right edge of the stored tree at its present size or a
// smaller one.
func readEdge(ctx context.Context, q postgres.Querier, size int64) (*edge, error) {
	tiles, err := readTiles(ctx, q, edgeTiles(size)...)
	if err != nil {
		return nil, err
	}
	return edgeFrom(size, tiles, false)
}

// leaf is the hash of the leaf with the given number, from 0 on.
func (tiles tileCache) leaf(at int64) (tlog.Hash, bool) {
	hashes, begin := tiles[tileID{0, at / tileWidth}], int(at%tileWidth)*tlog.HashSize
	if len(hashes) < begin+tlog.HashSize {
		return tlog.Hash{}, false
	}
	return tlog.Hash(hashes[begin : begin+tlog.HashSize]), true
}
