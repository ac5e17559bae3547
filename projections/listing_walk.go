package projections

import (
	"context"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
)

// walkResult is the result of a walk along one index.
type walkResult struct {
	intents   []Intent
	reached   key  // the last row that was read, listed or not
	exhausted bool // there is nothing after reached
}

// isPast reports whether a walk came further than another one.
func (w walkResult) isPast(other walkResult) bool {
	return w.exhausted || !other.exhausted && w.reached.before(other.reached)
}

// stages are the stages of attempts that are not closed; a test checks them against the table's.
const stages = `'{beginning, code, bank, asking, ending, quarantined}'::text[]`

// Each statement reads $6 rows of payments, newest first, by one index. Intents with events that
// the dashboard group has not handled (tail) are taken from intents instead: in one snapshot
// the two together are complete.
//
// The index of customers has no order among equal creation times, so all rows of the last time
// are read. An attempt is open as long as its row is not closed; all applications together have
// few of those.
const (
	listHeadSQL = `
WITH tail AS MATERIALIZED (
    SELECT DISTINCT e.stream_id
    FROM (SELECT coalesce((SELECT position
                           FROM consumer_offsets
                           WHERE consumer_group = '` + DashboardGroupName + `'), 0) AS position) o
    CROSS JOIN LATERAL (
        SELECT stream_id
        FROM events
        WHERE position > o.position
          AND position <= o.position + $13 OFFSET 0
    ) e
), looked AS MATERIALIZED (`
	scannedColumns = `q.intent_uuid, q.created_at, q.state, q.attempting, q.customer_key`
	withinBounds   = `(q.created_at, q.intent_uuid) > ($2, $3) AND (q.created_at, q.intent_uuid) < ($4, $5)`
)

var (
	listStatesSQL = listHeadSQL + `
    SELECT ` + scannedColumns + `
    FROM unnest($9::text[]) AS s(state)
    CROSS JOIN LATERAL (
        SELECT ` + scannedColumns + `
        FROM payments q
        WHERE q.application_uuid = $1
          AND q.state = s.state
          AND ` + withinBounds + `
        ORDER BY q.created_at DESC, q.intent_uuid DESC
        LIMIT $6
    ) q
    ORDER BY q.created_at DESC, q.intent_uuid DESC
    LIMIT $6` + listTailSQL
	listCustomerSQL = listHeadSQL + `
    SELECT ` + scannedColumns + `
    FROM payments q
    WHERE q.customer_key = $11
      AND q.created_at <= $4
      AND ` + withinBounds + `
    ORDER BY q.created_at DESC FETCH FIRST $6 ROWS WITH TIES` + listTailSQL
	listOpenAttemptsSQL = listHeadSQL + `
    SELECT DISTINCT ` + scannedColumns + `
    FROM unnest(` + stages + `) AS s(stage)
    CROSS JOIN LATERAL (
        SELECT c.intent_uuid
        FROM checkout_attempts c
        WHERE c.stage = s.stage
          AND c.stage <> 'closed' OFFSET 0
    ) a
    CROSS JOIN LATERAL (
        SELECT q.application_uuid, ` + scannedColumns + `
        FROM payments q
        WHERE q.intent_uuid = a.intent_uuid OFFSET 0
    ) q
    WHERE q.application_uuid = $1
      AND q.attempting
      AND ` + withinBounds + `
    ORDER BY q.created_at DESC, q.intent_uuid DESC
    LIMIT $6` + listTailSQL
)

// listTailSQL adds the intents of the tail to those that were read, down to the last row read.
// It always returns a row.
var listTailSQL = `
), edge AS MATERIALIZED (
    SELECT n.looked, m.created_at, m.intent_uuid AS uuid
    FROM (SELECT count(*) AS looked FROM looked) n
    LEFT JOIN (
        SELECT created_at, intent_uuid
        FROM looked
        ORDER BY created_at, intent_uuid
        LIMIT 1
    ) m ON true
), fresh AS MATERIALIZED (
    SELECT i.uuid, i.created_at
    FROM tail t
    CROSS JOIN LATERAL (
        SELECT uuid, application_uuid, status, customer, created_at
        FROM intents
        WHERE uuid = t.stream_id OFFSET 0
    ) i
    WHERE i.application_uuid = $1
      AND ($8 = '' OR i.status = $8)
      AND ($12::text IS NULL OR i.customer->>'external_id' = $12)
      AND (i.created_at, i.uuid) > ($2, $3)
      AND (i.created_at, i.uuid) < ($4, $5)
), listed AS MATERIALIZED (
    SELECT l.uuid, l.created_at
    FROM (
        SELECT intent_uuid AS uuid, created_at
        FROM looked
        WHERE state = ANY ($9)
          AND attempting = ANY ($10)
          AND ($11::int8 IS NULL OR customer_key = $11)
          AND intent_uuid NOT IN (SELECT t.stream_id FROM tail t)
        UNION ALL
        SELECT f.uuid, f.created_at
        FROM fresh f
        JOIN edge e ON e.looked < $6 OR (f.created_at, f.uuid) >= (e.created_at, e.uuid)
    ) l
    ORDER BY l.created_at DESC, l.uuid DESC
    LIMIT $7
)
SELECT ` + intentColumns.List("i.") + `, e.looked, coalesce(e.created_at, $2), coalesce(e.uuid, $3),
       (SELECT coalesce(max(position), 0) FROM events)
       - coalesce((SELECT position
                   FROM consumer_offsets
                   WHERE consumer_group = '` + DashboardGroupName + `'), 0)
FROM edge e
LEFT JOIN listed l ON true
LEFT JOIN LATERAL (
    SELECT ` + intentColumns.List("") + `
    FROM intents
    WHERE uuid = l.uuid OFFSET 0
) i ON true
ORDER BY l.created_at DESC, l.uuid DESC`

// walk reads rows between two keys until as many intents as wanted are found, the bound is
// reached, or there are no more.
func (p *Intents) walk(
	ctx context.Context, sql string, l Listing, low, high key, wanted int,
) (walkResult, error) {
	w := walkResult{reached: high}
	left := p.bounds.maxRows
	chunk := min(wanted, left) // usually every row is wanted
	if l.Customer != nil && l.Status != "" {
		chunk = left
	}
	for chunk > 0 && len(w.intents) < wanted && !w.exhausted {
		if err := p.walkStep(ctx, sql, l, low, chunk, wanted-len(w.intents), &w); err != nil {
			return walkResult{}, err
		}
		left -= chunk
		chunk = left
	}
	return w, nil
}

// walkStep reads the next rows after w.reached.
func (p *Intents) walkStep(
	ctx context.Context, sql string, l Listing, low key, chunk, wanted int, w *walkResult,
) error {
	states, attempting := Filter{Status: l.Status}.states()
	var customer *int64
	if l.Customer != nil {
		customer = customerKeyOf(l.Application, l.Customer)
	}
	var scanned, behind int
	var reached key
	// A plan for any arguments does not take the limits into account.
	found, err := postgres.List(ctx, p.lists, "list intents", func(row pgx.CollectableRow) (Intent, error) {
		return scanIntent(row, &scanned, &reached.at, &reached.id, &behind)
	}, sql, postgres.PlanEachTime, l.Application, low.at, low.id, w.reached.at, w.reached.id, chunk, wanted,
		string(l.Status), states, attempting, customer, l.Customer, p.bounds.maxBehind)
	switch {
	case err != nil:
		return err
	case behind > p.bounds.maxBehind:
		return ErrBehind
	}
	w.reached = key{at: reached.at.UTC(), id: reached.id}
	w.exhausted = scanned < chunk
	if found[0].Version == 0 {
		return nil // the row only has how far the step went
	}
	if len(found) == wanted {
		// There may be more among the rows that were read.
		w.reached, w.exhausted = keyOf(found[wanted-1]), false
	}
	for _, i := range found {
		if l.isOf(i.CustomerID) { // two customers may have the same key
			w.intents = append(w.intents, i)
		}
	}
	return nil
}
