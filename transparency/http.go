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

// Where the handler's paths begin, and a short one for witnesses.
const (
	Prefix         = "/transparency/"
	CheckpointPath = "/checkpoint"
)

// Values of Cache-Control. Tiles and proofs below a checkpoint never change; the newest
// checkpoint changes each second.
const (
	cacheForever = "public, max-age=31536000, immutable"
	cacheSecond  = "public, max-age=1"
	cacheNever   = "no-store"
)

type site struct {
	pool      *pgxpool.Pool
	key       Key
	witnesses []Witness
	log       zerolog.Logger
}

// Handler serves the log to the public, below Prefix: the newest checkpoint with its
// cosignatures, the public key, tiles and proofs. It shows only hashes and
// numbers. The checkpoint is also at CheckpointPath.
func Handler(pool *pgxpool.Pool, key Key, log zerolog.Logger, witnesses ...Witness) http.Handler {
	s := &site{pool: pool, key: key, witnesses: witnesses, log: log}
	routes := mux.NewRouter()
	routes.NotFoundHandler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "Not found.")
	})
	routes.MethodNotAllowedHandler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, "Method not allowed.")
	})
	for path, serve := range map[string]func(http.ResponseWriter, *http.Request) error{
		CheckpointPath:               s.checkpoint,
		Prefix + "checkpoint":        s.checkpoint,
		Prefix + "key":               s.publicKey,
		Prefix + "proof/inclusion":   s.inclusion,
		Prefix + "proof/consistency": s.consistency,
		Prefix + `{tile:tile/.+}`:    s.tile,
	} {
		routes.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if err := serve(w, r); err != nil {
				s.fail(w, r, err)
			}
		}).Methods(http.MethodGet, http.MethodHead)
	}
	return routes
}

func refuse(w http.ResponseWriter, status int, message string) {
	answer(w, status, cacheNever, map[string]string{"message": message})
}

func answer(w http.ResponseWriter, status int, cache string, value any) {
	setHeader(w, "application/json", cache)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // the client may have gone
}

func answerText(w http.ResponseWriter, cache, kind, text string) {
	setHeader(w, kind, cache)
	w.Header().Set("Access-Control-Allow-Origin", "*") // public for pages of auditors, too
	_, _ = w.Write([]byte(text))                       // the client may have gone
}

func setHeader(w http.ResponseWriter, kind, cache string) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", cache)
}

// refusal is an error that the request caused.
type refusal struct {
	status  int
	message string
}

func (r refusal) Error() string { return r.message }

// fail answers for an error: 503 if the request did not cause it.
func (s *site) fail(w http.ResponseWriter, r *http.Request, err error) {
	if refused, ok := errors.AsType[refusal](err); ok {
		refuse(w, refused.status, refused.message)
		return
	}
	if errors.Is(err, ErrNoCheckpoint) {
		refuse(w, http.StatusNotFound, "No checkpoint has been signed yet.")
		return
	}
	if r.Context().Err() == nil {
		s.log.Error().Err(err).Str("path", r.URL.Path).Msg("transparency: request failed")
	}
	w.Header().Set("Retry-After", "1")
	refuse(w, http.StatusServiceUnavailable, "The log cannot be read at the moment.")
}

func (s *site) publicKey(w http.ResponseWriter, _ *http.Request) error {
	answerText(w, cacheSecond, "text/plain; charset=utf-8", s.key.Public()+"\n")
	return nil
}

func (s *site) checkpoint(w http.ResponseWriter, r *http.Request) error {
	c, err := s.key.newest(r.Context(), s.pool)
	if err != nil {
		return err
	}
	text, err := withCosignatures(r.Context(), s.pool, c, s.witnesses)
	if err == nil {
		answerText(w, cacheSecond, "text/plain; charset=utf-8", text)
	}
	return err
}

// tile serves a tile at the requested width, once it has grown that wide.
func (s *site) tile(w http.ResponseWriter, r *http.Request) error {
	t, err := tlog.ParseTilePath(mux.Vars(r)["tile"])
	if err != nil || t.H != tileHeight || t.L < 0 {
		return refusal{http.StatusNotFound,
			"There is no such tile; paths are tile/8/LEVEL/NUMBER and tile/8/LEVEL/NUMBER.p/WIDTH."}
	}
	id := tileID{t.L, t.N}
	tiles, err := readTiles(r.Context(), s.pool, id)
	if err != nil {
		return err
	}
	if len(tiles[id]) < t.W*tlog.HashSize {
		return refusal{http.StatusNotFound, "The tile has not grown that wide yet."}
	}
	answerText(w, cacheForever, "application/octet-stream", string(tiles[id][:t.W*tlog.HashSize]))
	return nil
}

// numbers reads two query parameters; if the second is missing, it is the size
// of the newest checkpoint.
func (s *site) numbers(r *http.Request, first, second string) (a, b, newest int64, err error) {
	c, err := s.key.newest(r.Context(), s.pool)
	if err != nil {
		return 0, 0, 0, err
	}
	if a, err = number(r, first); err != nil {
		return 0, 0, 0, err
	}
	b = c.Size
	if r.URL.Query().Get(second) != "" {
		b, err = number(r, second)
	}
	return a, b, c.Size, err
}

func number(r *http.Request, name string) (int64, error) {
	text := r.URL.Query().Get(name)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || strings.HasPrefix(text, "+") {
		return 0, refusal{http.StatusBadRequest, name + " must be a whole number from 1 on."}
	}
	return n, nil
}

func cacheFor(r *http.Request, whole string) string {
	if r.URL.Query().Has(whole) {
		return cacheForever
	}
	return cacheSecond
}

func (s *site) inclusion(w http.ResponseWriter, r *http.Request) error {
	position, size, newest, err := s.numbers(r, "position", "size")
	if err != nil {
		return err
	}
	if size > newest || position > size {
		return refusal{http.StatusNotFound, "No checkpoint covers that position yet."}
	}
	leaf, err := hashReader(r.Context(), s.pool).ReadHashes([]int64{tlog.StoredHashIndex(0, position-1)})
	if err != nil {
		return err
	}
	path, err := pathOf(r.Context(), s.pool, position, size)
	if err != nil {
		return err
	}
	answer(w, http.StatusOK, cacheFor(r, "size"), map[string]any{
		"position": position, "size": size, "leaf_hash": leaf[0], "hashes": path,
	})
	return nil
}

func (s *site) consistency(w http.ResponseWriter, r *http.Request) error {
	from, to, newest, err := s.numbers(r, "from", "to")
	if err != nil {
		return err
	}
	if from > to {
		return refusal{http.StatusBadRequest, "from must not be greater than to."}
	}
	if to > newest {
		return refusal{http.StatusNotFound, "No checkpoint is that large yet."}
	}
	proof, err := tlog.ProveTree(to, from, hashReader(r.Context(), s.pool))
	if err != nil {
		return err
	}
	answer(w, http.StatusOK, cacheFor(r, "to"), map[string]any{"from": from, "to": to, "hashes": nonNil(proof)})
	return nil
}

// nonNil makes a nil list an empty one, which JSON shows as [].
func nonNil(hashes []tlog.Hash) []tlog.Hash {
	if hashes == nil {
		return []tlog.Hash{}
	}
	return hashes
}
