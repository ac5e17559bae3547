package feed

import (
	"context"
	"time"

	"daftar/internal/worker"
)

// Channel is where servers notify each other of commits. Other programs may listen
// to it too; a notification only means that the log has grown.
const Channel = "daftar_events"

const notifySQL = `SELECT pg_notify($1, $2)`

// notifyGap is between two notifications. A commit with NOTIFY takes a lock on
// the whole cluster, so one stands for all commits in between, and it is never
// part of a commit to the log. Who hears it waits for takeOverAfter anyway.
const notifyGap = 100 * time.Millisecond

const notifyLimit = 5 * time.Second

// notifyOthers notifies the other servers of commits on this one.
func (f *Feed) notifyOthers(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.pending:
		}
		limit, cancel := context.WithTimeout(ctx, notifyLimit)
		_, err := f.config.Pool.Exec(limit, notifySQL, Channel, f.instance)
		cancel()
		if err != nil && ctx.Err() == nil {
			// The others find the events when they poll.
			f.config.Log.Debug().Err(err).Msg("feed: commit not notified")
		}
		if !worker.Sleep(ctx, notifyGap) {
			return
		}
	}
}

// notified has the groups' offsets looked at for commits of other servers, and for
// those that were missed while there was no connection.
func (f *Feed) notified(instance string) {
	if instance != f.instance {
		f.heard.Set()
	}
}
