package feed

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
	"daftar/internal/worker"
)

// takeOverAfter is how long the groups of another server have for what that server
// committed before this one looks whether they did it. A group that looked at once
// would compete with the one that has the events in memory.
const takeOverAfter = 200 * time.Millisecond

// offset is a group's offset when it was last looked at.
type offset struct {
	position int64
	since    time.Time // local: it has not moved since then
}

// watched is the lag of a group, and whether there is something for it now.
type watched struct {
	Lag
	Waiting bool
}

// watch looks at all groups' offsets: once a Poll, and some time after another server
// has committed. One statement keeps the gauges up to date, finds what woke no group,
// and finds the groups that stand still on all servers. While the log rests, it is all
// that a feed asks the database.
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

// wakeOverdue shows the lags and wakes the groups that are overdue. It returns true
// where a group is behind and moves: the next look tells whether it still does.
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

// isOverdue says whether a group that is behind, and whose offset stands still, has to be
// woken. Where it is active it moves within its staleness while the log grows; on a log
// that rests its offset has stood still for long, and it is woken at once.
func isOverdue(staleness, stoodStill time.Duration) bool { return stoodStill >= 2*staleness }
