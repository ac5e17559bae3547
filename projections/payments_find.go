package projections

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/plaintext"
	"daftar/internal/postgres"
)

// selectPayment selects a Payment from an intent i and its row p of payments, which may not
// exist yet.
var selectPayment = `SELECT ` + intentColumns.List("i.") + `,
       coalesce(p.late, false), coalesce(p.duplicates, 0), p.succeeded_at, p.canceled_at,
       coalesce(p.refunded, 0)`

// scanPayment reads selectPayment, and then others.
func scanPayment(row pgx.CollectableRow, others ...any) (p Payment, err error) {
	p.Intent, err = scanIntent(row,
		append([]any{&p.Late, &p.Duplicates, &p.SucceededAt, &p.CanceledAt, &p.Refunded}, others...)...)
	for _, t := range []*time.Time{p.SucceededAt, p.CanceledAt} {
		if t != nil {
			*t = t.UTC()
		}
	}
	return p, err
}

var findSQL = selectPayment + `
FROM intents i
JOIN applications a ON a.uuid = i.application_uuid AND a.organization_uuid = $1 AND a.mode = $3
LEFT JOIN payments p ON p.intent_uuid = i.uuid
WHERE i.uuid = $2`

// Find reads one payment of the tenant; ok reports whether it exists.
func (p *Payments) Find(
	ctx context.Context, tenant domain.Tenant, id domain.IntentID,
) (found Payment, ok bool, err error) {
	scan := func(row pgx.CollectableRow) (Payment, error) { return scanPayment(row) }
	found, err = postgres.Find(ctx, p.q, "find payment", nil, scan, findSQL,
		tenant.Organization, id, tenant.Mode)
	return found, found.Version > 0, err
}

var findReferenceSQL = selectPayment + `
FROM (
    SELECT q.intent_uuid
    FROM payments q
    WHERE q.reference = $2 OFFSET 0
) r
CROSS JOIN LATERAL (
    SELECT ` + intentColumns.List("") + `
    FROM intents
    WHERE uuid = r.intent_uuid OFFSET 0
) i
JOIN applications a ON a.uuid = i.application_uuid AND a.organization_uuid = $1 AND a.mode = $3
LEFT JOIN payments p ON p.intent_uuid = i.uuid
ORDER BY i.created_at DESC
LIMIT 1`

// FindReference reads the payment of the tenant with a reference as people type it; ok reports
// whether it exists.
func (p *Payments) FindReference(
	ctx context.Context, tenant domain.Tenant, typed string,
) (found Payment, ok bool, err error) {
	reference := referenceIn(typed)
	if len(reference) != referenceChars || !plaintext.Storable(typed) {
		return found, false, nil
	}
	scan := func(row pgx.CollectableRow) (Payment, error) { return scanPayment(row) }
	found, err = postgres.Find(ctx, p.q, "find payment by its reference", nil, scan, findReferenceSQL,
		postgres.PlanEachTime, tenant.Organization, string(reference), tenant.Mode)
	return found, found.Version > 0, err
}

// Of each application at most as many rows are read as are counted in total.
const (
	openSQL = `
SELECT count(*)
FROM (
    SELECT
    FROM applications a
    CROSS JOIN LATERAL (
        SELECT
        FROM payments p
        WHERE p.application_uuid = a.uuid
          AND p.state = 'open'
        LIMIT $2
    ) p
    WHERE a.organization_uuid = $1
      AND a.mode = $3
    LIMIT $2
) counted`
	undecidedSQL = `
SELECT count(*)
FROM (
    SELECT
    FROM applications a
    JOIN payment_exceptions x ON x.application_uuid = a.uuid
    WHERE a.organization_uuid = $1
      AND a.mode = $3
      AND x.closed_at IS NULL
      AND NOT EXISTS (SELECT
                      FROM payment_decisions d
                      WHERE d.intent_uuid = x.intent_uuid
                        AND d.version = x.version)
    LIMIT $2
) counted`
)

// Open is how many of the tenant's intents are neither paid nor canceled,
// and Undecided how many exceptions wait for a decision. Both count up to the
// limit and no further, so they cost the same however many there are.
func (p *Payments) Open(ctx context.Context, tenant domain.Tenant, limit int) (int, error) {
	return p.count(ctx, openSQL, tenant, limit)
}

// Undecided is explained at Open.
func (p *Payments) Undecided(ctx context.Context, tenant domain.Tenant, limit int) (int, error) {
	return p.count(ctx, undecidedSQL, tenant, limit)
}

func (p *Payments) count(ctx context.Context, sql string, tenant domain.Tenant, limit int) (int, error) {
	return postgres.Find(ctx, p.q, "count payments", nil, pgx.RowTo[int],
		sql, postgres.PlanEachTime, tenant.Organization, limit, tenant.Mode)
}
