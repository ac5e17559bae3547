package feed_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"daftar/eventstore"
	"daftar/eventstore/feed"
)

// A group with a share rests between the parts of a backlog while the log grows,
// and only then.
func TestGroupsGiveWayWhileTheLogGrows(t *testing.T) {
	t.Parallel()
	const share, batch, batches = 10, 10, 8
	for name, grows := range map[string]bool{"growing": true, "still": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			w.add(t, batch*batches)
			var f *feed.Feed
			var began, ended time.Time
			var worked time.Duration
			ready, done := make(chan struct{}), make(chan struct{})
			handled := 0
			r := w.run(t, feed.Config{Batch: batch}, feed.Group{Name: "dear", Share: share, Handle: func(ctx context.Context, tx *sql.Tx, _ []eventstore.Recorded) error {
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
			<-done
			// What the group rests is counted from its look, which is longer than the
			// work; so the first row of the log shows the least that must have passed.
			took, least := ended.Sub(began), worked*100/share
			if grows && took < least {
				t.Errorf("%d batches that took %v were done within %v, want %v at least", batches, worked, took, least)
			}
			if !grows && took >= least {
				t.Errorf("%d batches that took %v were done within %v: nobody was to be given way to", batches, worked, took)
			}
		})
	}
}
