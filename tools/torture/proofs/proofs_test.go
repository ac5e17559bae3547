package proofs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"github.com/transparency-dev/merkle/compact"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/eventstore"
	"daftar/internal/postgres/pgtest"
	"daftar/transparency"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// upTo is the largest tree: one level more than 64 leaves need.
const upTo = 70

var hasher = rfc6962.DefaultHasher

// The other implementation computes the same roots from the leaves and accepts every proof
// of every small tree. The log serves exactly these proofs.
func TestAnotherVerifierAgrees(t *testing.T) {
	t.Parallel()
	pool := pgtest.Database(t).Pool(t)
	events := logged(t, pool)
	key := checkpointed(t, pool)
	leaves, roots := tree(t, events)
	c, err := transparency.Latest(t.Context(), pool)
	if err != nil || c.Size != upTo || !bytes.Equal(c.Root[:], roots[upTo]) {
		t.Fatalf("the checkpoint covers %d events with the root %s, want %x (%v)", c.Size, c.Root, roots[upTo], err)
	}
	log := transparency.Handler(pool, key, zerolog.Nop())
	stored := storedHashes(t, events)
	for size := int64(1); size <= upTo; size++ {
		for n := int64(1); n <= size; n++ {
			inclusion, err := tlog.ProveRecord(size, n-1, stored)
			if err != nil {
				t.Fatal(err)
			}
			err = proof.VerifyInclusion(hasher, uint64(n-1), uint64(size),
				leaves[n-1], bytesOf(inclusion), roots[size])
			if err != nil {
				t.Fatalf("inclusion of %d in %d: %v", n, size, err)
			}
			consistency, err := tlog.ProveTree(size, n, stored)
			if err != nil {
				t.Fatal(err)
			}
			err = proof.VerifyConsistency(hasher, uint64(n), uint64(size),
				bytesOf(consistency), roots[n], roots[size])
			if err != nil {
				t.Fatalf("consistency of %d with %d: %v", n, size, err)
			}
			if size > 17 && size < upTo {
				continue // requests cost queries, so only trees up to 17 leaves and the whole one are served
			}
			served(t, log, fmt.Sprintf("inclusion?position=%d&size=%d", n, size), inclusion)
			served(t, log, fmt.Sprintf("consistency?from=%d&to=%d", n, size), consistency)
		}
	}
}

// logged appends upTo events and adds them to the tree.
func logged(t *testing.T, pool *pgxpool.Pool) []eventstore.Recorded {
	t.Helper()
	store := eventstore.New(pool, pool, eventstore.Options{})
	events := make([]eventstore.Event, upTo)
	for n := range events {
		events[n] = eventstore.Event{
			Type: "intent.created", SchemaVersion: 1, Payload: fmt.Appendf(nil, `{"n":%d}`, n),
		}
	}
	_, err := store.Append(t.Context(), eventstore.Append{
		Stream: uuid.New(), Events: events, Metadata: eventstore.Metadata{Actor: "test"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	recorded, err := eventstore.NewReader(pool).ReadRange(t.Context(), 0, upTo, upTo)
	if err != nil {
		t.Fatal(err)
	}
	err = pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		return transparency.Group().Handle(t.Context(), tx, recorded)
	})
	if err != nil {
		t.Fatal(err)
	}
	return recorded
}

// checkpointed signs the tree and returns the key.
func checkpointed(t *testing.T, pool *pgxpool.Pool) transparency.Key {
	t.Helper()
	key, _, err := transparency.NewKey("pay.example")
	if err != nil {
		t.Fatal(err)
	}
	config := transparency.Config{Pool: pool, Key: key, Now: time.Now, Log: zerolog.Nop()}
	notary, err := transparency.New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { notary.Run(ctx) })
	defer running.Wait()
	defer cancel()
	pgtest.WaitFor(t, "a checkpoint", func() bool {
		_, err := transparency.Latest(ctx, pool)
		return err == nil
	})
	return key
}

// tree returns the hashes of the leaves and the root of each size, as the other
// implementation computes them.
func tree(t *testing.T, events []eventstore.Recorded) (leaves, roots [][]byte) {
	t.Helper()
	grown := (&compact.RangeFactory{Hash: hasher.HashChildren}).NewEmptyRange(0)
	roots = append(roots, hasher.EmptyRoot())
	for _, e := range events {
		leaf := hasher.HashLeaf(transparency.Leaf(e))
		if err := grown.Append(leaf, nil); err != nil {
			t.Fatal(err)
		}
		root, err := grown.GetRootHash(nil)
		if err != nil {
			t.Fatal(err)
		}
		leaves, roots = append(leaves, leaf), append(roots, root)
	}
	return leaves, roots
}

// storedHashes is the tree as tlog numbers its hashes.
func storedHashes(t *testing.T, events []eventstore.Recorded) tlog.HashReader {
	t.Helper()
	var all []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		found := make([]tlog.Hash, len(indexes))
		for n, index := range indexes {
			found[n] = all[index]
		}
		return found, nil
	})
	for n, e := range events {
		added, err := tlog.StoredHashes(int64(n), transparency.Leaf(e), reader)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, added...)
	}
	return reader
}

func bytesOf(hashes []tlog.Hash) [][]byte {
	all := make([][]byte, len(hashes))
	for n, h := range hashes {
		all[n] = h[:]
	}
	return all
}

// served requests a proof from the log and compares it.
func served(t *testing.T, log http.Handler, path string, want []tlog.Hash) {
	t.Helper()
	w := httptest.NewRecorder()
	address := transparency.Prefix + "proof/" + path
	log.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, nil))
	var answer struct {
		Hashes []tlog.Hash `json:"hashes"`
	}
	err := json.Unmarshal(w.Body.Bytes(), &answer)
	if err != nil || w.Code != http.StatusOK || !slices.Equal(answer.Hashes, want) {
		t.Fatalf("%s: %d, %v: %s, want %s", path, w.Code, err, w.Body, want)
	}
}
