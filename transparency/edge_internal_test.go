package transparency

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/eventstore"
)

// reference is a tree as tlog stores it: all hashes in one list.
type reference struct{ hashes []tlog.Hash }

func (r *reference) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(indexes))
	for n, index := range indexes {
		found[n] = r.hashes[index]
	}
	return found, nil
}

func (r *reference) add(t *testing.T, n int64, h tlog.Hash) {
	t.Helper()
	hashes, err := tlog.StoredHashesForRecordHash(n, h, r)
	if err != nil {
		t.Fatal(err)
	}
	r.hashes = append(r.hashes, hashes...)
}

// The tree equals tlog's at every size, over three levels of tiles, and the changed tiles are those
// that tlog would write.
func TestEdgeIsTheTreeOfTlog(t *testing.T) {
	t.Parallel()
	var e edge
	var r reference
	written, since := []tlog.Tile{}, int64(0)
	for n := range int64(2*65536 + 300) {
		h := tlog.RecordHash(fmt.Appendf(nil, "event %d", n))
		r.add(t, n, h)
		for _, full := range e.add(h) {
			written = append(written, tlog.Tile{H: tileHeight, L: full.level, N: full.n, W: tileWidth})
		}
		size := n + 1
		if size > 600 && size%257 != 0 && size%65536 > 2 {
			continue
		}
		want, err := tlog.TreeHash(size, &r)
		if err != nil {
			t.Fatal(err)
		}
		if e.root() != want {
			t.Fatalf("size %d: root %s, want %s", size, e.root(), want)
		}
		tiles := written
		for _, part := range changedPartial(&e, since) {
			width := len(part.hashes) / tlog.HashSize
			tiles = append(tiles, tlog.Tile{H: tileHeight, L: part.level, N: part.n, W: width})
		}
		expected := tlog.NewTiles(8, since, size)
		for _, list := range [][]tlog.Tile{tiles, expected} {
			slices.SortFunc(list, func(a, b tlog.Tile) int {
				if a.L != b.L {
					return a.L - b.L
				}
				return int(a.N - b.N)
			})
		}
		if diff := cmp.Diff(expected, tiles); diff != "" {
			t.Fatalf("from %d to %d other tiles change (-want +got):\n%s", since, size, diff)
		}
		written, since = nil, size
	}
}

// BenchmarkHash measures a leaf, without the database.
func BenchmarkHash(b *testing.B) {
	event := eventstore.Recorded{
		Position: 1, Stream: uuid.New(), Version: 1, Type: "intent.created", SchemaVersion: 1,
		Payload:  fmt.Appendf(nil, `{"n":1,"filler":"%0400d"}`, 7),
		Metadata: []byte(`{"actor":"application:0194e2f4-7d3a-5c1e-9b0a-6f2d8c4e1a55","request_id":"x"}`),
	}
	var e edge
	for b.Loop() {
		e.add(tlog.RecordHash(Leaf(event)))
	}
}
