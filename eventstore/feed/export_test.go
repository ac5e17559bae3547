package feed

import (
	"context"
	"database/sql"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/eventstore"
)

// MaxInterval bounds one pause of a group with a share.
const MaxInterval = maxInterval

// YieldMessage is logged whenever a group pauses for its share.
const YieldMessage = yieldMessage

// OpenDB is the database that Watermill gets.
func OpenDB(pool *pgxpool.Pool) *sql.DB { return openDB(pool, func(*session) {}) }

// Interval is the least time between two polls of a group, after one that found so many events.
func Interval(g Group, gap time.Duration, found int) time.Duration {
	return (&group{Group: g, config: Config{Gap: gap}}).interval(found)
}

// Watcher reads offsets for a Feed that does not run.
type Watcher struct {
	f    *Feed
	seen map[string]offset
}

// NewWatcher makes a Watcher that has read nothing yet.
func NewWatcher(f *Feed) *Watcher { return &Watcher{f, map[string]offset{}} }

// Look returns which groups it woke, and whether one that is behind advances.
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

// MaxRecentBytes bounds the size of a Memory.
const MaxRecentBytes = maxRecentBytes

// Keep adds events.
func (m *Memory) Keep(events []eventstore.Recorded) { m.keep(events) }

// After returns the positions of the events that follow a position.
func (m *Memory) After(position int64, limit int) (positions []int64, more bool) {
	events, more := m.after(position, limit)
	for _, e := range events {
		positions = append(positions, e.Position)
	}
	return positions, more
}
