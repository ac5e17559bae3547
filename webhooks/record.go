package webhooks

import (
	"context"
	"database/sql"
	"fmt"

	"daftar/eventstore"
	"daftar/eventstore/feed"
)

// Group records a delivery for each event that has a webhook, if the application
// has an endpoint. It sends nothing; the commit notifies every Dispatcher.
func Group() feed.Group {
	return feed.Group{Name: "webhooks", Handle: Record, OnFailure: feed.Park}
}

// The intent's row is written with its first event, so each event finds its
// application. An event that is handled again changes nothing.
//
//nolint:gosec // names of columns
var recordSQL = `
WITH recorded AS (
    SELECT e.uuid, e.intent_uuid, e.sequence, e.event, e.occurred_at, i.application_uuid, i.reference, i.merchant_reference,
           p.application_uuid IS NOT NULL AS known, p.disabled_at IS NOT NULL AND p.url = a.webhook_url AS held
    FROM unnest($1::uuid[], $2::uuid[], $3::int4[], $4::text[], $5::timestamptz[])
         WITH ORDINALITY AS e(uuid, intent_uuid, sequence, event, occurred_at, place)
         JOIN intents i ON i.uuid = e.intent_uuid
         JOIN applications a ON a.uuid = i.application_uuid AND a.webhook_url IS NOT NULL
         LEFT JOIN webhook_endpoints p ON p.application_uuid = a.uuid
    ORDER BY e.place
), endpoints AS (
    INSERT INTO webhook_endpoints (application_uuid)
    SELECT DISTINCT application_uuid FROM recorded WHERE NOT known ORDER BY 1
    ON CONFLICT DO NOTHING
)
INSERT INTO webhook_deliveries (` + messageColumns.List("") + `, state, next_attempt_at)
SELECT ` + messageColumns.List("") + `,
       CASE WHEN held THEN 'held' ELSE 'pending' END, CASE WHEN held THEN NULL ELSE occurred_at END
FROM recorded
ON CONFLICT DO NOTHING`

// Record is the handler of Group: one statement for all the events, in the
// group's transaction.
func Record(ctx context.Context, tx *sql.Tx, events []eventstore.Recorded) error {
	if err := unknown(events); err != nil {
		return err
	}
	c := columnsOf(events)
	if len(c.ids) == 0 {
		return nil
	}
	done, err := tx.ExecContext(ctx, recordSQL, c.ids, c.streams, c.versions, c.types, c.times)
	if err != nil {
		return fmt.Errorf("record deliveries: %w", err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, notifySQL); err != nil {
		return fmt.Errorf("notify dispatchers: %w", err)
	}
	return nil
}
