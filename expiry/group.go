package expiry

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/projections"
)

// GroupName names the group's position in the log.
const GroupName = "expiry"

// Group is the feed's group that keeps the timers. An event that is handled again
// changes nothing.
func Group() feed.Group {
	return feed.Group{Name: GroupName, Handle: keepTimers, OnFailure: feed.Halt}
}

// A timer that exists may have been put off, and stays so.
const insertTimersSQL = `
INSERT INTO expiry_timers (intent_uuid, due_at)
SELECT intent_uuid, due_at FROM unnest($1::uuid[], $2::timestamptz[]) AS n(intent_uuid, due_at)
ON CONFLICT (intent_uuid) DO NOTHING`

const deleteTimersSQL = `DELETE FROM expiry_timers WHERE intent_uuid = ANY($1::uuid[])`

func keepTimers(ctx context.Context, tx *sql.Tx, events []eventstore.Recorded) error {
	changes, err := changesOf(events)
	if err != nil {
		return err
	}
	if len(changes.created) > 0 {
		if _, err := tx.ExecContext(ctx, insertTimersSQL, changes.created, changes.dueAt); err != nil {
			return fmt.Errorf("insert timers: %w", err)
		}
	}
	if len(changes.closed) > 0 {
		if _, err := tx.ExecContext(ctx, deleteTimersSQL, changes.closed); err != nil {
			return fmt.Errorf("delete timers: %w", err)
		}
	}
	return nil
}

// changes are what a batch of events does to the timers, in the form that the
// statements take.
type changes struct {
	created []domain.IntentID
	dueAt   []time.Time
	closed  []domain.IntentID
}

// changesOf reads the types of all events and decodes those that begin a timer. An
// intent is created once and closed after that, so no other order matters than to
// insert first and then delete.
func changesOf(events []eventstore.Recorded) (changes, error) {
	var c changes
	gone := make(map[domain.IntentID]bool)
	for _, e := range events {
		switch e.Type {
		case domain.TypeSucceeded, domain.TypeLateSucceeded, domain.TypeExpired:
			if id := domain.IntentID(e.Stream); !gone[id] {
				gone[id] = true
				c.closed = append(c.closed, id)
			}
		case domain.TypeCreated, domain.TypeAttemptStarted, domain.TypeAttemptFailed, domain.TypeDuplicatePayment:
		default:
			return changes{}, fmt.Errorf("position %d: %s: %w", e.Position, e.Type, domain.ErrUnknownEvent)
		}
	}
	for _, e := range events {
		id := domain.IntentID(e.Stream)
		if e.Type != domain.TypeCreated || gone[id] {
			continue
		}
		decoded, err := projections.Decode(e)
		if err != nil {
			return changes{}, err
		}
		created, ok := decoded.(domain.Created)
		if !ok {
			panic("expiry: a created event of another kind")
		}
		c.created = append(c.created, id)
		c.dueAt = append(c.dueAt, created.ExpiresAt)
	}
	return c, nil
}
