package transparency_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/transparency"
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
	edgeIsTheTreeOfTlog(t, 65536+300)
}

func edgeIsTheTreeOfTlog(t *testing.T, upTo int64) {
	t.Helper()
	var e transparency.Edge
	var r reference
	written, since := []tlog.Tile{}, int64(0)
	for n := range upTo {
		h := tlog.RecordHash(fmt.Appendf(nil, "event %d", n))
		r.add(t, n, h)
		written = append(written, e.Add(h)...)
		size := n + 1
		if size > 600 && size%257 != 0 && size%65536 > 2 {
			continue
		}
		want, err := tlog.TreeHash(size, &r)
		if err != nil {
			t.Fatal(err)
		}
		if e.Root() != want {
			t.Fatalf("size %d: root %s, want %s", size, e.Root(), want)
		}
		tiles := slices.Concat(written, e.Changed(since))
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
