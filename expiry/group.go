package expiry

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/facts"
	"daftar/internal/postgres"
)

// GroupName names the group's position in the log.
const GroupName = "expiry"

// share is how much of its time the group may work while requests come in, in percent, and staleness the
// least time between two polls then.
const (
	share     = 25
	staleness = time.Second
)

// Group is the feed's group that keeps the timers. An event that is handled again changes nothing, and
// none is urgent: an intent expires five minutes after its creation at the earliest, and the timer of one
// that was paid meanwhile is deleted when it is due.
func Group() feed.Group {
	return feed.Group{
		Name: GroupName, Handle: keepTimers, OnFailure: feed.Halt, Only: domain.OfIntent, Urgent: feed.Nothing,
		Share: share, Staleness: staleness,
	}
}

// A timer that exists may have been postponed, and stays so.
var insertTimersSQL = newColumns.InsertMany("expiry_timers") + ` ON CONFLICT (intent_uuid) DO NOTHING`

var timerColumns = postgres.Columns[timer]{
	postgres.Typed("intent_uuid", "uuid", func(t *timer) *[16]byte { return (*[16]byte)(&t.Intent) }),
	postgres.Typed("due_at", "timestamptz", func(t *timer) *time.Time { return &t.DueAt }),
	postgres.Typed("looks", "int4", func(t *timer) *int { return &t.Looks }),
}

var newColumns = timerColumns.Only("intent_uuid", "due_at")

// partRows is how many rows a statement inserts: one of some hundred would hold a core for milliseconds,
// while requests wait for it.
const partRows = 128

var deleteTimersSQL = `
DELETE FROM expiry_timers t
USING ` + postgres.KeyRows("$1::uuid[]") + ` AS c(intent_uuid)
WHERE t.intent_uuid = c.intent_uuid`

// keepTimers inserts the timers of created intents and deletes those of closed ones. It reads
// the events from the newest on: an intent that the batch closes needs no timer. An intent is
// created once and closed after that, so it is enough to insert first and then delete.
func keepTimers(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
	var timers []timer
	var closed [][16]byte
	gone := make(map[domain.IntentID]bool)
	for _, e := range slices.Backward(events) {
		id := domain.IntentID(e.Stream)
		switch kind, known := facts.Named(e.Type); {
		case !known:
			return fmt.Errorf("position %d: %s: %w", e.Position, e.Type, domain.ErrUnknownEvent)
		case kind.Closes():
			if !gone[id] {
				gone[id] = true
				closed = append(closed, e.Stream)
			}
		case e.Type == domain.TypeCreated && !gone[id]:
			stored := domain.StoredEvent{Type: e.Type, SchemaVersion: e.SchemaVersion, Payload: e.Payload}
			due, err := stored.ExpiresAt()
			if err != nil {
				return fmt.Errorf("position %d: %w", e.Position, err)
			}
			timers = append(timers, timer{Intent: id, DueAt: due})
		}
	}
	for part := range slices.Chunk(timers, partRows) {
		if _, err := tx.Exec(ctx, insertTimersSQL, newColumns.Arrays(part)...); err != nil {
			return fmt.Errorf("insert timers: %w", err)
		}
	}
	if len(closed) > 0 {
		if _, err := tx.Exec(ctx, deleteTimersSQL, closed); err != nil {
			return fmt.Errorf("delete timers: %w", err)
		}
	}
	return nil
}
