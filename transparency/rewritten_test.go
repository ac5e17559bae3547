package transparency_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"daftar/transparency"
)

const dropTree = `DELETE FROM transparency_tiles; UPDATE transparency_tree SET size = 0`

// rewrite executes statements as a superuser and builds the tree again, so that the database is
// consistent.
func (w *world) rewrite(statements ...string) {
	w.t.Helper()
	w.tamper(append(statements, strings.Split(dropTree, "; ")...)...)
	w.grow(64)
}

// resign replaces all checkpoints by one over the present log, as anyone with the key can.
func (w *world) resign() {
	w.t.Helper()
	w.tamper(`DELETE FROM transparency_checkpoints`)
	w.sign()
}

func (w *world) tamperf(statement string, args ...any) {
	w.t.Helper()
	if _, err := w.super.Exec(w.t.Context(), statement, args...); err != nil {
		w.t.Fatalf("%s: %v", statement, err)
	}
}

// A superuser rewrites the log of a running server, which has signed the events up to 300. Whatever
// the tables contain then, nothing more is signed, and the gauge shows it.
func TestRunningServerSignsNoOtherHistory(t *testing.T) {
	t.Parallel()
	const changed = `UPDATE events SET payload = '{"n":7}' WHERE position = 70`
	for name, rewrite := range map[string]func(w *world){
		"an event and the tree":   func(w *world) { w.rewrite(changed) },
		"without any checkpoint":  func(w *world) { w.rewrite(changed, `DELETE FROM transparency_checkpoints`) },
		"signed with the key":     func(w *world) { w.rewrite(changed); w.resign() },
		"signed, and grown since": func(w *world) { w.rewrite(changed); w.fill(30); w.grow(64); w.resign() },
		"the newest events gone": func(w *world) {
			w.rewrite(`DELETE FROM events WHERE position > 280`,
				`DELETE FROM transparency_checkpoints WHERE size > 280`)
		},
		"the newest events replaced": func(w *world) {
			w.rewrite(`DELETE FROM events WHERE position > 280`,
				`DELETE FROM transparency_checkpoints WHERE size > 280`)
			w.fill(40)
			w.grow(64)
		},
		"the newest checkpoint gone": func(w *world) {
			w.tamper(`DELETE FROM transparency_checkpoints WHERE size = 300`)
		},
		"the newest checkpoint replaced": func(w *world) {
			other, err := transparency.ParseCheckpoint(forged(w.t, w, 300))
			if err != nil {
				w.t.Fatal(err)
			}
			w.tamperf(`UPDATE transparency_checkpoints SET root = $1, note = $2 WHERE size = 300`,
				other.Root[:], other.Note)
		},
		"a hash that only later roots have": func(w *world) {
			w.fill(220)
			w.grow(64)
			w.tamper(`
				UPDATE transparency_tiles
				SET hashes = set_byte(hashes, 32 + 6, get_byte(hashes, 32 + 6) # 1)
				WHERE level = 1`)
		},
		"a new event, after it came to the tree": func(w *world) {
			w.fill(10)
			w.grow(64)
			w.tamper(`UPDATE events SET payload = '{"n":7}' WHERE position = 305`)
		},
		"a new leaf, with the tree": func(w *world) {
			w.fill(10)
			w.grow(64)
			w.tamper(`
				UPDATE transparency_tiles
				SET hashes = set_byte(hashes, 32 * 48 + 6, get_byte(hashes, 32 * 48 + 6) # 1)
				WHERE level = 0
				  AND n = 1`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			registry := prometheus.NewRegistry()
			running := w.notary(func(c *transparency.Config) { c.Registerer = registry })
			for range 3 {
				w.fill(100)
				w.grow(64)
				w.now = w.now.Add(time.Second)
				if err := running.Look(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if w.latest().Size != 300 || gauge(t, registry, "daftar_transparency_forked") != 0 {
				t.Fatalf("before: %+v", w.latest())
			}
			w.tamper() // the triggers are off
			rewrite(w)
			signed := value[int64](w, `SELECT count(*) FROM transparency_checkpoints`)
			for range 2 {
				w.fill(5)
				w.grow(64)
				w.now = w.now.Add(time.Minute)
				if err := running.Look(t.Context()); !errors.Is(err, transparency.ErrForked) {
					t.Errorf("got %v, want ErrForked", err)
				}
				if gauge(t, registry, "daftar_transparency_forked") != 1 {
					t.Error("the gauge does not show it")
				}
			}
			if now := value[int64](w, `SELECT count(*) FROM transparency_checkpoints`); now != signed {
				t.Errorf("%d checkpoints were signed", now-signed)
			}
		})
	}
}

// A restarted server remembers nothing; the folder does.
func TestFolderRemembersOverARestart(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   []string
		add  int
		want error
	}{
		"an event and the tree": {do: []string{`UPDATE events SET payload = '{}' WHERE position = 70`},
			want: transparency.ErrForked},
		"cut off": {do: []string{`DELETE FROM events WHERE position > 280`},
			want: transparency.ErrBehind},
		"cut off and grown": {do: []string{`DELETE FROM events WHERE position > 280`}, add: 40,
			want: transparency.ErrForked},
		"the checkpoints": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			dir := t.TempDir()
			to := func(c *transparency.Config) { c.Dir = dir }
			w.fill(300)
			w.grow(64)
			published := w.sign()
			if err := w.notary(to).Publish(t.Context()); err != nil {
				t.Fatal(err)
			}
			w.rewrite(append(c.do, `DELETE FROM transparency_checkpoints`)...)
			w.fill(c.add)
			w.grow(64)
			if err := w.notary(to).CheckPublished(t.Context()); !errors.Is(err, c.want) {
				t.Errorf("at the start: %v, want %v", err, c.want)
			}
			if _, err := transparency.CheckHealth(t.Context(), w.pool, nil, dir); !errors.Is(err, c.want) {
				t.Errorf("doctor: %v, want %v", err, c.want)
			}
			kept, err := transparency.Published(dir)
			if err != nil || kept.Note != published.Note {
				t.Fatalf("the folder has %+v, %v", kept, err)
			}
			if r := w.verify(func(o *transparency.VerifyOptions) {
				o.Kept = []transparency.Checkpoint{kept}
			}); r.OK != (c.want == nil) {
				t.Errorf("verify: %+v", r)
			}
			// A checkpoint that only the database has lost is stored again.
			if c.want == nil && w.latest().Note != published.Note {
				t.Errorf("the newest checkpoint is %+v", w.latest())
			}
		})
	}
}

// A folder with another history also stops the signing and not only the publishing.
func TestFolderOfAnotherHistoryStopsSigning(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir := t.TempDir()
	registry := prometheus.NewRegistry()
	n := w.notary(func(c *transparency.Config) { c.Dir, c.Registerer = dir, registry })
	w.fill(20)
	w.grow(64)
	w.sign()
	for name, size := range map[string]int{"smaller": 10, "larger": 30} {
		if err := os.WriteFile(filepath.Join(dir, "latest"), []byte(forged(t, w, size)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := n.Publish(t.Context()); !errors.Is(err, transparency.ErrForked) {
			t.Errorf("%s: %v, want ErrForked", name, err)
		}
	}
	w.fill(5)
	w.grow(64)
	w.now = w.now.Add(time.Hour)
	err := n.Look(t.Context())
	if !errors.Is(err, transparency.ErrForked) || w.latest().Size != 20 ||
		gauge(t, registry, "daftar_transparency_forked") != 1 {
		t.Errorf("after that: %v, newest %d", err, w.latest().Size)
	}
}
