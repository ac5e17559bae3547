package feed

import (
	"context"
	"slices"
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

// watch reads all groups' offsets some time after another server has committed, and again while a group is
// behind and may be about to advance: then the next read, a grace later, finds out whether it has.
func (f *Feed) watch(ctx context.Context) {
	for {
		select {
		case <-f.heard:
		case <-ctx.Done():
			return
		}
		if !worker.Sleep(ctx, f.grace()) {
			return
		}
		limit, cancel := context.WithTimeout(ctx, f.config.Poll+time.Second)
		all, err := postgres.List(limit, f.config.Pool, "read lag of groups",
			pgx.RowToStructByPos[watched], watchSQL)
		cancel()
		if err != nil && ctx.Err() == nil {
			f.notWatched(err)
			continue
		}
		f.wakeOverdue(all)
	}
}

func (f *Feed) grace() time.Duration { return min(takeOverAfter, f.config.Poll) }

// ask reads the offsets at each tick. The groups for which this server has committed events that woke none
// are woken in the same moment. While the log does not grow, it is the only statement of a feed.
func (f *Feed) ask(b *pgx.Batch) {
	for _, g := range f.groups {
		if g.behind() > 0 {
			g.wake.Set()
		}
	}
	b.Queue(watchSQL).Query(func(rows pgx.Rows) error {
		all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[watched])
		f.wakeOverdue(all)
		return err
	})
}

func (f *Feed) notWatched(err error) { f.config.Log.Debug().Err(err).Msg("feed: lag not read") }

// wakeOverdue updates the gauges and wakes the groups that are overdue: they do not advance on any server.
func (f *Feed) wakeOverdue(all []watched) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now, grace, again := time.Now(), f.grace(), false
	for _, w := range all {
		f.metrics.show(w.Lag)
		before, known := f.seen[w.Group]
		moved := known && before.position != w.Position
		switch {
		case !w.Waiting:
			delete(f.seen, w.Group)
		case !known, moved:
			f.seen[w.Group] = offset{w.Position, now}
		}
		for _, g := range f.groups {
			if g.Name != w.Group || !w.Waiting || g.behind() > 0 {
				continue
			}
			if patience := g.patience(grace); now.Sub(f.seen[w.Group].since) >= patience && !moved {
				g.overdue.Set()
			} else if moved || patience <= grace {
				again = true
			}
		}
	}
	if again {
		f.heard.Set()
	}
	f.recent.forget(f.handled(all))
}

// handled is the position up to which all groups have handled the log; 0 while one has not begun.
func (f *Feed) handled(all []watched) int64 {
	positions := make([]int64, len(f.groups))
	for _, w := range all {
		if n := slices.IndexFunc(f.groups, func(g *group) bool { return g.Name == w.Group }); n >= 0 {
			positions[n] = w.Position
		}
	}
	return slices.Min(positions)
}

// patience is how long the offset of a group may stand still while there are events for it that this server
// has not committed: as long as the server that has them in memory may take to hand them on.
func (g *group) patience(grace time.Duration) time.Duration {
	if g.Urgent == nil {
		return 2 * g.Staleness
	}
	return max(2*g.Staleness, grace)
}
