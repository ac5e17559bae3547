package transparency_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/transparency"
)

// The stored tree is the same for all sizes of batches, and at each step every event is provable
// and every earlier tree contained.
func TestTreeGrowsAndProves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill(530)
	events := w.events(0, 530)
	var hashes []tlog.Hash // of the tree, in the order of tlog
	read := tlog.HashReaderFunc(func(indexes []int64) (found []tlog.Hash, err error) {
		for _, index := range indexes {
			found = append(found, hashes[index])
		}
		return found, nil
	})
	var checkpoints []transparency.Checkpoint
	at := int64(0)
	for _, step := range []int64{1, 1, 2, 3, 1, 8, 100, 139, 1, 1, 200, 73} {
		if err := w.handle(events[at : at+step]); err != nil {
			t.Fatalf("at %d: %v", at, err)
		}
		for _, r := range events[at : at+step] {
			added, err := tlog.StoredHashes(r.Position-1, transparency.Leaf(r), read)
			if err != nil {
				t.Fatal(err)
			}
			hashes = append(hashes, added...)
		}
		at += step
		root, err := tlog.TreeHash(at, read)
		if err != nil {
			t.Fatal(err)
		}
		c := w.sign()
		if c.Size != at || c.Root != root {
			t.Fatalf("signed %d %s, want %d %s", c.Size, c.Root, at, root)
		}
		checkpoints = append(checkpoints, c)
		p, err := transparency.Prove(t.Context(), w.pool, events[:1])
		if err != nil {
			t.Fatal(err)
		}
		var notes []string
		for _, older := range checkpoints {
			notes = append(notes, older.Note)
		}
		if _, err := p.Check(transparency.CheckOptions{Older: notes}); err != nil {
			t.Fatalf("at %d: %v", at, err)
		}
	}
	if at != 530 {
		t.Fatalf("the steps come to %d", at)
	}
	r, newest := w.verify(), checkpoints[len(checkpoints)-1]
	if !r.OK || r.Size != 530 || r.Checkpoints != len(checkpoints) || r.Root != newest.Root.String() {
		t.Errorf("verify: %+v", r)
	}
}

// A batch that is handled again, completely or in part, does not change the tree; one that differs
// or leaves a gap is refused.
func TestBatchComesAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill(600)
	w.grow(300)
	before := w.sign()
	all := w.events(0, 600)
	for _, batch := range [][]eventstore.Recorded{all[:300], all[250:260], all[599:]} {
		if err := w.handle(batch); err != nil {
			t.Errorf("batch at %d again: %v", batch[0].Position, err)
		}
	}
	w.fill(10)
	if err := w.handle(w.events(590, 610)); err != nil {
		t.Errorf("half of it known: %v", err)
	}
	if size := w.size(); size != 610 {
		t.Errorf("size %d, want 610", size)
	}
	changed := all[255]
	changed.Payload = []byte(`{}`)
	if err := w.handle([]eventstore.Recorded{changed}); !errors.Is(err, transparency.ErrMismatch) {
		t.Errorf("another event at a known position: %v", err)
	}
	w.fill(10)
	if err := w.handle(w.events(611, 620)); !errors.Is(err, transparency.ErrMismatch) {
		t.Errorf("a gap: %v", err)
	}
	withGap := append(w.events(610, 611), w.events(612, 613)...)
	if err := w.handle(withGap); !errors.Is(err, transparency.ErrMismatch) {
		t.Errorf("a gap within: %v", err)
	}
	w.grow(1000)
	if after := w.sign(); after.Size != 620 || before.Size != 600 {
		t.Errorf("signed %d, then %d", before.Size, after.Size)
	}
	if r := w.verify(); !r.OK {
		t.Errorf("verify: %+v", r)
	}
}

// A tile that does not match the size of the tree halts the group.
func TestDamagedEdgeIsRefused(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]string{
		"shorter": `UPDATE transparency_tiles SET hashes = substr(hashes, 1, 32) WHERE level = 0 AND n = 1`,
		"gone":    `DELETE FROM transparency_tiles WHERE level = 1`,
		"too long": `
			UPDATE transparency_tiles
			SET hashes = hashes || decode(repeat('00', 32), 'hex')
			WHERE level = 1`,
		"size":    `UPDATE transparency_tree SET size = 299`,
		"no size": `DELETE FROM transparency_tree`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.fill(310)
			if err := w.handle(w.events(0, 300)); err != nil {
				t.Fatal(err)
			}
			w.tamper(damage)
			if err := w.handle(w.events(300, 310)); !errors.Is(err, transparency.ErrMismatch) {
				t.Errorf("got %v, want ErrMismatch", err)
			}
		})
	}
}

// follow runs a feed with one group until the test ends.
func follow(t testing.TB, db *pgtest.DB, g feed.Group, batch int) *feed.Feed {
	t.Helper()
	f, err := feed.New(feed.Config{
		Pool: pgtest.Open(t, db.ServiceURL(), postgres.Options{
			SetServiceRole: true, MaxConns: 4, RuntimeParams: map[string]string{"synchronous_commit": "off"},
		}),
		Groups: []feed.Group{g}, Log: zerolog.Nop(), Poll: 20 * time.Millisecond, Batch: batch,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("feed: %v", err)
		}
	})
	return f
}

// Two servers handle the log while events are written, and one of them dies in the middle of a
// batch now and then: the tree has each event once, in order.
func TestTwoServersAndCrashes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var calls atomic.Int64
	crashing := transparency.Group()
	sound := crashing.Handle
	crashing.Handle = func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
		if err := sound(ctx, tx, events); err != nil {
			return err
		}
		if calls.Add(1)%3 == 1 {
			panic("power cut") // after the tiles were written
		}
		return nil
	}
	first := follow(t, w.db, crashing, 64)
	w.stream(3)
	pgtest.WaitFor(t, "the crashing server to have a batch", func() bool { return calls.Load() > 0 })
	follow(t, w.db, transparency.Group(), 64)
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for range 60 {
				w.stream(3)
				first.Wake()
			}
		})
	}
	writers.Wait()
	pgtest.WaitFor(t, "the tree to have all events", func() bool { return w.size() == 723 })
	w.sign()
	if r := w.verify(); !r.OK || r.Size != 723 {
		t.Errorf("verify: %+v", r)
	}
}

// An event that does not fit halts the group before it, with the reason; nothing is skipped.
func TestMisfitHaltsTheGroup(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill(20)
	w.grow(20)
	w.tamper(`
		UPDATE transparency_tiles
		SET hashes = overlay(hashes PLACING decode(repeat('ab', 32), 'hex') FROM 32 * 9 + 1)`)
	w.fill(5)
	follow(t, w.db, transparency.Group(), 64) // from position 1: the offset is new
	var lag feed.Lag
	pgtest.WaitFor(t, "the group to halt", func() bool {
		lags, err := feed.Lags(t.Context(), w.pool)
		if err != nil || len(lags) != 1 {
			return false
		}
		lag = lags[0]
		return lag.Halted != ""
	})
	if lag.Position != 9 || lag.Group != transparency.GroupName {
		t.Errorf("halted at %+v, want after position 9", lag)
	}
	if size := w.size(); size != 20 {
		t.Errorf("the tree grew to %d", size)
	}
}
