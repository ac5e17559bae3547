package feed

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Channel is where servers tell each other of commits, by NOTIFY. Whoever reads
// along may listen too; what is said there means "look".
const Channel = "daftar_events"

const (
	notifySQL = `SELECT pg_notify($1, $2)`
	listenSQL = `LISTEN ` + Channel
)

// notifyGap is between two notifications. A commit with NOTIFY takes a lock on
// the whole cluster, so one stands for all commits in between, and it is never
// part of a commit to the log.
const notifyGap = 20 * time.Millisecond

const notifyLimit = 5 * time.Second

// relistenPause is how long nobody listens after a connection was lost.
const relistenPause = 100 * time.Millisecond

// notify tells other servers that something was committed here.
func (f *Feed) notify(ctx context.Context) {
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
		if !pause(ctx, notifyGap) {
			return
		}
	}
}

// listen wakes the groups when another server has committed, over a connection of
// its own that it replaces when it breaks. Without one, events wait for the poll.
func (f *Feed) listen(ctx context.Context) {
	for {
		listened, err := f.listenOnce(ctx)
		if ctx.Err() != nil {
			return
		}
		wait := max(f.config.Poll, relistenPause)
		if listened {
			wait = relistenPause
			f.config.Log.Warn().Err(err).Msg("feed: listening connection lost, polling until it is back")
		} else {
			f.config.Log.Debug().Err(err).Msg("feed: cannot listen, polling")
		}
		if !pause(ctx, min(wait, defaultPoll)) {
			return
		}
	}
}

// listenOnce listens until the connection breaks, and says whether there was one.
func (f *Feed) listenOnce(ctx context.Context) (bool, error) {
	conn, err := pgx.ConnectConfig(ctx, f.config.Pool.Config().ConnConfig)
	if err != nil {
		return false, fmt.Errorf("connect to listen: %w", err)
	}
	defer func() {
		limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), 100*time.Millisecond)
		defer cancel()
		_ = conn.Close(limit)
	}()
	if _, err := conn.Exec(ctx, listenSQL); err != nil {
		return false, fmt.Errorf("listen: %w", err)
	}
	f.wakeGroups() // nobody heard what was committed before
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return true, fmt.Errorf("wait for notification: %w", err)
		}
		if n.Payload != f.instance {
			f.wakeGroups()
		}
	}
}
