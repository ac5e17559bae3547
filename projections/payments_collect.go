package projections

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
)

// collected is the result of collect.
type collected struct {
	payments []Payment // of the page
	counts   Counts
	complete bool
}

// collect finds at most p.MaxFound payments and counts them. Without a text it reads a share of
// that number, the newest, of each application and state.
func (p *Payments) collect(
	ctx context.Context, organization uuid.UUID, q Query, w textQuery, named []Match,
) (collected, error) {
	sql, most := collectTextSQL, p.MaxFound+1
	switch {
	case !w.empty():
	case q.Text != "":
		return collected{complete: true}, nil
	default:
		if !q.narrow() {
			all, err := p.totals(ctx, organization, q.Application)
			if err != nil || all.All() > p.MaxFound {
				return collected{counts: all}, err
			}
		}
		branches := max(len(w.applications), 1) * len(allStates)
		sql, most = collectRangeSQL, max(p.MaxFound/branches, min(p.MaxFound, minBranch))+1
	}
	without := make([][16]byte, 0, len(named))
	for _, m := range named {
		without = append(without, m.ID)
	}
	low, high := q.bounds(older, newest)
	least, highest := q.amounts()
	states, attempting := q.states()
	args := []any{
		postgres.PlanEachTime, organization, q.Application, low.at, high.at, least, highest,
		postgres.UUIDs(without), most, states, attempting, q.Late, int(q.Sort), q.Limit + 1,
		q.Page * q.Limit,
	}
	if !w.empty() {
		args = append(args, w.query, w.customers, w.customerQueries)
	}
	c, over := collected{}, false
	found, err := postgres.List(ctx, p.q, "collect payments", func(row pgx.CollectableRow) (Payment, error) {
		var createdAt *time.Time
		found, err := scanPayment(row, append(countPlaces(&c.counts), &over, &createdAt)...)
		if createdAt != nil {
			found.key = key{at: createdAt.UTC(), id: found.ID}
		}
		return found, err
	}, sql, args...)
	if err != nil {
		return collected{}, err
	}
	c.complete = !over
	c.counts.AtLeast = over
	for _, one := range found {
		if one.Version > 0 && (q.Status == "" || one.Status == q.Status) {
			c.payments = append(c.payments, one)
		}
	}
	return c, nil
}

// minBranch is how many rows of an application and state are counted at least.
const minBranch = 1_000

var allStates = []string{stateOpen, stateSucceeded, stateCanceled}

const collectedColumns = `q.intent_uuid, q.application_uuid, q.created_at, q.amount, q.state,
           q.attempting, q.late`

// Payments are read by the index of terms or of customers alone, whatever the table's statistics
// say: the statement's other conditions, and its limit, are applied afterwards.
var (
	collectTextSQL = `
WITH byterm AS MATERIALIZED (
    SELECT ` + collectedColumns + `
    FROM payments q
    WHERE q.terms::tsvector @@ $15::tsquery
), hits AS MATERIALIZED (
    (SELECT ` + collectedColumns + `
     FROM byterm q
     LIMIT $8)
    UNION ALL
    SELECT ` + collectedColumns + `
    FROM unnest($16::int8[], $17::text[]) AS k(key, query)
    CROSS JOIN LATERAL (
        SELECT ` + collectedColumns + `, q.terms
        FROM payments q
        WHERE q.customer_key = k.key
        ORDER BY q.created_at DESC
        LIMIT $8
    ) q
    WHERE CASE WHEN k.query = '' THEN true ELSE q.terms::tsvector @@ k.query::tsquery END
      AND NOT q.terms::tsvector @@ $15::tsquery
), ends AS (SELECT count(*) >= $8 AS over FROM hits)` + collectTailSQL
	collectRangeSQL = `
WITH hits AS MATERIALIZED (
    SELECT ` + collectedColumns + `
    FROM applications a
    CROSS JOIN unnest('{open, succeeded, canceled}'::text[]) AS s(state)
    CROSS JOIN LATERAL (
        SELECT ` + collectedColumns + `
        FROM payments q
        WHERE q.application_uuid = a.uuid
          AND q.state = s.state
          AND q.created_at >= $3
          AND q.created_at < $4
        ORDER BY q.created_at DESC, q.intent_uuid DESC
        LIMIT $8
    ) q
    WHERE a.organization_uuid = $1
      AND ($2::uuid IS NULL OR a.uuid = $2)
), ends AS (
    SELECT coalesce(max(n), 0) >= $8 AS over
    FROM (SELECT count(*) AS n FROM hits GROUP BY application_uuid, state) b
)` + collectTailSQL
)

// collectTailSQL counts the hits and makes a page of them. It always returns a row.
var collectTailSQL = `, fits AS MATERIALIZED (
    SELECT ` + collectedColumns + `
    FROM hits q
    JOIN applications a ON a.uuid = q.application_uuid AND a.organization_uuid = $1
    WHERE ($2::uuid IS NULL OR a.uuid = $2)
      AND q.created_at >= $3
      AND q.created_at < $4
      AND q.amount BETWEEN $5 AND $6
      AND NOT q.intent_uuid = ANY($7)
), counted AS (
    SELECT count(*) FILTER (WHERE state = 'open' AND NOT attempting) AS waiting,
           count(*) FILTER (WHERE state = 'open' AND attempting) AS attempting,
           count(*) FILTER (WHERE state = 'succeeded') AS succeeded,
           count(*) FILTER (WHERE late AND state = 'succeeded') AS late,
           count(*) FILTER (WHERE state = 'canceled') AS canceled
    FROM fits
), page AS MATERIALIZED (
    SELECT q.intent_uuid, q.created_at,
           row_number() OVER (ORDER BY
               CASE $12::int4 WHEN 1 THEN q.created_at END,
               CASE $12::int4 WHEN 1 THEN q.intent_uuid END,
               CASE $12::int4 WHEN 2 THEN q.amount WHEN 3 THEN -q.amount END,
               q.created_at DESC, q.intent_uuid DESC) AS place
    FROM fits q
    WHERE q.state = ANY($9)
      AND q.attempting = ANY($10)
      AND (NOT $11 OR q.late)
    ORDER BY place
    LIMIT $13 OFFSET $14
)
` + selectPayment + `, c.waiting, c.attempting, c.succeeded, c.late, c.canceled, e.over, g.created_at
FROM counted c
CROSS JOIN ends e
LEFT JOIN page g ON true
LEFT JOIN LATERAL (
    SELECT ` + intentColumns.List("") + `
    FROM intents
    WHERE uuid = g.intent_uuid OFFSET 0
) i ON true
LEFT JOIN LATERAL (
    SELECT late, duplicates, succeeded_at, canceled_at, refunded
    FROM payments
    WHERE intent_uuid = g.intent_uuid OFFSET 0
) p ON true
ORDER BY g.place`
