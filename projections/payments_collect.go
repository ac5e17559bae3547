package projections

import (
	"context"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
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
func (p *Payments) collect(ctx context.Context, q Query, w textQuery, named []Match) (collected, error) {
	sql, most := collectTextSQL, p.MaxFound+1
	counted := q.Filter // whatever the status
	counted.Status, counted.Late = "", false
	switch {
	case !w.empty():
	case q.Text != "":
		return collected{complete: true}, nil
	default:
		if !q.narrow() {
			all, err := p.totals(ctx, w.applications)
			if err != nil || all.All() > p.MaxFound {
				return collected{counts: all}, err
			}
		}
		states, _ := counted.states()
		branches := max(len(w.applications), 1) * len(states)
		sql, most = collectRangeSQL, max(p.MaxFound/branches, min(p.MaxFound, minBranch))+1
	}
	without := make([]domain.IntentID, 0, len(named))
	for _, m := range named {
		without = append(without, m.ID)
	}
	low, high := cursor{older, newest}.bounds(q.created())
	states, attempting := q.states()
	args := append(counted.args(w.applications, low, high, most),
		states, attempting, q.Late, without, int(q.Sort), q.Limit+1, q.Page*q.Limit)
	if !w.empty() {
		args = append(args, w.query, w.customers, w.customerQueries)
	}
	c, over := collected{}, false
	found, err := postgres.List(ctx, p.q, "collect payments", func(row pgx.CollectableRow) (Payment, error) {
		return scanPayment(row, append(countPlaces(&c.counts), &over)...)
	}, sql, args...)
	if err != nil {
		return collected{}, err
	}
	c.complete = !over
	c.counts.AtLeast = over
	for _, one := range found {
		if one.Version > 0 && q.shows(one.Intent) {
			c.payments = append(c.payments, one)
		}
	}
	return c, nil
}

// minBranch is how many rows of an application and state are counted at least.
const minBranch = 1_000

// Payments are read by the index of terms or of customers alone, whatever the table's statistics
// say: the statement's other conditions, and its limit, are applied afterwards.
var (
	collectTextSQL = `
WITH byterm AS MATERIALIZED (
    SELECT ` + foundColumns + `
    FROM payments q
    WHERE q.terms::tsvector @@ $19::tsquery
), hits AS MATERIALIZED (
    (SELECT ` + foundColumns + `
     FROM byterm q
     LIMIT $8)
    UNION ALL
    SELECT ` + foundColumns + `
    FROM unnest($20::int8[], $21::text[]) AS k(key, query)
    CROSS JOIN LATERAL (
        SELECT ` + foundColumns + `, q.terms
        FROM payments q
        WHERE q.customer_key = k.key
        ORDER BY q.created_at DESC
        LIMIT $8
    ) q
    WHERE CASE WHEN k.query = '' THEN true ELSE q.terms::tsvector @@ k.query::tsquery END
      AND NOT q.terms::tsvector @@ $19::tsquery
), ends AS (SELECT count(*) >= $8 AS over FROM hits)` + collectTailSQL
	collectRangeSQL = `
WITH hits AS MATERIALIZED (` + branchesSQL(foundColumns, older) + `
), ends AS (
    SELECT coalesce(max(n), 0) >= $8 AS over
    FROM (SELECT count(*) AS n FROM hits GROUP BY application_uuid, state) b
)` + collectTailSQL
)

// collectTailSQL counts the hits and makes a page of them. It always returns a row.
var collectTailSQL = `, fits AS MATERIALIZED (
    SELECT ` + foundColumns + `
    FROM hits q
    WHERE ` + fits + `
      AND NOT q.intent_uuid = ANY($15)
), counted AS (
    SELECT count(*) FILTER (WHERE state = 'open' AND NOT attempting) AS waiting,
           count(*) FILTER (WHERE state = 'open' AND attempting) AS attempting,
           count(*) FILTER (WHERE state = 'succeeded') AS succeeded,
           count(*) FILTER (WHERE late AND state = 'succeeded') AS late,
           count(*) FILTER (WHERE state = 'canceled') AS canceled
    FROM fits
), page AS MATERIALIZED (
    SELECT q.intent_uuid,
           row_number() OVER (ORDER BY
               CASE $16::int4 WHEN 1 THEN q.created_at END,
               CASE $16::int4 WHEN 1 THEN q.intent_uuid END,
               CASE $16::int4 WHEN 2 THEN q.amount WHEN 3 THEN -q.amount END,
               q.created_at DESC, q.intent_uuid DESC) AS place
    FROM fits q
    WHERE q.state = ANY($12)
      AND q.attempting = ANY($13)
      AND (NOT $14 OR q.late)
    ORDER BY place
    LIMIT $17 OFFSET $18
)
` + selectPayment + `, c.waiting, c.attempting, c.succeeded, c.late, c.canceled, e.over
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
