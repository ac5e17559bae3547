package webhooks

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres"
)

// Group records a delivery for each event that has a webhook, if the application
// has an endpoint. It sends nothing; the commit notifies every Dispatcher. Events
// are urgent, but for those that the time has caused, or a program of an application without an endpoint.
func Group() feed.Group {
	r := recorder{endpoints: map[string]bool{}}
	return feed.Group{
		Name: "webhooks", Handle: r.record, OnFailure: feed.Park, Only: domain.OfIntent, Urgent: r.isUrgent,
	}
}

// recorder remembers whether applications have an endpoint. One that gets its first is noticed with its
// next event, which comes up to a second later because it is not urgent.
type recorder struct {
	mu        sync.Mutex
	endpoints map[string]bool // by application, as in the metadata of events
}

// maxEndpoints bounds what a recorder remembers: when there are more, it starts again.
const maxEndpoints = 10_000

func (r *recorder) isUrgent(e eventstore.Recorded) bool {
	id, is := feed.Application(e)
	if !is {
		return !feed.ByTime(e)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	has, known := r.endpoints[string(id)]
	return has || !known
}

var withEndpointSQL = `
SELECT a.uuid::text
FROM ` + postgres.KeyRows("$1::uuid[]") + ` AS w(uuid)
CROSS JOIN LATERAL (
    SELECT uuid
    FROM applications
    WHERE uuid = w.uuid
      AND webhook_url IS NOT NULL
    OFFSET 0) a`

// withEndpoint leaves out what programs of applications without an endpoint have caused: messages need not
// be made of it.
func (r *recorder) withEndpoint(
	ctx context.Context, tx pgx.Tx, events []eventstore.Recorded,
) ([]eventstore.Recorded, error) {
	has := map[string]bool{} // by application: false for those to look up
	r.mu.Lock()
	for _, e := range events {
		if id, is := feed.Application(e); is && !r.endpoints[string(id)] && uuid.Validate(string(id)) == nil {
			has[string(id)] = false
		}
	}
	r.mu.Unlock()
	if len(has) == 0 {
		return events, nil
	}
	found, err := postgres.List(ctx, tx, "find endpoints", pgx.RowTo[string], withEndpointSQL,
		slices.Collect(maps.Keys(has)))
	if err != nil {
		return nil, err
	}
	for _, id := range found {
		has[id] = true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.endpoints) > maxEndpoints {
		clear(r.endpoints)
	}
	maps.Copy(r.endpoints, has)
	return slices.DeleteFunc(slices.Clone(events), func(e eventstore.Recorded) bool {
		id, is := feed.Application(e)
		exists, looked := has[string(id)]
		return is && looked && !exists
	}), nil
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
	events, err := r.withEndpoint(ctx, tx, events)
	if err != nil || len(events) == 0 {
		return err
	}
	columns, err := newDeliveries(events)
	if err != nil {
		return err
	}
	done, err := tx.Exec(ctx, recordSQL, columns...)
	if err != nil {
		return fmt.Errorf("record deliveries: %w", err)
	}
	if done.RowsAffected() == 0 {
		return nil
	}
	return wake(ctx, tx)
}
