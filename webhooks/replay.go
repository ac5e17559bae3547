package webhooks

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres"
)

const (
	// replayPositions is how many positions of the log one statement reads.
	replayPositions = 5000
	// clockStep is how far the database's clock may have been set back while
	// events were recorded, without a replay missing any.
	clockStep = time.Minute
)

var (
	recordedAtSQL = `SELECT recorded_at FROM events WHERE position = $1`
	eventsOfSQL   = `
SELECT ` + eventColumns.List("e.") + `
FROM events e
CROSS JOIN LATERAL (
    SELECT
    FROM intents
    WHERE uuid = e.stream_id
      AND application_uuid = $3
    OFFSET 0) i
WHERE e.position > $1
  AND e.position <= $2
  AND e.recorded_at >= $4
ORDER BY e.position`
	replaySQL = `
INSERT INTO webhook_deliveries (` + messageColumns.List("") + `, state, next_attempt_at)
SELECT ` + messageColumns.List("") + `, 'pending', recorded_at
FROM (` + newDeliveriesSQL + `) n
ORDER BY place
ON CONFLICT (uuid) DO UPDATE
SET state = 'pending', step = 0, next_attempt_at = excluded.next_attempt_at`
)

// Replay makes due every event of the application's intents at or after a time:
// delivered before, failed, held, or never recorded because there was no URL. It
// enables the endpoint. Webhook-ids stay the same. It returns how many deliveries
// are due. The audit record is committed before the first delivery is due. After an
// error the caller can replay again. Errors: ErrNoApplication, ErrNoURL,
// and those of accounts.Do.
func (d *Deliveries) Replay(ctx context.Context, by accounts.Actor, of Tenant, id domain.ApplicationID,
	since time.Time,
) (int, error) {
	err := d.do(ctx, by, of, id, ActionReplay, func(tx pgx.Tx, e endpoint) (map[string]any, error) {
		if !e.HasURL {
			return nil, ErrNoURL
		}
		if err := writeHealth(ctx, tx, id, health{}); err != nil {
			return nil, err
		}
		_, err := tx.Exec(ctx, ensureSQL, id)
		return map[string]any{"since": since.UTC()}, err
	})
	if err != nil {
		return 0, err
	}
	head, err := eventstore.NewReader(d.pool).Head(ctx)
	if err != nil {
		return 0, err
	}
	from, err := eventstore.FirstAt(ctx, d.pool, recordedAtSQL, head, since.Add(-clockStep))
	if err != nil {
		return 0, err
	}
	due := 0
	for after := from - 1; after < head; after += replayPositions {
		events, err := postgres.List(ctx, d.pool, "read events", eventColumns.Scan,
			eventsOfSQL, after, min(after+replayPositions, head), id, since)
		if err != nil {
			return due, err
		}
		columns, err := newDeliveries(events)
		if err != nil {
			return due, err
		}
		tag, err := d.pool.Exec(ctx, replaySQL, columns...)
		if err != nil {
			return due, fmt.Errorf("replay: %w", err)
		}
		due += int(tag.RowsAffected())
	}
	if _, err := d.pool.Exec(ctx, notifySQL); err != nil {
		return due, fmt.Errorf("notify dispatchers: %w", err)
	}
	return due, nil
}
