package projections

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
)

// scanned is the result of a scan.
type scanned struct {
	found     []Payment // in the direction of the scan; at most as many as were wanted
	reached   key       // the last row that was read, matching or not
	exhausted bool      // there is nothing after reached
}

const countApplicationsSQL = `
SELECT count(*)
FROM applications
WHERE organization_uuid = $1
  AND ($2::uuid IS NULL OR uuid = $2)`

// scan reads from a cursor on the payments that fit the filter, until it has
// as many as wanted, has read about MaxScan rows, or there are no more.
func (p *Payments) scan(
	ctx context.Context, organization uuid.UUID, f Filter, at cursor, wanted int,
) (scanned, error) {
	applications, err := postgres.Find(ctx, p.q, "count applications", nil, pgx.RowTo[int], countApplicationsSQL,
		organization, f.Application)
	if err != nil {
		return scanned{}, err
	}
	states, attempting := f.states()
	s := scanned{reached: at.key, exhausted: true}
	branches := applications * len(states)
	if branches == 0 {
		return s, nil
	}
	s.exhausted = false
	// Of each application and state as many rows are read as of all
	// together: the newest may all be of one.
	atMost := max(wanted, maxChunk/branches)
	chunk := wanted
	if f.selective() {
		chunk = max(wanted, firstScan)
	}
	for left := p.MaxScan; left > 0 && len(s.found) < wanted && !s.exhausted; {
		chunk = min(chunk, atMost)
		err := p.scanStep(ctx, organization, f, states, attempting, at.direction, chunk, wanted, &s)
		if err != nil {
			return scanned{}, err
		}
		left -= chunk * branches
		chunk *= 4
	}
	return s, nil
}

// selective reports whether the scan reads rows that do not fit the filter.
func (f Filter) selective() bool {
	_, attempting := f.states()
	return f.MinAmount != nil || f.MaxAmount != nil || f.text != nil || len(attempting) == 1
}

// amounts are the least and the highest that the filter takes.
func (f Filter) amounts() (least, most int64) {
	least, most = 0, math.MaxInt64
	if f.MinAmount != nil {
		least = *f.MinAmount
	}
	if f.MaxAmount != nil {
		most = *f.MaxAmount
	}
	return least, most
}

// states are the states of payments with the filter's status, and whether an attempt
// may be open.
func (f Filter) states() (states []string, attempting []bool) {
	if f.Late && f.Status == "" {
		f.Status = domain.StatusSucceeded
	}
	switch f.Status {
	case "":
		return []string{stateOpen, stateSucceeded, stateCanceled}, []bool{false, true}
	case domain.StatusRequiresPaymentMethod:
		return []string{stateOpen}, []bool{false}
	case domain.StatusProcessing:
		return []string{stateOpen}, []bool{true}
	case domain.StatusSucceeded:
		return []string{stateSucceeded}, []bool{false, true}
	case domain.StatusCanceled:
		return []string{stateCanceled}, []bool{false, true}
	}
	return nil, nil
}

// bounds are the keys between which the scan continues: those of the filter's days, narrowed by
// the last key reached.
func (f Filter) bounds(d direction, reached key) (low, high key) {
	low, high = oldest, newest
	if !f.From.IsZero() {
		low = key{at: f.From.Start()} // nobody has the nil uuid
	}
	if !f.To.IsZero() {
		high = key{at: f.To.Add(1).Start()}
	}
	if d == older && reached.before(high) {
		high = reached
	}
	if d == newer && low.before(reached) {
		low = reached
	}
	return low, high
}

// Of each application and state the index gives the rows in their order. The
// first $8 of all of them are read, and those that fit the filter are
// returned with the values in intents, at most $12. The windows number the rows of looked
// in its order.
var (
	scanHeadSQL = `
WITH looked AS MATERIALIZED (
    SELECT p.intent_uuid, p.created_at, p.amount, p.attempting, p.late, p.duplicates, p.succeeded_at,
           p.canceled_at, p.refunded, p.terms, p.customer_key
    FROM applications a
    CROSS JOIN unnest($3::text[]) AS s(state)
    CROSS JOIN LATERAL (
        SELECT q.intent_uuid, q.created_at, q.amount, q.attempting, q.late, q.duplicates, q.succeeded_at,
               q.canceled_at, q.refunded, q.terms, q.customer_key
        FROM payments q
        WHERE q.application_uuid = a.uuid
          AND q.state = s.state
          AND (q.created_at, q.intent_uuid) > ($4, $5)
          AND (q.created_at, q.intent_uuid) < ($6, $7)
          AND (NOT $13 OR q.late)
        ORDER BY `
	scanMiddleSQL = `
        LIMIT $8
    ) p
    WHERE a.organization_uuid = $1
      AND ($2::uuid IS NULL OR a.uuid = $2)
    ORDER BY `
	scanTailSQL = `
    LIMIT $8
), numbered AS MATERIALIZED (
    SELECT l.intent_uuid, l.created_at, l.amount, l.attempting, l.late, l.duplicates, l.succeeded_at,
           l.canceled_at, l.refunded, l.terms, l.customer_key,
           row_number() OVER () AS place, count(*) OVER () AS together
    FROM looked l
), taken AS MATERIALIZED (
    SELECT n.intent_uuid, n.created_at, n.late, n.duplicates, n.succeeded_at, n.canceled_at, n.refunded,
           n.place
    FROM numbered n
    WHERE amount BETWEEN $9 AND $10
      AND attempting = ANY($11)
      AND CASE WHEN $14 = '' THEN true
               ELSE n.terms::tsvector @@ $14::tsquery OR n.customer_key = ANY($15) END
    ORDER BY place
    LIMIT $12
)
` + selectPayment + `, p.created_at, r.together, r.created_at, r.intent_uuid
FROM numbered r
LEFT JOIN taken p ON true
LEFT JOIN intents i ON i.uuid = p.intent_uuid
WHERE r.place = r.together
ORDER BY p.place`

	scanOlderSQL = scanHeadSQL + `q.created_at DESC, q.intent_uuid DESC` + scanMiddleSQL +
		`p.created_at DESC, p.intent_uuid DESC` + scanTailSQL
	scanNewerSQL = scanHeadSQL + `q.created_at, q.intent_uuid` + scanMiddleSQL +
		`p.created_at, p.intent_uuid` + scanTailSQL
)

// scanStep reads the next rows after s.reached.
func (p *Payments) scanStep(
	ctx context.Context, organization uuid.UUID, f Filter, states []string, attempting []bool, d direction,
	chunk, wanted int, s *scanned,
) error {
	sql := scanOlderSQL
	if d == newer {
		sql = scanNewerSQL
	}
	low, high := f.bounds(d, s.reached)
	least, most := f.amounts()
	var w textQuery
	if f.text != nil {
		w = *f.text
	}
	scanned := 0
	// A plan for any arguments does not take the limit into account.
	rows, err := postgres.List(ctx, p.q, "look at payments", func(row pgx.CollectableRow) (Payment, error) {
		var createdAt *time.Time
		found, err := scanPayment(row, &createdAt, &scanned, &s.reached.at, &s.reached.id)
		if createdAt != nil {
			found.key = key{at: createdAt.UTC(), id: found.ID}
		}
		return found, err
	}, sql, postgres.PlanEachTime, organization, f.Application, states,
		low.at, low.id, high.at, high.id, chunk, least, most, attempting, wanted-len(s.found),
		f.Late, w.query, w.customers)
	for _, found := range rows {
		// A row without a version only has how far the step went: none fits the filter. The
		// status of an intent may have changed since the group handled its events.
		if found.Version > 0 && (f.Status == "" || found.Status == f.Status) {
			s.found = append(s.found, found)
		}
	}
	s.reached.at = s.reached.at.UTC()
	s.exhausted = scanned < chunk
	return err
}
