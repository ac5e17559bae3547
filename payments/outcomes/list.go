package outcomes

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
)

// unknownAfter is how long the outcome of an attempt is unknown before people look: until then a call
// may just be under way.
const unknownAfter = time.Minute

// ofTenant and inLive say of which applications p.
const (
	ofTenant = `p.organization_uuid = $2 AND p.mode = $3`
	inLive   = `p.mode = 'live'`
)

// paymentsSQL selects payments of some applications whose outcome is unknown, since $1; which may narrow
// down the attempts. Each row is looked up by an index, so that no plan reads a table.
func paymentsSQL(of, which string) string {
	return `
SELECT 'payment' AS kind, a.attempt AS subject, i.application_uuid, a.intent_uuid, i.reference, a.attempt,
       a.acquirer, a.method, a.payer, i.amount, i.currency, a.created_at, a.stage_since, a.ask_at, a.trouble
FROM unnest(ARRAY['quarantined', 'beginning', 'asking', 'ending']) AS s (stage)
CROSS JOIN LATERAL (SELECT attempt, intent_uuid, acquirer, method, payer, created_at, stage_since, ask_at,
                           trouble
                    FROM checkout_attempts
                    WHERE stage = s.stage
                      AND stage <> 'closed'
                      AND stage_since <= CASE s.stage
                                         WHEN 'quarantined' THEN 'infinity'::timestamptz
                                         ELSE $1
                                         END
                      ` + which + `
                    OFFSET 0) a
CROSS JOIN LATERAL (SELECT reference, application_uuid, amount, currency
                    FROM intents
                    WHERE uuid = a.intent_uuid OFFSET 0) i
JOIN applications p ON p.uuid = i.application_uuid
WHERE ` + of
}

// refundsSQL selects refunds of some applications whose outcome is unknown.
func refundsSQL(of string) string {
	return `
SELECT 'refund' AS kind, r.uuid::text AS subject, r.application_uuid, r.intent_uuid, i.reference, r.attempt,
       r.acquirer, coalesce(a.method, '') AS method, coalesce(a.payer, '') AS payer, r.amount, r.currency,
       r.requested_at AS created_at, r.updated_at AS stage_since, NULL::timestamptz AS ask_at, r.trouble
FROM refunds r
CROSS JOIN LATERAL (SELECT reference FROM intents WHERE uuid = r.intent_uuid OFFSET 0) i
JOIN applications p ON p.uuid = r.application_uuid
LEFT JOIN LATERAL (SELECT method, payer
                   FROM checkout_attempts
                   WHERE attempt = r.attempt OFFSET 0) a ON true
WHERE r.ended_at IS NULL
  AND r.state = 'unknown'
  AND ` + of
}

var (
	unknownPaymentsSQL = paymentsSQL(ofTenant, "")
	unknownRefundsSQL  = refundsSQL(ofTenant)
	unknownColumns     = `
       u.kind, u.subject, u.application_uuid, u.intent_uuid, u.reference, u.attempt, u.acquirer, u.method,
       u.payer, u.amount, u.currency, u.created_at, u.stage_since, u.ask_at, u.trouble`
	withProposal = `
LEFT JOIN outcome_proposals o ON o.kind = u.kind AND o.subject = u.subject AND o.ended_at IS NULL
WHERE o.state IS DISTINCT FROM 'recording'`
	listSQL = `
SELECT ` + unknownColumns + `, o.uuid
FROM (` + unknownPaymentsSQL + `
UNION ALL ` + unknownRefundsSQL + `) u` + withProposal + `
ORDER BY o.uuid IS NULL,
         NOT EXISTS (SELECT FROM statement_proofs s WHERE s.kind = u.kind AND s.subject = u.subject),
         u.stage_since, u.subject
LIMIT $4`
	countSQL = `
SELECT count(*)
FROM (
    SELECT
    FROM (` + unknownPaymentsSQL + `
UNION ALL ` + unknownRefundsSQL + `) u` + withProposal + `
    LIMIT $4
) counted`
)

func scanOutcome(row pgx.CollectableRow) (o Outcome, err error) {
	var proposal *[16]byte
	err = row.Scan(&o.Kind, &o.Subject, &o.Application, (*[16]byte)(&o.Intent), &o.Reference, &o.Attempt,
		&o.Acquirer, &o.Method, &o.Payer, &o.Amount.Minor, &o.Amount.Currency, &o.BegunAt, &o.Since, &o.AskAt,
		&o.Trouble, &proposal)
	if proposal != nil {
		o.Proposal = &Proposal{ID: ProposalID(*proposal)}
	}
	return o, err
}

// List returns what is unknown, up to limit of them: what is proposed first, then what statements show, then
// the rest, of each the longest waiting first.
func (op *Outcomes) List(ctx context.Context, of domain.Tenant, limit int) ([]Outcome, error) {
	all, err := postgres.List(ctx, op.pool, "list unknown outcomes", scanOutcome, listSQL,
		op.ledger.Now().Add(-unknownAfter), of.Organization, of.Mode, limit)
	if err != nil || len(all) == 0 {
		return all, err
	}
	return all, op.addDetails(ctx, op.pool, all)
}

// Count is how many List has, up to limit.
func (op *Outcomes) Count(ctx context.Context, of domain.Tenant, limit int) (int, error) {
	return postgres.Find(ctx, op.pool, "count unknown outcomes", nil, pgx.RowTo[int], countSQL,
		op.ledger.Now().Add(-unknownAfter), of.Organization, of.Mode, limit)
}

var (
	findPaymentSQL = `
SELECT ` + unknownColumns + `, o.uuid
FROM (` + paymentsSQL(ofTenant, `AND attempt = $4`) + `) u` + withProposal
	findRefundSQL = `
SELECT ` + unknownColumns + `, o.uuid
FROM (` + unknownRefundsSQL + `
  AND $1::timestamptz IS NOT NULL
  AND r.uuid = $4) u` + withProposal
)

// Find returns what is unknown of a key; ErrNoOutcome where the tenant has nothing.
func (op *Outcomes) Find(ctx context.Context, of domain.Tenant, k Key) (Outcome, error) {
	return op.find(ctx, op.pool, of, k, op.ledger.Now().Add(-unknownAfter))
}

// find is Find of what has been unknown since then.
func (op *Outcomes) find(
	ctx context.Context, q postgres.Querier, of domain.Tenant, k Key, since time.Time,
) (Outcome, error) {
	sql := findPaymentSQL
	if k.Kind == Refund {
		sql = findRefundSQL
	}
	subject, err := k.parameter()
	if err != nil {
		return Outcome{}, err
	}
	found, err := postgres.Find(ctx, q, "find unknown outcome", ErrNoOutcome, scanOutcome, sql,
		since, of.Organization, of.Mode, subject)
	if err != nil {
		return found, err
	}
	one := []Outcome{found}
	err = op.addDetails(ctx, q, one)
	return one[0], err
}

// addDetails adds the proposals and the proofs.
func (op *Outcomes) addDetails(ctx context.Context, q postgres.Querier, all []Outcome) error {
	kinds, subjects := make([]string, len(all)), make([]string, len(all))
	var ids [][16]byte
	for n, o := range all {
		kinds[n], subjects[n] = string(o.Kind), o.Subject
		if o.Proposal != nil {
			ids = append(ids, o.Proposal.ID)
		}
	}
	proofs, err := postgres.List(ctx, q, "list proofs", proofColumns.Scan, proofsSQL, kinds, subjects)
	if err != nil {
		return err
	}
	proposals, err := postgres.List(ctx, q, "list proposals", proposalColumns.Scan, proposalsSQL, ids)
	if err != nil {
		return err
	}
	for n := range all {
		o := &all[n]
		for _, p := range proofs {
			if p.Key == o.Key {
				o.Proofs = append(o.Proofs, p)
			}
		}
		if at := slices.IndexFunc(proposals, func(p Proposal) bool { return p.Key == o.Key }); at >= 0 {
			o.Proposal = &proposals[at]
		}
	}
	return nil
}
