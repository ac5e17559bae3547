package transparency

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/gorilla/mux"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"golang.org/x/mod/sumdb/tlog"
)

// Prefix is where the handler's paths begin.
const Prefix = "/transparency/"

// Cache-Control. What is below a checkpoint never changes; the newest checkpoint
// does, each second.
const (
	cacheForever = "public, max-age=31536000, immutable"
	cacheSecond  = "public, max-age=1"
	cacheNever   = "no-store"
)

type site struct {
	pool *pgxpool.Pool
	key  string
	log  zerolog.Logger
}

// Handler serves the log to the public, below Prefix: the newest checkpoint, the
// public key, tiles and proofs. All it shows are hashes and numbers.
func Handler(pool *pgxpool.Pool, key Key, log zerolog.Logger) http.Handler {
	s := &site{pool: pool, key: key.Public(), log: log}
	routes := mux.NewRouter()
	routes.NotFoundHandler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "Not found.")
	})
	routes.MethodNotAllowedHandler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, "Method not allowed.")
	})
	for path, serve := range map[string]http.HandlerFunc{
		"checkpoint": s.checkpoint, "key": s.publicKey, "proof/inclusion": s.inclusion, "proof/consistency": s.consistency,
		`{tile:tile/.+}`: s.tile,
	} {
		routes.HandleFunc(Prefix+path, serve).Methods(http.MethodGet, http.MethodHead)
	}
	return routes
}

func refuse(w http.ResponseWriter, status int, message string) {
	answer(w, status, cacheNever, map[string]string{"message": message})
}

func answer(w http.ResponseWriter, status int, cache string, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", cache)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // the client may have gone
}

func answerText(w http.ResponseWriter, cache, kind, text string) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", cache)
	w.Header().Set("Access-Control-Allow-Origin", "*") // public for pages of auditors, too
	_, _ = w.Write([]byte(text))                       // the client may have gone
}

// fail answers 503 after an internal error.
func (s *site) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() == nil {
		s.log.Error().Err(err).Str("path", r.URL.Path).Msg("transparency: request failed")
	}
	w.Header().Set("Retry-After", "1")
	refuse(w, http.StatusServiceUnavailable, "The log cannot be read at the moment.")
}

func (s *site) publicKey(w http.ResponseWriter, _ *http.Request) {
	answerText(w, cacheSecond, "text/plain; charset=utf-8", s.key+"\n")
}

// latest is the newest checkpoint; where there is none it answers itself.
func (s *site) latest(w http.ResponseWriter, r *http.Request) (Checkpoint, bool) {
	c, err := Latest(r.Context(), s.pool)
	switch {
	case errors.Is(err, ErrNoCheckpoint):
		refuse(w, http.StatusNotFound, "No checkpoint has been signed yet.")
		return c, false
	case err != nil:
		s.fail(w, r, err)
		return c, false
	}
	return c, true
}

func (s *site) checkpoint(w http.ResponseWriter, r *http.Request) {
	if c, ok := s.latest(w, r); ok {
		answerText(w, cacheSecond, "text/plain; charset=utf-8", c.Note)
	}
}

// tile serves as much of a tile as was asked for, once there is that much.
func (s *site) tile(w http.ResponseWriter, r *http.Request) {
	t, err := tlog.ParseTilePath(mux.Vars(r)["tile"])
	if err != nil || t.H != tileHeight || t.L < 0 {
		refuse(w, http.StatusNotFound, "There is no such tile; paths are tile/8/LEVEL/NUMBER and tile/8/LEVEL/NUMBER.p/WIDTH.")
		return
	}
	tiles, err := readTiles(r.Context(), s.pool, map[tileID]bool{{t.L, t.N}: true})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	hashes := tiles[tileID{t.L, t.N}]
	if len(hashes) < t.W*tlog.HashSize {
		refuse(w, http.StatusNotFound, "The tile has not grown that wide yet.")
		return
	}
	answerText(w, cacheForever, "application/octet-stream", string(hashes[:t.W*tlog.HashSize]))
}

// number is a query parameter; the given one where it is missing and may be.
func number(w http.ResponseWriter, r *http.Request, name string, otherwise int64) (int64, bool) {
	text := r.URL.Query().Get(name)
	if text == "" && otherwise > 0 {
		return otherwise, true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || strings.HasPrefix(text, "+") {
		refuse(w, http.StatusBadRequest, name+" must be a whole number from 1 on.")
		return 0, false
	}
	return n, true
}

func cacheFor(r *http.Request, whole string) string {
	if r.URL.Query().Has(whole) {
		return cacheForever
	}
	return cacheSecond
}

func (s *site) inclusion(w http.ResponseWriter, r *http.Request) {
	c, ok := s.latest(w, r)
	if !ok {
		return
	}
	position, ok := number(w, r, "position", 0)
	if !ok {
		return
	}
	size, ok := number(w, r, "size", c.Size)
	if !ok {
		return
	}
	if size > c.Size || position > size {
		refuse(w, http.StatusNotFound, "No checkpoint covers that position yet.")
		return
	}
	reader := hashReader(r.Context(), s.pool)
	leaf, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, position-1)})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	proof, err := tlog.ProveRecord(size, position-1, reader)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answer(w, http.StatusOK, cacheFor(r, "size"), map[string]any{
		"position": position, "size": size, "leaf_hash": leaf[0], "hashes": nonNil(proof),
	})
}

func (s *site) consistency(w http.ResponseWriter, r *http.Request) {
	c, ok := s.latest(w, r)
	if !ok {
		return
	}
	from, ok := number(w, r, "from", 0)
	if !ok {
		return
	}
	to, ok := number(w, r, "to", c.Size)
	if !ok {
		return
	}
	if from > to {
		refuse(w, http.StatusBadRequest, "from must not be greater than to.")
		return
	}
	if to > c.Size {
		refuse(w, http.StatusNotFound, "No checkpoint is that large yet.")
		return
	}
	proof, err := tlog.ProveTree(to, from, hashReader(r.Context(), s.pool))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answer(w, http.StatusOK, cacheFor(r, "to"), map[string]any{"from": from, "to": to, "hashes": nonNil(proof)})
}

// nonNil is a list also where it is empty.
func nonNil(hashes []tlog.Hash) []tlog.Hash {
	if hashes == nil {
		return []tlog.Hash{}
	}
	return hashes
}
