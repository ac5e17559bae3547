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

// A group with a share rests between the parts of a backlog while the log grows,
// and only then.
func TestGroupsGiveWayWhileTheLogGrows(t *testing.T) {
	t.Parallel()
	t.Run("growing", func(t *testing.T) {
		t.Parallel()
		if b := workOff(t, true); b.took < b.least || b.rests < batches-1 {
			t.Errorf("a backlog was worked off within %v with %d rests, want %v and %d rests at least", b.took,
				b.rests, b.least, batches-1)
		}
	})
	t.Run("still", func(t *testing.T) {
		t.Parallel()
		// What woke the group may come to light while it is at work: that the feed
		// listens, and that the backlog was appended.
		if b := workOff(t, false); b.rests > 2 {
			t.Errorf("the group rested %d times, want 2 times at most: nobody was to be given way to", b.rests)
		}
	})
}

const batches = 8

// backlog is how long it took to work one off, the least that it takes a group
// that rests, and how often the group rested.
type backlog struct {
	took, least time.Duration
	rests       int
}

// restCounter is a log that counts the rests of a group.
type restCounter struct{ atomic.Int64 }

func (c *restCounter) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte(feed.YieldMessage)) {
		c.Add(1)
	}
	return len(line), nil
}

// workOff has a group with a share work off a backlog of its own, while the log
// grows or stands still.
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
				f.Wake()
			}
			if handled++; handled == batches {
				ended = time.Now()
				close(done)
			} else {
				// What the group rests is counted from its look, which is longer than the
				// work; so the work shows the least that must have passed.
				least += min(time.Since(start)*100/share, feed.MaxInterval)
			}
			return nil
		}})
	f = r.Feed
	close(ready)
	// Once it listens, a feed wakes its groups, as if the log had grown meanwhile.
	pgtest.WaitFor(t, "the feed to listen", func() bool { return w.listeners(t) == 1 })
	w.add(t, batch*batches)
	<-done
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	return backlog{took: ended.Sub(began), least: least, rests: int(rests.Load())}
}
