package projections

// foundColumns are the columns of payments by which payments are found, and walkedColumns those
// that a walk also shows or searches.
const (
	foundColumns = `q.intent_uuid, q.application_uuid, q.created_at, q.amount, q.state, q.attempting,
           q.late`
	walkedColumns = foundColumns + `, q.duplicates, q.succeeded_at, q.canceled_at, q.refunded, q.terms,
           q.customer_key`
)

// orders are those of the keys. The index of applications and states has each.
var orders = map[direction]string{
	older: `created_at DESC, intent_uuid DESC`,
	newer: `created_at, intent_uuid`,
}

// inReach are the rows between two keys, and fits those that a filter takes as well: late payments
// have an index of their own. Filter.args are the parameters of both.
const (
	inReach = `(q.created_at, q.intent_uuid) > ($3, $4)
              AND (q.created_at, q.intent_uuid) < ($5, $6)
              AND (NOT $7 OR q.late)`
	fits = `q.application_uuid = ANY($1)
              AND q.state = ANY($2)
              AND ` + inReach + `
              AND q.amount BETWEEN coalesce($9::int8, 0) AND coalesce($10::int8, q.amount)
              AND q.attempting = ANY($11)`
)

// branchesSQL reads the first $8 rows of each application and state, which the index gives in
// their order.
func branchesSQL(columns string, d direction) string {
	return `
        SELECT ` + columns + `
        FROM unnest($1::uuid[]) AS a(uuid)
        CROSS JOIN unnest($2::text[]) AS s(state)
        CROSS JOIN LATERAL (
            SELECT ` + columns + `
            FROM payments q
            WHERE q.application_uuid = a.uuid
              AND q.state = s.state
              AND ` + inReach + `
            ORDER BY ` + orders[d] + `
            LIMIT $8
        ) q`
}

// stages are the stages of attempts that are not closed; a test checks them against the table's.
const stages = `'{beginning, code, bank, asking, ending, quarantined}'::text[]`

// The index of customers has no order among equal creation times, so all rows of the last time
// are read. An attempt is open as long as its row is not closed; all applications together have
// few of those.
var (
	walkOlderSQL    = walkSQL(branchesSQL(walkedColumns, older), older)
	walkNewerSQL    = walkSQL(branchesSQL(walkedColumns, newer), newer)
	walkCustomerSQL = walkSQL(`
        SELECT `+walkedColumns+`
        FROM payments q
        WHERE q.customer_key = ($14::int8[])[1]
          AND q.created_at <= $5
          AND `+inReach+`
        ORDER BY q.created_at DESC FETCH FIRST $8 ROWS WITH TIES`, older)
	walkAttemptsSQL = walkSQL(`
        SELECT `+walkedColumns+`
        FROM (
            SELECT DISTINCT c.intent_uuid
            FROM unnest(`+stages+`) AS s(stage)
            CROSS JOIN LATERAL (
                SELECT c.intent_uuid
                FROM checkout_attempts c
                WHERE c.stage = s.stage
                  AND c.stage <> 'closed' OFFSET 0
            ) c
        ) a
        CROSS JOIN LATERAL (
            SELECT `+walkedColumns+`
            FROM payments q
            WHERE q.intent_uuid = a.intent_uuid OFFSET 0
        ) q
        WHERE `+fits, older)
)

// walkSQL looks at rows of payments and returns the first $12 that fit. Intents with events that
// the dashboard group has not handled (tail) are taken from intents instead, down to the last row
// looked at: in one snapshot the two together are complete. It always returns a row. Without a
// tail, the planner leaves out what reads it.
func walkSQL(rows string, d direction) string {
	upTo := `>=`
	if d == newer {
		upTo = `<=`
	}
	return `
WITH handled AS MATERIALIZED (
    SELECT coalesce((SELECT position
                     FROM consumer_offsets
                     WHERE consumer_group = '` + DashboardGroupName + `'), 0) AS position
    WHERE $17::int8 > 0
), tail AS MATERIALIZED (
    SELECT DISTINCT e.stream_id
    FROM handled h
    CROSS JOIN LATERAL (
        SELECT stream_id
        FROM events
        WHERE position > h.position
          AND position <= h.position + $17 OFFSET 0
    ) e
), looked AS MATERIALIZED (
    SELECT ` + walkedColumns + `
    FROM (` + rows + `
    ) q
    ORDER BY ` + orders[d] + `
    LIMIT $8
), edge AS MATERIALIZED (
    SELECT n.looked, m.created_at AS at, m.intent_uuid AS uuid
    FROM (SELECT count(*) AS looked FROM looked) n
    LEFT JOIN (
        SELECT created_at, intent_uuid
        FROM looked
        ORDER BY ` + orders[opposite(d)] + `
        LIMIT 1
    ) m ON true
), listed AS MATERIALIZED (
    SELECT q.intent_uuid, q.created_at, q.late, q.duplicates, q.succeeded_at, q.canceled_at, q.refunded
    FROM looked q
    WHERE ` + fits + `
      AND CASE WHEN $13 = '' THEN $14::int8[] IS NULL OR q.customer_key = ANY($14)
               ELSE q.terms::tsvector @@ $13::tsquery OR q.customer_key = ANY($14) END
      AND q.intent_uuid NOT IN (SELECT t.stream_id FROM tail t)
    UNION ALL
    SELECT i.uuid, i.created_at, false AS late, 0 AS duplicates, NULL AS succeeded_at, NULL AS canceled_at,
           0 AS refunded
    FROM tail t
    CROSS JOIN LATERAL (
        SELECT uuid, application_uuid, status, customer, created_at
        FROM intents
        WHERE uuid = t.stream_id OFFSET 0
    ) i
    JOIN edge e ON e.looked < $8 OR (i.created_at, i.uuid) ` + upTo + ` (e.at, e.uuid)
    WHERE i.application_uuid = ANY($1)
      AND ($15 = '' OR i.status = $15)
      AND ($16::text IS NULL OR i.customer->>'external_id' = $16)
      AND (i.created_at, i.uuid) > ($3, $4)
      AND (i.created_at, i.uuid) < ($5, $6)
    ORDER BY ` + orders[d] + `
    LIMIT $12
)
` + selectPayment + `, e.looked, coalesce(e.at, $3), coalesce(e.uuid, $4),
       coalesce((SELECT (SELECT max(position) FROM events) - h.position FROM handled h), 0)
FROM edge e
LEFT JOIN listed p ON true
LEFT JOIN LATERAL (
    SELECT ` + intentColumns.List("") + `
    FROM intents
    WHERE uuid = p.intent_uuid OFFSET 0
) i ON true
ORDER BY ` + orders[d]
}
