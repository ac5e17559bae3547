package transparency_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"daftar/internal/postgres/pgtest"
	"daftar/internal/sealing"
	"daftar/internal/worker"
	"daftar/transparency"
)

// While there are new events, the next checkpoint is never more than a second away; without new
// events there is none.
func TestCheckpointCadence(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.notary()
	look := func() {
		t.Helper()
		if err := n.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	signed := func() int64 { return value[int64](w, `SELECT count(*) FROM transparency_checkpoints`) }
	if look(); signed() != 0 {
		t.Fatal("an empty log was signed")
	}
	if _, err := transparency.Latest(t.Context(), w.pool); !errors.Is(err, transparency.ErrNoCheckpoint) {
		t.Fatalf("latest of none: %v", err)
	}
	const seconds, tick = 5, time.Second / 4
	for range int(seconds * time.Second / tick) {
		w.fill(1)
		w.grow(10)
		added := w.now
		w.now = w.now.Add(tick)
		look()
		if c := w.latest(); c.Size != w.size() && w.now.Sub(added) > time.Second {
			t.Fatal("an event waits longer than a second")
		}
	}
	if got := signed(); got < seconds || got > seconds*4/3+1 {
		t.Errorf("%d checkpoints in %d s of new events", got, seconds)
	}
	w.now = w.now.Add(time.Second)
	look()
	if c := w.latest(); c.Size != w.size() {
		t.Errorf("a second later %d of %d events are signed", c.Size, w.size())
	}
	quiet := signed()
	for range 10 {
		w.now = w.now.Add(time.Second)
		look()
	}
	if signed() != quiet {
		t.Error("checkpoints were signed without new events")
	}
}

// Several servers at once sign one history, as often as one would.
func TestServersSignTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	notaries := []*transparency.Notary{w.notary(), w.notary(), w.notary()}
	for range 10 {
		w.fill(3)
		w.grow(10)
		w.now = w.now.Add(time.Second)
		var all sync.WaitGroup
		for _, n := range notaries {
			all.Go(func() {
				if err := n.Look(t.Context()); err != nil {
					t.Errorf("sign: %v", err)
				}
			})
		}
		all.Wait()
	}
	if got := value[int64](w, `SELECT count(*) FROM transparency_checkpoints`); got != 10 {
		t.Errorf("%d checkpoints, want 10", got)
	}
	if r := w.verify(); !r.OK || r.Checkpoints != 10 {
		t.Errorf("verify: %+v", r)
	}
}

// A tree that no longer contains the signed events gets no signature.
func TestForkIsNotSigned(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill(300)
	w.grow(300)
	before := w.sign()
	w.tamper(`
		UPDATE transparency_tiles
		SET hashes = overlay(hashes PLACING decode(repeat('ab', 32), 'hex') FROM 32 * 9 + 1)
		WHERE level = 0
		  AND n = 1`)
	w.fill(10)
	w.grow(10)
	w.now = w.now.Add(time.Minute)
	registry := prometheus.NewRegistry()
	n := w.notary(func(c *transparency.Config) { c.Registerer = registry })
	if err := n.Look(t.Context()); !errors.Is(err, transparency.ErrForked) {
		t.Fatalf("got %v, want ErrForked", err)
	}
	if c := w.latest(); c != before {
		t.Errorf("signed %+v", c)
	}
	if gauge(t, registry, "daftar_transparency_forked") != 1 ||
		gauge(t, registry, "daftar_transparency_size") != 310 ||
		gauge(t, registry, "daftar_transparency_lag") != 10 ||
		gauge(t, registry, "daftar_transparency_checkpoint_age_seconds") != 60 {
		t.Error("the gauges do not show it")
	}
}

func gauge(t *testing.T, from *prometheus.Registry, name string) float64 {
	t.Helper()
	families, err := from.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}

// The service's key is made once, survives and opens only under its secret key.
func TestKeyIsMadeOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if again := w.loadKey(); again.Public() != w.key.Public() || w.key.Origin() != "pay.example.ly" {
		t.Errorf("loaded %s, then %s", w.key.Public(), again.Public())
	}
	other, err := sealing.Parse(strings.Repeat("6b", 32))
	if err != nil {
		t.Fatal(err)
	}
	_, err = transparency.LoadKey(t.Context(), w.pool, other, "pay.example.ly", w.now)
	if !errors.Is(err, transparency.ErrSealed) {
		t.Errorf("under another secret key: %v", err)
	}
	if _, err := transparency.LoadKey(t.Context(), w.pool, sealing.Key{}, "pay.example.ly", w.now); err == nil {
		t.Error("a key was loaded without a secret key")
	}
	made, private, err := transparency.NewKey("ledger.example.ly")
	if err != nil {
		t.Fatal(err)
	}
	read, err := transparency.ParseKey(private)
	if err != nil || read.Public() != made.Public() {
		t.Errorf("read %s, %v; made %s", read.Public(), err, made.Public())
	}
	for _, bad := range []string{"", "PRIVATE+KEY+x", made.Public(), private[:len(private)-4]} {
		if _, err := transparency.ParseKey(bad); !errors.Is(err, transparency.ErrKey) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestDirectoryGetsEveryCheckpoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir := t.TempDir()
	n := w.notary(func(c *transparency.Config) { c.Dir = dir })
	var last transparency.Checkpoint
	for range 3 {
		w.fill(4)
		w.grow(10)
		last = w.sign()
		if err := n.Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	want := []string{"00000000000000000004", "00000000000000000008", "00000000000000000012", "latest"}
	if !slices.Equal(names, want) {
		t.Errorf("files %v, want %v", names, want)
	}
	text, err := os.ReadFile(filepath.Join(dir, "latest"))
	if err != nil || string(text) != last.Note {
		t.Errorf("latest is %q, %v", text, err)
	}
	w.fill(1)
	w.grow(10)
	w.sign()
	if err := os.WriteFile(filepath.Join(dir, "latest"), []byte(forged(t, w, 12)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := n.Publish(t.Context()); !errors.Is(err, transparency.ErrForked) {
		t.Errorf("with the checkpoint of another history: %v", err)
	}
}

// forged is a checkpoint of another history, signed by the world's key.
func forged(t *testing.T, w *world, size int) string {
	t.Helper()
	other := newWorld(t)
	other.key = w.key
	other.fill(size)
	other.grow(1000)
	return other.sign().Note
}

// Run signs and publishes by itself, continues after a failure, and ends with its context.
func TestRunPublishes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := &receiver{status: http.StatusBadGateway}
	server := httptest.NewServer(r)
	defer server.Close()
	dir := t.TempDir()
	n := w.notary(func(c *transparency.Config) { c.Dir, c.URL, c.Now = dir, server.URL, time.Now })
	w.fill(6)
	w.grow(10)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		n.Run(ctx)
	}()
	pgtest.WaitFor(t, "the checkpoint's file", func() bool {
		_, err := os.Stat(filepath.Join(dir, "latest"))
		return err == nil
	})
	r.answer(http.StatusOK)
	pgtest.WaitFor(t, "the checkpoint to be sent", func() bool { return len(r.received()) == 1 })
	cancel()
	<-done
}

// A Notary whose newest checkpoint covers the log rests. It notices within seconds what polls show: new
// events, and a tree that was damaged.
func TestRunNoticesWhileItRests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	registry := prometheus.NewRegistry()
	n := w.notary(func(c *transparency.Config) { c.Registerer, c.Now = registry, time.Now })
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		n.Run(ctx)
	}()
	defer func() { cancel(); <-done }()
	began := time.Now()
	for _, size := range []float64{6, 12} {
		w.fill(6)
		w.grow(10)
		pgtest.WaitFor(t, "a checkpoint that covers the log", func() bool {
			return gauge(t, registry, "daftar_transparency_size") == size &&
				gauge(t, registry, "daftar_transparency_lag") == 0
		})
	}
	w.tamper(`UPDATE transparency_tiles SET hashes = decode(repeat('00', length(hashes)), 'hex')`)
	pgtest.WaitFor(t, "the alarm", func() bool { return gauge(t, registry, "daftar_transparency_forked") == 1 })
	if took := time.Since(began); took > worker.SafetyPoll/2 {
		t.Errorf("it took %s", took)
	}
}

// A server refuses to start if its log is not the one that was published.
func TestRefusesToStartBehind(t *testing.T) {
	t.Parallel()
	ahead := newWorld(t)
	ahead.fill(20)
	ahead.grow(100)
	published := ahead.sign()
	other, _, err := transparency.NewKey("pay.example.ly")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		note    string
		events  int
		treeAt  int64 // size of the tree
		foreign bool  // the server has another key
		want    error
	}{
		"behind":               {note: published.Note, events: 5, treeAt: 5, want: transparency.ErrBehind},
		"empty":                {note: published.Note, want: transparency.ErrBehind},
		"another history":      {note: published.Note, events: 25, treeAt: 25, want: transparency.ErrForked},
		"another, not in tree": {note: published.Note, events: 25, treeAt: 10, want: transparency.ErrForked},
		"another key": {note: published.Note, events: 25, treeAt: 25, foreign: true,
			want: transparency.ErrSignature},
		"no checkpoint": {note: "something else\n", events: 25, treeAt: 25,
			want: transparency.ErrNotCheckpoint},
		"nothing was published": {events: 3, treeAt: 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if w.key = ahead.key; c.foreign {
				w.key = other
			}
			w.fill(c.events)
			if c.treeAt > 0 {
				if err := w.handle(w.events(0, c.treeAt)); err != nil {
					t.Fatal(err)
				}
			}
			checkStart(t, w, c.note, c.want)
		})
	}
	checkStart(t, ahead, published.Note, nil)
	ahead.fill(30)
	checkStart(t, ahead, published.Note, nil)
	ahead.tamper(`UPDATE transparency_tree SET size = 0`, `DELETE FROM transparency_tiles`)
	checkStart(t, ahead, published.Note, nil) // the tree alone is lost
	ahead.tamper(`DELETE FROM events WHERE position > 15`)
	checkStart(t, ahead, "", transparency.ErrBehind) // the database's own checkpoint is larger
}

func checkStart(t *testing.T, w *world, note string, want error) {
	t.Helper()
	dir := t.TempDir()
	if note != "" {
		if err := os.WriteFile(filepath.Join(dir, "latest"), []byte(note), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	n := w.notary(func(c *transparency.Config) { c.Dir = dir })
	if err := n.CheckPublished(t.Context()); !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}
