package webhooks

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
)

// ActionPrune is the action of Prune in the audit trail.
const ActionPrune accounts.Action = "webhook.prune"

// pruneBatch is how many deliveries one transaction reads.
const pruneBatch = 2000

// A delivery has been finished since its last try, or since the event where no try was
// logged. If a delivery is made due meanwhile, the DELETE waits for that lock and checks
// the state again.
const (
	prunableSQL = `
SELECT d.uuid, d.ordinal,
       d.state IN ('delivered', 'failed')
       AND d.occurred_at < $3
       AND NOT EXISTS (SELECT
                       FROM webhook_log t
                       WHERE t.delivery_uuid = d.uuid
                         AND t.at >= $3) AS old
FROM (SELECT uuid, ordinal, state, occurred_at
      FROM webhook_deliveries
      WHERE application_uuid = $1
        AND ordinal > $2
        AND ordinal / 128 >= $2::bigint / 128
      ORDER BY ordinal / 128
      LIMIT $4 + 127) d
ORDER BY d.ordinal
LIMIT $4`
	countOldSQL = `
WITH looked AS MATERIALIZED (` + prunableSQL + `)
SELECT coalesce(max(l.ordinal), 0), count(*) FILTER (WHERE l.old),
       (SELECT count(*)
        FROM webhook_log t
        JOIN looked o ON o.uuid = t.delivery_uuid
        WHERE o.old)
FROM looked l`
	pruneSQL = `
WITH looked AS MATERIALIZED (` + prunableSQL + `
), gone AS (
    DELETE FROM webhook_deliveries d
    USING looked l
    WHERE d.uuid = l.uuid
      AND l.old
      AND d.state IN ('delivered', 'failed')
    RETURNING d.uuid, d.try_at
), tries AS (
    DELETE FROM webhook_tries t
    USING gone g
    WHERE t.delivery_uuid = g.uuid
    RETURNING 1
)
SELECT coalesce(max(l.ordinal), 0), (SELECT count(*) FROM gone),
       (SELECT count(*) FROM tries) + (SELECT count(try_at) FROM gone)
FROM looked l`
	nextApplicationSQL = `
SELECT application_uuid
FROM webhook_deliveries
WHERE application_uuid > $1
ORDER BY application_uuid
LIMIT 1`
)

// Pruned is how much Prune deleted, or would.
type Pruned struct {
	Deliveries int64 `json:"deliveries"`
	Tries      int64 `json:"tries"`
}

// Prune deletes the deliveries of all organisations that were finished before a
// time, with their tries: those that arrived and those whose tries were used up.
// What is pending or held stays. It deletes in batches, so that no lock is held for
// long; after an error the next call does the rest. A dry run deletes and
// records nothing. A later replay creates the deliveries from the log again.
func (d *Deliveries) Prune(ctx context.Context, by accounts.Actor, before time.Time,
	dry bool,
) (Pruned, error) {
	var all Pruned
	statement := countOldSQL
	if !dry {
		statement = pruneSQL
		err := pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
			return accounts.Record(ctx, tx, by, accounts.OrganizationID{}, accounts.Entry{
				Action: ActionPrune, Detail: map[string]any{"before": before.UTC()},
			})
		})
		if err != nil {
			return all, fmt.Errorf("%s: %w", ActionPrune, err)
		}
	}
	var id domain.ApplicationID
	for {
		var err error
		id, err = postgres.Find(ctx, d.pool, string(ActionPrune), nil,
			pgx.RowTo[domain.ApplicationID], nextApplicationSQL, id)
		if err != nil || id == (domain.ApplicationID{}) {
			return all, err
		}
		if err := d.pruneOne(ctx, statement, id, before, &all); err != nil {
			return all, fmt.Errorf("%s: %w", ActionPrune, err)
		}
	}
}

// pruneOne goes through the deliveries of one application, the oldest first.
func (d *Deliveries) pruneOne(ctx context.Context, statement string, id domain.ApplicationID,
	before time.Time, all *Pruned,
) error {
	for ordinal := int64(0); ; {
		var reached, deliveries, tries int64
		err := d.pool.QueryRow(ctx, statement, id, ordinal, before, pruneBatch).Scan(&reached, &deliveries, &tries)
		if err != nil {
			return err
		}
		all.Deliveries, all.Tries = all.Deliveries+deliveries, all.Tries+tries
		if reached == 0 {
			return nil
		}
		ordinal = reached
	}
}
