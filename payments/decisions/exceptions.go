package decisions

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/projections"
)

// Decisions reads exceptions, decisions, and the notes on payments. It is safe for concurrent use.
type Decisions struct{ q postgres.Querier }

// New reads through q, which stays the caller's.
func New(q postgres.Querier) *Decisions { return &Decisions{q} }

// Exception is money that a person must decide about: to give it back, or to deliver the
// order after all.
type Exception struct {
	Intent            domain.IntentID
	Version           int // of the event that records the money; identifies the exception within the intent
	Application       domain.ApplicationID
	Kind              projections.Kind
	Attempt           domain.AttemptID
	Amount            domain.Money
	Since             time.Time
	Reference         domain.Reference
	MerchantReference domain.MerchantReference
	// Decision is what a person decided, or the refund that left nothing to decide; nil: not yet.
	Decision *Decision
}

// A person's decision has precedence over the refund that closed the exception: servers of earlier
// releases wrote a decision for the refund.
const (
	exceptionsSQL = `
SELECT x.intent_uuid, x.version, x.application_uuid, x.kind, x.attempt, x.amount, x.currency, x.since,
       i.reference, i.merchant_reference, d.at, d.made_by, d.kind, d.reference, d.note, d.informed,
       count(*) OVER () AS total
FROM applications a
JOIN payment_exceptions x ON x.application_uuid = a.uuid
JOIN intents i ON i.uuid = x.intent_uuid
LEFT JOIN payment_decisions p ON p.intent_uuid = x.intent_uuid AND p.version = x.version
LEFT JOIN LATERAL (
    SELECT requested_by, provider_reference, note
    FROM refunds
    WHERE uuid = x.closed_by
    OFFSET 0
) r ON true
CROSS JOIN LATERAL (
    SELECT coalesce(p.decided_at, x.closed_at) AS at,
           coalesce(p.decided_by, r.requested_by, '') AS made_by,
           coalesce(p.kind, 'refunded') AS kind,
           coalesce(p.reference, r.provider_reference, '') AS reference,
           coalesce(p.note, r.note, '') AS note,
           coalesce(p.informed, '') AS informed
) d
WHERE a.organization_uuid = $1
  AND a.mode = $2`
	toDecideSQL = exceptionsSQL + `
  AND d.at IS NULL
ORDER BY x.since, x.intent_uuid, x.version
LIMIT $3`
	exceptionsOfSQL = exceptionsSQL + `
  AND x.intent_uuid = $3
ORDER BY x.version`
)

// ToDecide returns the exceptions without a decision, the longest waiting first, up to limit
// of them, and how many there are in total.
func (d *Decisions) ToDecide(
	ctx context.Context, tenant domain.Tenant, limit int,
) (open []Exception, total int, err error) {
	return d.exceptions(ctx, "list what is to be decided", toDecideSQL, tenant, limit)
}

// Exceptions returns those of one intent, decided or not, in the order of their events.
func (d *Decisions) Exceptions(
	ctx context.Context, tenant domain.Tenant, intent domain.IntentID,
) ([]Exception, error) {
	all, _, err := d.exceptions(ctx, "list exceptions of an intent", exceptionsOfSQL, tenant, intent)
	return all, err
}

func (d *Decisions) exceptions(
	ctx context.Context, doing, sql string, tenant domain.Tenant, arguments ...any,
) (all []Exception, total int, err error) {
	all, err = postgres.List(ctx, d.q, doing, func(row pgx.CollectableRow) (Exception, error) {
		var x Exception
		var at *time.Time
		var made Decision
		err := row.Scan(
			&x.Intent, &x.Version, &x.Application, &x.Kind, &x.Attempt, &x.Amount.Minor, &x.Amount.Currency, &x.Since,
			&x.Reference, &x.MerchantReference, &at, &made.By, &made.Kind, &made.Reference, &made.Note, &made.Informed,
			&total,
		)
		x.Since = x.Since.UTC()
		if at != nil {
			made.At = at.UTC()
			x.Decision = &made
		}
		return x, err
	}, sql, append([]any{tenant.Organization, tenant.Mode}, arguments...)...)
	return all, total, err
}
