package feed

import (
	"context"
	"database/sql"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/eventstore"
)

// MaxInterval bounds what a group with a share rests at a time.
const MaxInterval = maxInterval

// YieldMessage is in the log whenever a group rests for its share.
const YieldMessage = yieldMessage

// OpenDB is the pool as Watermill gets it.
func OpenDB(pool *pgxpool.Pool) *sql.DB { return openDB(pool, func(*session) {}) }

// Interval is what a group leaves between two looks at least, after one that found so many
// events.
func Interval(g Group, gap time.Duration, found int) time.Duration {
	return (&group{Group: g, config: Config{Gap: gap}}).interval(found)
}

// Watcher looks at offsets, of a Feed that does not run.
type Watcher struct {
	f    *Feed
	seen map[string]offset
}

// NewWatcher has seen nothing yet.
func NewWatcher(f *Feed) *Watcher { return &Watcher{f, map[string]offset{}} }

// Look says which groups it woke, and whether one that is behind moves.
func (w *Watcher) Look(ctx context.Context) (woken []string, moving bool) {
	moving = w.f.wakeOverdue(ctx, w.seen)
	for _, g := range w.f.groups {
		select {
		case <-g.overdue:
			woken = append(woken, g.Name)
		default:
		}
	}
	return woken, moving
}

// Memory is a recent end of a log, for tests.
type Memory struct{ recent }

// MaxRecentBytes bounds what a Memory keeps.
const MaxRecentBytes = maxRecentBytes

// Keep adds events, After looks for what follows a position.
func (m *Memory) Keep(events []eventstore.Recorded) { m.keep(events) }

// After gives the positions of what it finds.
func (m *Memory) After(position int64, limit int) (positions []int64, more bool) {
	events, more := m.after(position, limit)
	for _, e := range events {
		positions = append(positions, e.Position)
	}
	return positions, more
}
