package witness

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/gorilla/mux"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/transparency"
)

const (
	largestRequest = 128 << 10
	// mostHashes is how many hashes a consistency proof may have (c2sp.org/tlog-witness).
	mostHashes = 63
)

// Handler implements c2sp.org/tlog-witness: add-checkpoint, and the newest cosigned
// checkpoint below the hash of the log's name. The latter is also at /checkpoint, and the
// witness's key at /key. If a submission convicts the log, found is called, after the answer.
func (w *Witness) Handler(found func(*Finding)) http.Handler {
	routes := mux.NewRouter()
	routes.HandleFunc("/add-checkpoint", func(out http.ResponseWriter, r *http.Request) {
		if f := w.addCheckpoint(out, r); f != nil {
			found(f)
		}
	}).Methods(http.MethodPost)
	get := func(path string, serve http.HandlerFunc) {
		routes.HandleFunc(path, serve).Methods(http.MethodGet, http.MethodHead)
	}
	get("/checkpoint", w.checkpoint)
	get("/{origin:[0-9a-f]{64}}/checkpoint", w.checkpoint)
	get("/key", func(out http.ResponseWriter, _ *http.Request) { answer(out, http.StatusOK, w.Public()+"\n") })
	return routes
}

func answer(out http.ResponseWriter, status int, text string) {
	out.Header().Set("Cache-Control", "no-store")
	if out.Header().Get("Content-Type") == "" {
		out.Header().Set("Content-Type", "text/plain; charset=utf-8")
	}
	out.WriteHeader(status)
	_, _ = io.WriteString(out, text) // the client may have gone
}

func (w *Witness) checkpoint(out http.ResponseWriter, r *http.Request) {
	c := w.Cosigned()
	name := sha256.Sum256([]byte(c.Origin))
	if of := mux.Vars(r)["origin"]; c.Note == "" || of != "" && of != hex.EncodeToString(name[:]) {
		answer(out, http.StatusNotFound, "No checkpoint of that log was cosigned.\n")
		return
	}
	answer(out, http.StatusOK, c.Note)
}

// statuses are the HTTP statuses of errors in c2sp.org/tlog-witness.
var statuses = []struct {
	err    error
	status int
}{
	{ErrUnknownLog, http.StatusNotFound},
	{transparency.ErrSignature, http.StatusForbidden},
	{transparency.ErrNotCheckpoint, http.StatusBadRequest},
	{errRequest, http.StatusBadRequest},
	{errTooLarge, http.StatusRequestEntityTooLarge},
	{errAhead, http.StatusBadRequest},
	{ErrProof, http.StatusUnprocessableEntity},
}

// addCheckpoint answers a submission, and returns the finding if it convicts the log.
func (w *Witness) addCheckpoint(out http.ResponseWriter, r *http.Request) *Finding {
	old, proof, text, err := readSubmission(http.MaxBytesReader(out, r.Body, largestRequest))
	var line string
	if err == nil {
		line, err = w.Add(text, old, proof)
	}
	if err == nil {
		answer(out, http.StatusOK, line)
		return nil
	}
	if stale, ok := errors.AsType[errStale](err); ok {
		out.Header().Set("Content-Type", "text/x.tlog.size")
		answer(out, http.StatusConflict, fmt.Sprintf("%d\n", stale.size))
		return nil
	}
	if f, ok := errors.AsType[*Finding](err); ok {
		answer(out, http.StatusUnprocessableEntity, "The log has signed another tree of that size.\n")
		return f
	}
	status, reason := http.StatusInternalServerError, "the checkpoint cannot be kept at the moment"
	for _, s := range statuses {
		if errors.Is(err, s.err) {
			status, reason = s.status, err.Error()
			break
		}
	}
	answer(out, status, reason+"\n")
	return nil
}

var (
	errRequest  = errors.New("the request is not what c2sp.org/tlog-witness says")
	errTooLarge = errors.New("the request is too large, or did not arrive")
)

// readSubmission reads the size that a checkpoint is to extend, the proof, and the checkpoint.
func readSubmission(body io.Reader) (old int64, proof tlog.TreeProof, checkpoint string, err error) {
	text, err := io.ReadAll(body)
	if err != nil {
		return 0, nil, "", errTooLarge
	}
	head, checkpoint, whole := strings.Cut(string(text), "\n\n")
	lines := strings.Split(head, "\n")
	size, named := strings.CutPrefix(lines[0], "old ")
	old, err = strconv.ParseInt(size, 10, 64)
	if !whole || !named || err != nil || old < 0 || strconv.FormatInt(old, 10) != size ||
		len(lines) > 1+mostHashes {
		return 0, nil, "", errRequest
	}
	for _, line := range lines[1:] {
		hash, err := base64.StdEncoding.Strict().DecodeString(line)
		if err != nil || len(hash) != tlog.HashSize || len(line) != base64.StdEncoding.EncodedLen(tlog.HashSize) {
			return 0, nil, "", errRequest
		}
		proof = append(proof, tlog.Hash(hash))
	}
	return old, proof, checkpoint, nil
}
