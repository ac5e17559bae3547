package feed

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
	"daftar/internal/worker"
)

// takeOverAfter is how long this server waits after another server's commit before it checks
// whether the other's groups have handled it. A group that polled at once
// would compete with the one that has the events in memory.
const takeOverAfter = 200 * time.Millisecond

// offset is a group's offset when it was last read.
type offset struct {
	position int64
	since    time.Time // local: unchanged since then
}

// watched is the lag of a group, and whether there are events that it may handle now.
type watched struct {
	Lag
	Waiting bool
}

// watch reads all groups' offsets: once a Poll, and some time after another server
// has committed. One statement updates the gauges, finds events that woke no group,
// and finds groups that do not advance on any server. While the log does not grow, it is the
// only statement of a feed.
func (f *Feed) watch(ctx context.Context) {
	grace := min(takeOverAfter, f.config.Poll)
	seen := make(map[string]offset, len(f.groups))
	for {
		pause := worker.ToTick(f.config.Poll)
		if f.wakeOverdue(ctx, seen) {
			pause = grace
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-f.heard:
			timer.Stop()
			worker.Sleep(ctx, grace)
		case <-ctx.Done():
			timer.Stop()
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// wakeOverdue updates the gauges and wakes the groups that are overdue. It returns true
// if a group is behind and advances: the next call finds out whether it still does.
func (f *Feed) wakeOverdue(ctx context.Context, seen map[string]offset) (moving bool) {
	limit, cancel := context.WithTimeout(ctx, f.config.Poll+time.Second)
	defer cancel()
	all, err := postgres.List(limit, f.config.Pool, "read lag of groups",
		pgx.RowToStructByPos[watched], watchSQL)
	if err != nil && ctx.Err() == nil {
		f.config.Log.Debug().Err(err).Msg("feed: lag not read")
	}
	now := time.Now()
	for _, w := range all {
		f.metrics.show(w.Lag)
		before, known := seen[w.Group]
		moved := known && before.position != w.Position
		if !known || moved {
			seen[w.Group] = offset{w.Position, now}
		}
		if !w.Waiting {
			continue
		}
		if moved {
			moving = true
			continue
		}
		for _, g := range f.groups {
			if g.Name == w.Group && isOverdue(g.Staleness, now.Sub(seen[w.Group].since)) {
				g.overdue.Set()
			}
		}
	}
	return moving
}

// isOverdue reports whether a group that is behind, and whose offset has been unchanged for
// some time, has to be woken. If a server handles it, the offset changes within its staleness
// while the log grows; if the log has not grown, the offset has been unchanged for long, and
// the group is woken at once.
func isOverdue(staleness, unchanged time.Duration) bool { return unchanged >= 2*staleness }
