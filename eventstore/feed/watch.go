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
	since    time.Time // local: unchanged, or at the head, at that time
}

// watched is the lag of a group, and whether there are events that it may handle now.
type watched struct {
	Lag
	Waiting bool
}

// watch reads all groups' offsets: once a Poll, and some time after another server
// has committed. One statement updates the gauges and finds groups that do not advance on any server. The
// groups for which this server has committed events that woke none are woken in the same moment. While
// the log does not grow, it is the only statement of a feed.
func (f *Feed) watch(ctx context.Context) {
	grace := min(takeOverAfter, f.config.Poll)
	seen := make(map[string]offset, len(f.groups))
	for {
		pause := worker.ToTick(f.config.Poll)
		if f.wakeOverdue(ctx, seen, grace) {
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

// wakeOverdue updates the gauges and wakes the groups that are overdue. It returns true if a group is behind
// and may be about to advance: the next call, a grace later, finds out whether it has.
func (f *Feed) wakeOverdue(
	ctx context.Context, seen map[string]offset, grace time.Duration,
) (again bool) {
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
		switch {
		case !w.Waiting:
			delete(seen, w.Group)
		case !known, moved:
			seen[w.Group] = offset{w.Position, now}
		}
		for _, g := range f.groups {
			if g.Name != w.Group || !w.Waiting || g.behind() > 0 {
				continue
			}
			if patience := g.patience(grace); now.Sub(seen[w.Group].since) >= patience && !moved {
				g.overdue.Set()
			} else if moved || patience <= grace {
				again = true
			}
		}
	}
	for _, g := range f.groups {
		if g.behind() > 0 {
			g.wake.Set()
		}
	}
	return again
}

// patience is how long the offset of a group may stand still while there are events for it that this server
// has not committed: as long as the server that has them in memory may take to hand them on.
func (g *group) patience(grace time.Duration) time.Duration {
	if g.Urgent == nil {
		return 2 * g.Staleness
	}
	return max(2*g.Staleness, grace)
}
