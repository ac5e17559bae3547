package expiry

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres"
	"daftar/projections"
)

// GroupName names the group's position in the log.
const GroupName = "expiry"

// staleness is no trouble: an intent expires five minutes after its creation at the
// earliest, and the timer of one that was paid meanwhile is deleted when it comes due.
const staleness = time.Second

// Group is the feed's group that keeps the timers. An event that is handled again
// changes nothing.
func Group() feed.Group {
	return feed.Group{Name: GroupName, Handle: keepTimers, OnFailure: feed.Halt, Staleness: staleness}
}

// A timer that exists may have been put off, and stays so.
const insertTimersSQL = `
INSERT INTO expiry_timers (intent_uuid, due_at)
SELECT intent_uuid, due_at FROM unnest($1::uuid[], $2::timestamptz[]) AS n(intent_uuid, due_at)
ON CONFLICT (intent_uuid) DO NOTHING`

//nolint:gosec // no values
var deleteTimersSQL = `
DELETE FROM expiry_timers t USING ` + postgres.Few("$1::uuid[]") + ` AS c(intent_uuid) WHERE t.intent_uuid = c.intent_uuid`

// keepTimers reads the types of all events, the newest first, and decodes those that
// begin a timer: an intent that the batch closes needs none. An intent is created once
// and closed after that, so no other order matters than to insert first and then delete.
func keepTimers(ctx context.Context, tx *sql.Tx, events []eventstore.Recorded) error {
	var created, closed []domain.IntentID
	var dueAt []time.Time
	gone := make(map[domain.IntentID]bool)
	for _, e := range slices.Backward(events) {
		id := domain.IntentID(e.Stream)
		switch e.Type {
		case domain.TypeSucceeded, domain.TypeLateSucceeded, domain.TypeExpired:
			if !gone[id] {
				gone[id] = true
				closed = append(closed, id)
			}
		case domain.TypeCreated:
			if gone[id] {
				continue
			}
			decoded, err := projections.Decode(e)
			if err != nil {
				return err
			}
			event, ok := decoded.(domain.Created)
			if !ok {
				panic("expiry: a created event of another kind")
			}
			created, dueAt = append(created, id), append(dueAt, event.ExpiresAt)
		case domain.TypeAttemptStarted, domain.TypeAttemptFailed, domain.TypeDuplicatePayment, domain.TypeRefundRecorded:
		default:
			return fmt.Errorf("position %d: %s: %w", e.Position, e.Type, domain.ErrUnknownEvent)
		}
	}
	if len(created) > 0 {
		if _, err := tx.ExecContext(ctx, insertTimersSQL, created, dueAt); err != nil {
			return fmt.Errorf("insert timers: %w", err)
		}
	}
	if len(closed) > 0 {
		if _, err := tx.ExecContext(ctx, deleteTimersSQL, closed); err != nil {
			return fmt.Errorf("delete timers: %w", err)
		}
	}
	return nil
}
