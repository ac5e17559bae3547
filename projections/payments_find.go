package projections

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
)

// paymentColumnsOf are a Payment, of an intent i and its row p of payments, which
// may not be there yet.
var paymentColumnsOf = `coalesce(p.late, false), coalesce(p.duplicates, 0), p.succeeded_at, p.canceled_at, ` + intentColumns.list("i.")

// scanPayment reads paymentColumnsOf, after the columns for which others are places.
func scanPayment(row pgx.CollectableRow, others ...any) (p Payment, err error) {
	p.Intent, err = scanIntent(row, append(others, &p.Late, &p.Duplicates, &p.SucceededAt, &p.CanceledAt)...)
	for _, t := range []*time.Time{p.SucceededAt, p.CanceledAt} {
		if t != nil {
			*t = t.UTC()
		}
	}
	return p, err
}

var findSQL = `SELECT ` + paymentColumnsOf + `
FROM intents i JOIN applications a ON a.uuid = i.application_uuid AND a.organization_uuid = $1
     LEFT JOIN payments p ON p.intent_uuid = i.uuid
WHERE i.uuid = $2`

// Find is one payment of the organisation; ok says whether there is one.
func (p *Payments) Find(ctx context.Context, organization uuid.UUID, id domain.IntentID) (found Payment, ok bool, err error) {
	rows, err := p.pool.Query(ctx, findSQL, organization, id)
	if err != nil {
		return Payment{}, false, fmt.Errorf("find payment: %w", err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Payment, error) { return scanPayment(row) })
	if err != nil {
		return Payment{}, false, fmt.Errorf("find payment: %w", err)
	}
	if len(all) == 0 {
		return Payment{}, false, nil
	}
	return all[0], true, nil
}

// Of each application as many rows are read as are counted at most.
const (
	openSQL = `
SELECT count(*) FROM (
    SELECT FROM applications a CROSS JOIN LATERAL (
        SELECT FROM payments p WHERE p.application_uuid = a.uuid AND p.state = 'open' LIMIT $2
    ) p
    WHERE a.organization_uuid = $1 LIMIT $2
) counted`
	undecidedSQL = `
SELECT count(*) FROM (
    SELECT FROM applications a JOIN payment_exceptions x ON x.application_uuid = a.uuid
    WHERE a.organization_uuid = $1
      AND NOT EXISTS (SELECT FROM payment_decisions d WHERE d.intent_uuid = x.intent_uuid AND d.version = x.version)
    LIMIT $2
) counted`
)

// Open is how many of the organisation's intents are neither paid nor canceled,
// and Undecided how many exceptions wait for a decision. Both count up to the
// limit and no further, so they cost the same however many there are.
func (p *Payments) Open(ctx context.Context, organization uuid.UUID, limit int) (int, error) {
	return p.count(ctx, openSQL, organization, limit)
}

// Undecided is explained at Open.
func (p *Payments) Undecided(ctx context.Context, organization uuid.UUID, limit int) (int, error) {
	return p.count(ctx, undecidedSQL, organization, limit)
}

func (p *Payments) count(ctx context.Context, sql string, organization uuid.UUID, limit int) (int, error) {
	var n int
	if err := p.pool.QueryRow(ctx, sql, plannedAnew, organization, limit).Scan(&n); err != nil {
		return 0, fmt.Errorf("count payments: %w", err)
	}
	return n, nil
}

const decidedSQL = exceptionsSQL + ` AND d.intent_uuid IS NOT NULL ORDER BY d.decided_at DESC, x.intent_uuid, x.version LIMIT $2`

// Decided is what was decided last, up to limit of them.
func (p *Payments) Decided(ctx context.Context, organization uuid.UUID, limit int) ([]Exception, error) {
	all, _, err := p.exceptions(ctx, decidedSQL, organization, limit)
	if err != nil {
		return nil, fmt.Errorf("list what was decided: %w", err)
	}
	return all, nil
}
