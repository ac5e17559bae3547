package transparency_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"daftar/transparency"
)

// deletions are statements that delete tables at once, and whether a server that is started
// afterwards signs: a server that remembers nothing has nothing to contradict.
var deletions = map[string]struct {
	do    string
	signs bool
}{
	"the tiles":          {do: `DELETE FROM transparency_tiles`},
	"the tree":           {do: `DELETE FROM transparency_tiles; UPDATE transparency_tree SET size = 0`},
	"the tree's row":     {do: `DELETE FROM transparency_tree`},
	"the table of tiles": {do: `TRUNCATE transparency_tiles`},
	"a table":            {do: `DROP TABLE transparency_tree`},
	"the checkpoints":    {do: `DELETE FROM transparency_checkpoints`, signs: true},
	"all of it": {do: `
		DELETE FROM transparency_checkpoints;
		DELETE FROM transparency_tiles;
		DELETE FROM transparency_tree`},
	"the newest of these": {do: `DELETE FROM transparency_checkpoints WHERE size > 100`, signs: true},
}

// If the tree or the checkpoints are deleted, the gauge shows it: on a running server, also without
// new events, and on one that is started.
func TestDeletedTablesAreShown(t *testing.T) {
	t.Parallel()
	for name, c := range deletions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			registry := prometheus.NewRegistry()
			running := w.notary(func(c *transparency.Config) { c.Registerer = registry })
			look := func(n *transparency.Notary) error {
				w.now = w.now.Add(time.Minute)
				return n.Look(t.Context())
			}
			for range 2 {
				w.fill(100)
				w.grow(64)
				if err := look(running); err != nil {
					t.Fatal(err)
				}
			}
			if err := look(running); err != nil || gauge(t, registry, "daftar_transparency_forked") != 0 {
				t.Fatalf("before: %v", err)
			}
			w.tamper(strings.Split(c.do, "; ")...)
			for range 2 {
				err := look(running)
				if !errors.Is(err, transparency.ErrForked) || gauge(t, registry, "daftar_transparency_forked") != 1 {
					t.Errorf("running: %v, the gauge is %v", err, gauge(t, registry, "daftar_transparency_forked"))
				}
			}
			registry = prometheus.NewRegistry()
			started := w.notary(func(c *transparency.Config) { c.Registerer = registry })
			for range 2 {
				err := look(started)
				if errors.Is(err, transparency.ErrForked) == c.signs ||
					gauge(t, registry, "daftar_transparency_forked") != 1 {
					t.Errorf("started: %v, the gauge is %v", err, gauge(t, registry, "daftar_transparency_forked"))
				}
			}
		})
	}
}

// A tree that is built again from the events, as the runbook describes, ends the alarm.
func TestTreeThatGrowsBackEndsTheAlarm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	registry := prometheus.NewRegistry()
	n := w.notary(func(c *transparency.Config) { c.Registerer = registry })
	w.fill(300)
	w.grow(64)
	look := func() error {
		w.now = w.now.Add(time.Minute)
		return n.Look(t.Context())
	}
	if err := look(); err != nil {
		t.Fatal(err)
	}
	w.tamper(`DELETE FROM transparency_tiles`, `UPDATE transparency_tree SET size = 0`)
	err := look()
	if !errors.Is(err, transparency.ErrForked) || gauge(t, registry, "daftar_transparency_forked") != 1 {
		t.Errorf("without a tree: %v", err)
	}
	w.grow(64)
	if err := look(); err != nil || gauge(t, registry, "daftar_transparency_forked") != 0 {
		t.Errorf("grown back: %v", err)
	}
}

// Once the log is forked, no scrape sees the gauge at 0 between two rounds; a database that
// is out of reach says nothing about the log.
func TestForkedNeverBlinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	registry := prometheus.NewRegistry()
	n := w.notary(func(c *transparency.Config) { c.Registerer = registry })
	w.fill(100)
	w.grow(64)
	look := func() error {
		w.now = w.now.Add(time.Minute)
		return n.Look(t.Context())
	}
	if err := look(); err != nil {
		t.Fatal(err)
	}
	w.tamper(`DELETE FROM transparency_checkpoints`)
	if err := look(); !errors.Is(err, transparency.ErrForked) {
		t.Errorf("got %v, want ErrForked", err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range 5 {
			if err := look(); !errors.Is(err, transparency.ErrForked) {
				t.Errorf("got %v, want ErrForked", err)
			}
		}
		w.pool.Close()
		if err := look(); err == nil {
			t.Error("without a database")
		}
	}()
	for { // without a pause
		if shown := gauge(t, registry, "daftar_transparency_forked"); shown != 1 {
			t.Fatalf("a scrape sees the gauge at %v", shown)
		}
		select {
		case <-ended:
			return
		default:
		}
	}
}
