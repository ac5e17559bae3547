package transparency_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/rs/zerolog"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/transparency"
)

func (w *world) get(path string) *httptest.ResponseRecorder {
	w.t.Helper()
	r := httptest.NewRecorder()
	transparency.Handler(w.pool, w.key, zerolog.Nop()).ServeHTTP(r,
		httptest.NewRequest(http.MethodGet, "/transparency/"+path, nil))
	return r
}

func body[T any](t *testing.T, r *httptest.ResponseRecorder) T {
	t.Helper()
	var v T
	if r.Code != http.StatusOK {
		t.Fatalf("%d %s", r.Code, r.Body)
	}
	if err := json.Unmarshal(r.Body.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// With the served tiles and proofs anyone can follow the log and check it, without trust and
// without seeing an event.
func TestAnybodyCanFollowTheLog(t *testing.T) {
	t.Parallel()
	anyoneCanFollowTheLog(t, 11)
}

// anyoneCanFollowTheLog gets the proof of each step-th event, and of the first and last ones of
// tiles.
func anyoneCanFollowTheLog(t *testing.T, step int64) {
	t.Helper()
	w := newWorld(t)
	w.fill(300)
	w.grow(64)
	first := w.sign()
	w.fill(230)
	w.grow(64)
	second := w.sign()
	w.fill(10)
	w.grow(64) // not signed yet

	r := w.get("checkpoint")
	if r.Code != http.StatusOK || r.Body.String() != second.Note ||
		!strings.Contains(r.Header().Get("Cache-Control"), "max-age=1") {
		t.Errorf("checkpoint: %d %v %s", r.Code, r.Header(), r.Body)
	}
	if r := w.get("key"); strings.TrimSpace(r.Body.String()) != w.key.Public() {
		t.Errorf("key: %s", r.Body)
	}
	type inclusion struct {
		Position, Size int64
		LeafHash       tlog.Hash `json:"leaf_hash"`
		Hashes         []tlog.Hash
	}
	type consistency struct {
		From, To int64
		Hashes   []tlog.Hash
	}
	edges := []int64{1, 255, 256, 257, 300, 301, 511, 512, 513, 530}
	for _, e := range w.events(0, 530) {
		if e.Position%step != 0 && !slices.Contains(edges, e.Position) {
			continue
		}
		p := body[inclusion](t, w.get(fmt.Sprintf("proof/inclusion?position=%d", e.Position)))
		if p.Size != 530 || p.LeafHash != tlog.RecordHash(transparency.Leaf(e)) {
			t.Fatalf("position %d: %+v", e.Position, p)
		}
		if err := tlog.CheckRecord(p.Hashes, p.Size, second.Root, e.Position-1, p.LeafHash); err != nil {
			t.Fatalf("position %d: %v", e.Position, err)
		}
	}
	c := body[consistency](t, w.get("proof/consistency?from=300"))
	if err := tlog.CheckTree(c.Hashes, c.To, second.Root, c.From, first.Root); err != nil {
		t.Errorf("consistency: %v", err)
	}
	// The signed root follows from the tiles alone, as a monitor reads them.
	reader := tlog.TileHashReader(tlog.Tree{N: second.Size, Hash: second.Root}, tiles{w})
	root, err := tlog.TreeHash(second.Size, reader)
	if err != nil || root != second.Root {
		t.Errorf("from the tiles: %s, %v", root, err)
	}
	h, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, 299)})
	if err != nil || h[0] != tlog.RecordHash(transparency.Leaf(w.events(299, 300)[0])) {
		t.Errorf("a leaf from the tiles: %v", err)
	}
	r = w.get("tile/8/0/001")
	if r.Header().Get("Cache-Control") != "public, max-age=31536000, immutable" || r.Body.Len() != 8192 {
		t.Errorf("full tile: %v, %d bytes", r.Header(), r.Body.Len())
	}
}

// tiles reads tiles over HTTP, as tlog's clients do.
type tiles struct{ w *world }

func (t tiles) Height() int { return 8 }

func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, one := range wanted {
		r := t.w.get(one.Path())
		if r.Code != http.StatusOK {
			return nil, fmt.Errorf("%s: %d", one.Path(), r.Code)
		}
		all = append(all, r.Body.Bytes())
	}
	return all, nil
}

func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func TestRequestsThatCannotBeAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.get("checkpoint")
	if r.Code != http.StatusNotFound || !strings.Contains(r.Body.String(), "signed yet") {
		t.Errorf("no checkpoint: %d %s", r.Code, r.Body)
	}
	w.fill(300)
	w.grow(64)
	w.sign()
	w.fill(5)
	w.grow(64)
	for path, want := range map[string]int{
		"":                             404,
		"secrets":                      404,
		"tile/8/0/002":                 404,
		"tile/8/0/001":                 404, // 49 wide
		"tile/8/0/001.p/50":            404,
		"tile/8/0/001.p/49":            200,
		"tile/4/0/000":                 404,
		"tile/8/data/000":              404,
		"tile/8/0/0":                   404,
		"tile/8/0/x999/x999/x999/999":  404,
		"tile/8/99/000":                404,
		"proof/inclusion":              400,
		"proof/inclusion?position=0":   400,
		"proof/inclusion?position=-1":  400,
		"proof/inclusion?position=x":   400,
		"proof/inclusion?position=301": 404,
		"proof/inclusion?position=9223372036854775807": 404,
		"proof/inclusion?position=3&size=2":            404,
		"proof/inclusion?position=3&size=305":          404,
		"proof/inclusion?position=3&size=10":           200,
		"proof/consistency":                            400,
		"proof/consistency?from=0":                     400,
		"proof/consistency?from=2&to=1":                400,
		"proof/consistency?from=1&to=301":              404,
		"proof/consistency?from=300":                   200,
	} {
		r := w.get(path)
		if r.Code != want {
			t.Errorf("%s: %d %s, want %d", path, r.Code, r.Body, want)
		}
		if r.Code != 200 && (!json.Valid(r.Body.Bytes()) || r.Header().Get("Cache-Control") != "no-store") {
			t.Errorf("%s: %v %s", path, r.Header(), r.Body)
		}
	}
	r = httptest.NewRecorder()
	transparency.Handler(w.pool, w.key, zerolog.Nop()).ServeHTTP(r,
		httptest.NewRequest(http.MethodPost, "/transparency/checkpoint", nil))
	if r.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", r.Code)
	}
}
