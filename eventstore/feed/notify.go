package feed

import (
	"context"
	"time"

	"daftar/internal/worker"
)

// Channel is the NOTIFY channel on which servers notify each other of commits. Other programs
// may listen to it too; a notification only means that the log has grown.
const Channel = "daftar_events"

const notifySQL = `SELECT pg_notify($1, $2)`

// notifyGap is the time between two notifications of urgent events. A commit with NOTIFY takes a lock on
// the whole cluster, so one notification covers all commits in between, and it is never
// part of a commit to the log. The receiver waits for takeOverAfter anyway.
const notifyGap = time.Second

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

// notified makes watch read the groups' offsets after commits of other servers, and after
// a time without a connection, in which notifications may have been missed.
func (f *Feed) notified(instance string) {
	if instance != f.instance {
		f.heard.Set()
	}
}
