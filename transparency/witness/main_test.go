package witness_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/internal/postgres/pgtest"
	"daftar/transparency/witness"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// aLog is a log in memory, which may serve wrong answers.
type aLog struct {
	t      *testing.T
	signer note.Signer
	key    string
	server *httptest.Server

	mu     sync.Mutex
	hashes []tlog.Hash
	size   int64
	down   bool
}

func newLog(t *testing.T, name string) *aLog {
	t.Helper()
	private, public, err := note.GenerateKey(rand.Reader, name)
	if err != nil {
		t.Fatal(err)
	}
	l := &aLog{t: t, key: public}
	if l.signer, err = note.NewSigner(private); err != nil {
		t.Fatal(err)
	}
	l.server = httptest.NewServer(l)
	t.Cleanup(l.server.Close)
	return l
}

func (l *aLog) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var all []tlog.Hash
	for _, n := range indexes {
		all = append(all, l.hashes[n])
	}
	return all, nil
}

// grow appends n records that begin with a text.
func (l *aLog) grow(n int, text string) {
	l.t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for range n {
		added, err := tlog.StoredHashes(l.size, fmt.Appendf(nil, "%s %d", text, l.size), l)
		if err != nil {
			l.t.Fatal(err)
		}
		l.hashes = append(l.hashes, added...)
		l.size++
	}
}

// forget empties the log, so that another history can be appended.
func (l *aLog) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hashes, l.size = nil, 0
}

// checkpoint signs the present tree.
func (l *aLog) checkpoint() string {
	l.t.Helper()
	root, err := tlog.TreeHash(l.size, l)
	if err != nil {
		l.t.Fatal(err)
	}
	return l.sign(l.size, root)
}

func (l *aLog) sign(size int64, root tlog.Hash) string {
	l.t.Helper()
	text, err := note.Sign(&note.Note{Text: fmt.Sprintf("%s\n%d\n%s\n", l.signer.Name(), size, root)}, l.signer)
	if err != nil {
		l.t.Fatal(err)
	}
	return string(text)
}

func (l *aLog) proof(from int64) tlog.TreeProof {
	l.t.Helper()
	if from == 0 {
		return nil
	}
	p, err := tlog.ProveTree(l.size, from, l)
	if err != nil {
		l.t.Fatal(err)
	}
	return p
}

func (l *aLog) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.down {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	switch r.URL.Path {
	case "/transparency/key":
		_, _ = fmt.Fprintln(w, l.key)
	case "/transparency/checkpoint":
		_, _ = fmt.Fprint(w, l.checkpoint())
	case "/transparency/proof/consistency":
		from, _ := strconv.ParseInt(r.URL.Query().Get("from"), 10, 64)
		_ = json.NewEncoder(w).Encode(map[string]any{"hashes": l.proof(from)})
	default:
		http.NotFound(w, r)
	}
}

func (l *aLog) turn(down bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = down
}

// served is the address of the log.
func (l *aLog) served() witness.Log {
	l.t.Helper()
	served, err := witness.NewLog(l.server.URL + "/")
	if err != nil {
		l.t.Fatal(err)
	}
	return served.Impatient()
}

var now = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// open opens a witness on a state file.
func open(t *testing.T, path string) *witness.Witness {
	t.Helper()
	w, err := witness.Open(path, "witness.example.ly/one", func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

func statePath(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "witness.json")
}
