package feed_test

import (
	"bytes"
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres/pgtest"
)

// A group with a share pauses between the batches of a backlog while the log grows, and only then.
func TestGroupsGiveWayWhileTheLogGrows(t *testing.T) {
	t.Parallel()
	t.Run("growing", func(t *testing.T) {
		t.Parallel()
		if b := workOff(t, true); b.took < b.least || b.rests < batches-1 {
			t.Errorf("a backlog was worked off within %v with %d rests, want %v and %d rests at least",
				b.took, b.rests, b.least, batches-1)
		}
	})
	t.Run("still", func(t *testing.T) {
		t.Parallel()
		// The group may be woken while it works: because the feed listens now, or because the backlog was
		// appended.
		if b := workOff(t, false); b.rests > 2 {
			t.Errorf("the group paused %d times, want 2 times at most: there were no requests to yield to", b.rests)
		}
	})
}

const batches = 8

// backlog is how long a group took to handle a backlog, the least time for a group that pauses, and
// how often the group paused.
type backlog struct {
	took, least time.Duration
	rests       int
}

// restCounter is a log that counts the pauses of a group.
type restCounter struct{ atomic.Int64 }

func (c *restCounter) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("group yields")) {
		c.Add(1)
	}
	return len(line), nil
}

// workOff makes a group with a share handle a backlog, while the log grows or does not grow.
func workOff(t *testing.T, grows bool) backlog {
	t.Helper()
	const share, batch = 10, 10
	w := newWorld(t, nil)
	var f *feed.Feed
	var began, ended time.Time
	var least time.Duration
	ready, done := make(chan struct{}), make(chan struct{})
	handled := 0
	var rests restCounter
	c := feed.Config{Batch: batch, Poll: 20 * time.Millisecond, Log: zerolog.New(&rests)}
	r := w.run(t, c, feed.Group{Name: "expensive", Share: share,
		Handle: func(ctx context.Context, tx pgx.Tx, _ []eventstore.Recorded) error {
			<-ready
			start := time.Now()
			if handled == 0 {
				began = start
			}
			// Work that takes the database some milliseconds.
			if _, err := tx.Exec(ctx, `SELECT count(*) FROM generate_series(1, 50000)`); err != nil {
				return err
			}
			if grows {
				f.Committed(make([]eventstore.Recorded, 1))
			}
			if handled++; handled == batches {
				ended = time.Now()
				close(done)
			} else {
				// The pause is computed from the start of the poll, which is longer than the work; so the work
				// gives the least time that must have passed.
				least += min(time.Since(start)*100/share, 2*time.Second)
			}
			return nil
		}})
	f = r.Feed
	close(ready)
	// Once it listens, a feed wakes its groups, as after an append.
	pgtest.WaitFor(t, "the feed to listen", func() bool { return w.listeners(t) == 1 })
	w.add(t, batch*batches)
	<-done
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	return backlog{took: ended.Sub(began), least: least, rests: int(rests.Load())}
}
