package webhooks

import (
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
)

const (
	// maxInFlight is how many deliveries an endpoint gets at a time, over all
	// servers.
	maxInFlight = 4
	// lease is how long an endpoint belongs to one dispatcher, and so how long its
	// deliveries wait when that one dies. It must outlast a try that has begun.
	lease = 30 * time.Second
	// renewBefore the end of the lease a claim renews it.
	renewBefore = 20 * time.Second
	// leaseLeft is what must be left of the lease for a try to begin.
	leaseLeft = totalLimit + 2*time.Second
	// clockSlack tolerates clocks that differ: a first try is due at once, even if
	// the time of the event lies ahead.
	clockSlack = time.Minute
)

// claimSQL is not the claim of a queue.Table: it leases an endpoint with due deliveries as a
// whole. So the limit of tries at a time holds over all servers without counting, and a
// delivery needs no write before it is sent.
//
// The recursive query skips through the index from one endpoint with pending
// deliveries to the next, so a long backlog costs as little as a short one.
var claimSQL = `
WITH RECURSIVE waiting (application_uuid) AS (
    (SELECT application_uuid
     FROM webhook_deliveries
     WHERE state = 'pending'
     ORDER BY application_uuid
     LIMIT 1)
    UNION ALL
    SELECT (SELECT d.application_uuid
            FROM webhook_deliveries d
            WHERE d.state = 'pending'
              AND d.application_uuid > w.application_uuid
            ORDER BY d.application_uuid
            LIMIT 1)
    FROM waiting w
    WHERE w.application_uuid IS NOT NULL
), owned AS MATERIALIZED (
    SELECT e.application_uuid, a.organization_uuid, a.webhook_url, a.webhook_secret,
           e.url IS DISTINCT FROM a.webhook_url AS fresh,
           e.busy_with IS DISTINCT FROM $2 OR e.busy_until < $4 AS renew, e.busy_until,
           CASE WHEN e.url = a.webhook_url THEN e.failures ELSE 0 END AS failures
    FROM waiting w
    JOIN webhook_endpoints e USING (application_uuid)
    JOIN webhook_endpoints before ON before.application_uuid = e.application_uuid
    JOIN applications a ON a.uuid = e.application_uuid
    WHERE e.application_uuid <> ALL ($5)
      -- The lock sees the newest version of a row, and the deliveries are those of the snapshot: what another
      -- dispatcher has leased, sent and released since then would be sent again.
      AND e.xmin = before.xmin
      AND (e.busy_with = $2 OR e.busy_until IS NULL OR e.busy_until <= $1)
      AND (e.url IS DISTINCT FROM a.webhook_url
           OR e.disabled_at IS NULL AND (e.probe_at IS NULL OR e.probe_at <= $1))
      AND a.webhook_url IS NOT NULL
      AND EXISTS (SELECT
                  FROM webhook_deliveries d
                  WHERE d.state = 'pending'
                    AND d.application_uuid = w.application_uuid
                    AND d.next_attempt_at <= $6
                    AND (d.step = 0 OR d.next_attempt_at <= $1)
                  OFFSET 0) -- or all that are due would be read to be joined
    FOR UPDATE OF e SKIP LOCKED
), renewed AS (
    UPDATE webhook_endpoints e
    SET busy_with     = $2,
        busy_until    = $3,
        url           = o.webhook_url,
        failures      = CASE WHEN o.fresh THEN 0 ELSE e.failures END,
        failing_since = CASE WHEN o.fresh THEN NULL ELSE e.failing_since END,
        probes        = CASE WHEN o.fresh THEN 0 ELSE e.probes END,
        probe_at      = CASE WHEN o.fresh THEN NULL ELSE e.probe_at END,
        disabled_at   = CASE WHEN o.fresh THEN NULL ELSE e.disabled_at END,
        disabled_for  = CASE WHEN o.fresh THEN '' ELSE e.disabled_for END
    FROM owned o
    WHERE e.application_uuid = o.application_uuid
      AND (o.renew OR o.fresh)
)
SELECT ` + messageColumns.List("d.") + `, d.step, d.attempts,
       o.organization_uuid, o.webhook_url, o.webhook_secret, o.failures,
       CASE WHEN o.renew OR o.fresh THEN $3 ELSE o.busy_until END
FROM owned o
LEFT JOIN unnest($9::uuid[], $10::int4[]) AS w(application_uuid, depth) USING (application_uuid)
CROSS JOIN LATERAL (
    SELECT ` + messageColumns.List("d.") + `, d.step, d.attempts
    FROM webhook_deliveries d
    WHERE d.state = 'pending'
      AND d.application_uuid = o.application_uuid
      AND d.next_attempt_at <= $6
      AND (d.step = 0 OR d.next_attempt_at <= $1)
      AND d.uuid <> ALL ($7)
    ORDER BY d.next_attempt_at
    LIMIT CASE WHEN o.failures >= $8 THEN 1 ELSE coalesce(w.depth, $11) END) d`

// claimed is a delivery to send, with its destination and secret.
type claimed struct {
	message
	Organization accounts.OrganizationID

	URL      string
	Sealed   []byte // the secret, as the database has it
	Failures int    // of the endpoint
	Until    time.Time
	Step     int
	Attempts int
}

type claimRequest struct {
	Now    time.Time
	By     uuid.UUID
	Skip   []domain.ApplicationID // served already, or not to be served
	Known  []DeliveryID           // claimed before and not marked yet
	Served []domain.ApplicationID // have a queue, which takes the number of deliveries in Depths
	Depths []int32
}

func (c claimRequest) queue(batch *pgx.Batch, into *[]claimed) {
	claim := batch.Queue(claimSQL, c.Now, c.By, c.Now.Add(lease), c.Now.Add(renewBefore), c.Skip,
		c.Now.Add(clockSlack), c.Known, failuresToOpen, c.Served, c.Depths, maxInFlight)
	claim.Query(func(rows pgx.Rows) error {
		var err error
		*into, err = pgx.CollectRows(rows, scanClaimed)
		return err
	})
}

func scanClaimed(row pgx.CollectableRow) (claimed, error) {
	var c claimed
	fields := messageColumns.Fields(&c.message,
		&c.Step, &c.Attempts, &c.Organization, &c.URL, &c.Sealed, &c.Failures, &c.Until)
	err := row.Scan(fields...)
	return c, err
}

const releaseSQL = `
UPDATE webhook_endpoints
SET busy_with = NULL, busy_until = NULL
WHERE busy_with = $1
  AND application_uuid = ANY ($2)`

// Deliveries of an endpoint that is disabled, or has no address any more, wait for
// a replay. Usually there are none to be held, which toHoldSQL finds out without a write.
const (
	unusableSQL = `
    SELECT a.uuid
    FROM applications a
    JOIN webhook_endpoints e ON e.application_uuid = a.uuid
    WHERE (a.webhook_url IS NULL OR e.disabled_at IS NOT NULL AND e.url = a.webhook_url)`
	toHoldSQL = unusableSQL + `
      AND EXISTS (SELECT
                  FROM webhook_deliveries d
                  WHERE d.state = 'pending'
                    AND d.application_uuid = a.uuid
                  OFFSET 0)`
	holdSQL = `
UPDATE webhook_deliveries
SET state = 'held', next_attempt_at = NULL
WHERE state = 'pending'
  AND application_uuid = $1
  AND EXISTS (` + unusableSQL + ` AND a.uuid = $1)`
)
