package transparency

import (
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// Tiles have height 8: a full one holds 256 hashes, whose root is one hash of the
// tile above. Level k of tiles is level 8k of the tree.
const (
	tileHeight = 8
	tileWidth  = 1 << tileHeight
	tileBytes  = tileWidth * tlog.HashSize
)

// edge is the right edge of a tree: of each level the tile that is not full yet.
// It is enough to add a leaf or to compute the root.
type edge struct {
	size  int64
	tiles [][]byte
}

type tileID struct {
	level int
	n     int64
}

type tile struct {
	tileID
	hashes []byte
}

// edgeLevels is how many levels of tiles a tree of the given size has.
func edgeLevels(size int64) int {
	levels := 0
	for ; size > 0; size >>= tileHeight {
		levels++
	}
	return levels
}

// edgeTile is the tile of a level to which the next hash is added, and how many hashes it has.
func edgeTile(level int, size int64) (id tileID, width int) {
	hashes := size >> (tileHeight * level)
	return tileID{level, hashes >> tileHeight}, int(hashes & (tileWidth - 1))
}

// edgeTiles are the tiles of the edge of a tree: one of each level, also if it is
// empty, and at least one.
func edgeTiles(size int64) []tileID {
	ids := make([]tileID, max(edgeLevels(size), 1))
	for level := range ids {
		ids[level], _ = edgeTile(level, size)
	}
	return ids
}

// edgeFrom is the edge of a tree at a size, from its tiles. They may have more hashes by now,
// unless exact is set.
func edgeFrom(size int64, tiles tileCache, exact bool) (*edge, error) {
	e := &edge{size: size}
	for level, id := range edgeTiles(size) {
		_, width := edgeTile(level, size)
		hashes := tiles[id]
		if len(hashes) < width*tlog.HashSize || exact && len(hashes) > width*tlog.HashSize {
			return nil, fmt.Errorf("tile %d/%d has %d hashes, a tree of %d events wants %d: %w",
				level, id.n, len(hashes)/tlog.HashSize, size, width, ErrMismatch)
		}
		e.tiles = append(e.tiles, append(make([]byte, 0, tileBytes), hashes[:width*tlog.HashSize]...))
	}
	return e, nil
}

// add appends a leaf and returns the tiles that it filled. The caller may keep them.
func (e *edge) add(h tlog.Hash) (filled []tile) {
	for level := 0; ; level++ {
		if level == len(e.tiles) {
			e.tiles = append(e.tiles, make([]byte, 0, tileBytes))
		}
		e.tiles[level] = append(e.tiles[level], h[:]...)
		hashes := e.tiles[level]
		if len(hashes) < tileBytes {
			e.size++
			return filled
		}
		id, _ := edgeTile(level, e.size)
		filled = append(filled, tile{id, hashes})
		h = perfectRoot(hashes)
		e.tiles[level] = make([]byte, 0, tileBytes)
	}
}

func (e *edge) partial() []tile {
	var tiles []tile
	for level, hashes := range e.tiles {
		if len(hashes) > 0 {
			id, _ := edgeTile(level, e.size)
			tiles = append(tiles, tile{id, hashes})
		}
	}
	return tiles
}

// root is the tree's root: of a tree without leaves, the hash of nothing.
func (e *edge) root() tlog.Hash {
	root, err := tlog.TreeHash(0, nil)
	if err != nil {
		panic("transparency: the empty tree has no root: " + err.Error())
	}
	empty := true
	for _, hashes := range e.tiles {
		// From right to left, the perfect subtrees of a tile grow.
		for width := 1; len(hashes) > 0; width *= 2 {
			if (len(hashes)/tlog.HashSize)&width == 0 {
				continue
			}
			cut := len(hashes) - width*tlog.HashSize
			left := perfectRoot(hashes[cut:])
			hashes = hashes[:cut]
			if empty {
				root, empty = left, false
				continue
			}
			root = tlog.NodeHash(left, root)
		}
	}
	return root
}

func (e *edge) clone() *edge {
	c := &edge{size: e.size, tiles: make([][]byte, len(e.tiles))}
	for level, hashes := range e.tiles {
		c.tiles[level] = append(make([]byte, 0, tileBytes), hashes...)
	}
	return c
}

// perfectRoot is the root over 1, 2, 4 … hashes.
func perfectRoot(hashes []byte) tlog.Hash {
	if len(hashes) == tlog.HashSize {
		return tlog.Hash(hashes)
	}
	var row [tileWidth / 2]tlog.Hash
	count := len(hashes) / tlog.HashSize / 2
	for n := range count {
		pair := hashes[2*n*tlog.HashSize:]
		row[n] = tlog.NodeHash(tlog.Hash(pair[:tlog.HashSize]), tlog.Hash(pair[tlog.HashSize:2*tlog.HashSize]))
	}
	for ; count > 1; count /= 2 {
		for n := range count / 2 {
			row[n] = tlog.NodeHash(row[2*n], row[2*n+1])
		}
	}
	return row[0]
}
