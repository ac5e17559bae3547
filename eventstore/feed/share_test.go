package feed_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

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
		if b := workOff(t, true); b.took < b.least {
			t.Errorf("a backlog was worked off within %v, want %v at least", b.took, b.least)
		}
	})
	t.Run("still", func(t *testing.T) {
		t.Parallel()
		// A machine that is busy elsewhere may stretch one backlog as a rest would,
		// hardly all of them.
		const tries = 5
		var b backlog
		for range tries {
			if b = workOff(t, false); b.took < b.least {
				return
			}
		}
		t.Errorf("%d backlogs were worked off, the last within %v, want less than %v: nobody was to be given way to", tries, b.took, b.least)
	})
}

// backlog is how long it took to work one off, and the least that it takes a group
// that rests.
type backlog struct{ took, least time.Duration }

// workOff has a group with a share work off a backlog of its own, while the log
// grows or stands still.
func workOff(t *testing.T, grows bool) backlog {
	t.Helper()
	const share, batch, batches = 10, 10, 8
	w := newWorld(t, nil)
	var f *feed.Feed
	var began, ended time.Time
	var worked time.Duration
	ready, done := make(chan struct{}), make(chan struct{})
	handled := 0
	r := w.run(t, feed.Config{Batch: batch, Poll: 20 * time.Millisecond}, feed.Group{Name: "dear", Share: share, Handle: func(ctx context.Context, tx *sql.Tx, _ []eventstore.Recorded) error {
		<-ready
		start := time.Now()
		if handled == 0 {
			began = start
		}
		// Work that takes the database some milliseconds.
		if _, err := tx.ExecContext(ctx, `SELECT count(*) FROM generate_series(1, 50000)`); err != nil {
			return err
		}
		if grows {
			f.Wake()
		}
		if handled++; handled == batches {
			ended = time.Now()
			close(done)
		} else {
			worked += time.Since(start)
		}
		return nil
	}})
	f = r.Feed
	close(ready)
	// Once it listens, a feed wakes its groups, as if the log had grown meanwhile.
	pgtest.WaitFor(t, "the feed to listen", func() bool { return w.listeners(t) == 1 })
	w.add(t, batch*batches)
	<-done
	// What the group rests is counted from its look, which is longer than the work;
	// so the work shows the least that must have passed.
	return backlog{took: ended.Sub(began), least: worked * 100 / share}
}
