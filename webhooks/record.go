package webhooks

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/eventstore/feed"
)

// Group records a delivery for each event that has a webhook, if the application
// has an endpoint. It sends nothing; the commit notifies every Dispatcher. It follows the
// log without a pause as long as it finds deliveries to record.
func Group() feed.Group {
	var r recorder
	return feed.Group{
		Name: "webhooks", Handle: r.record, OnFailure: feed.Park, Only: domain.OfIntent, Awaited: r.found.Load,
	}
}

type recorder struct {
	found atomic.Bool // the last batch had a delivery to record
}

// The intent's row is written with its first event, so each event finds its
// application. An event that is handled again changes nothing.
var recordSQL = `
WITH recorded AS (
    SELECT ` + messageColumns.List("n.") + `, n.recorded_at,
           p.application_uuid IS NOT NULL AS known,
           p.disabled_at IS NOT NULL AND p.url = a.webhook_url AS held
    FROM (` + newDeliveriesSQL + `) n
    CROSS JOIN LATERAL (
        SELECT uuid, webhook_url
        FROM applications
        WHERE uuid = n.application_uuid
          AND webhook_url IS NOT NULL
        OFFSET 0) a
    LEFT JOIN LATERAL (
        SELECT application_uuid, url, disabled_at
        FROM webhook_endpoints
        WHERE application_uuid = a.uuid
        OFFSET 0) p ON true
    ORDER BY n.place
), endpoints AS (
    INSERT INTO webhook_endpoints (application_uuid)
    SELECT DISTINCT application_uuid
    FROM recorded
    WHERE NOT known
    ORDER BY 1
    ON CONFLICT DO NOTHING
)
INSERT INTO webhook_deliveries (` + messageColumns.List("") + `, state, next_attempt_at)
SELECT ` + messageColumns.List("") + `,
       CASE WHEN held THEN 'held' ELSE 'pending' END,
       CASE WHEN held THEN NULL ELSE recorded_at END
FROM recorded
ON CONFLICT DO NOTHING`

// record uses one statement for all the events, in the group's transaction.
func (r *recorder) record(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
	columns, err := newDeliveries(events)
	if err != nil {
		return err
	}
	done, err := tx.Exec(ctx, recordSQL, columns...)
	if err != nil {
		return fmt.Errorf("record deliveries: %w", err)
	}
	r.found.Store(done.RowsAffected() > 0)
	if done.RowsAffected() == 0 {
		return nil
	}
	return wake(ctx, tx)
}
