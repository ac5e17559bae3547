package outcomes

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/payments/refunds"
)

var proofColumns = postgres.Columns[Proof]{
	postgres.Typed("kind", "text", func(p *Proof) *string { return (*string)(&p.Kind) }),
	postgres.Typed("subject", "text", func(p *Proof) *string { return &p.Subject }),
	postgres.Typed("found_by", "uuid", func(p *Proof) *[16]byte { return (*[16]byte)(&p.FoundBy) }),
	postgres.Typed("finder", "text", func(p *Proof) *string { return &p.Finder }),
	postgres.Typed("found_at", "timestamptz", func(p *Proof) *time.Time { return &p.FoundAt }),
	postgres.Typed("verdict", "text", func(p *Proof) *string { return (*string)(&p.Verdict) }),
	postgres.Typed("line", "int4", func(p *Proof) *int { return &p.Line }),
	postgres.Typed("provider_reference", "text", func(p *Proof) *string { return &p.ProviderReference }),
	postgres.Typed("amount", "int8", func(p *Proof) *int64 { return &p.Amount }),
	postgres.Typed("at", "timestamptz", func(p *Proof) **time.Time { return &p.At }),
}

// Proofs that nobody used are kept for that long.
const proofsFor = 30 * 24 * time.Hour

var (
	proofsSQL = `
SELECT ` + proofColumns.List("p.") + `
FROM unnest($1::text[], $2::text[]) AS k (kind, subject)
JOIN statement_proofs p USING (kind, subject)
ORDER BY p.found_at DESC, p.found_by`
	keepSQL = `
INSERT INTO statement_proofs (` + proofColumns.List("") + `)
SELECT ` + proofColumns.List("f.") + `
FROM (` + unknownPaymentsSQL + `
UNION ALL ` + unknownRefundsSQL + `) u
JOIN ` + proofColumns.Unnest(4) + ` AS f (` + proofColumns.List("") + `)
  ON f.kind = u.kind
 AND f.subject = u.subject
ON CONFLICT (kind, subject, found_by) DO UPDATE
SET (finder, found_at, verdict, line, provider_reference, amount, at)
  = (excluded.finder, excluded.found_at, excluded.verdict, excluded.line, excluded.provider_reference,
     excluded.amount, excluded.at)`
)

// Keep keeps what a statement shows of outcomes that are unknown, as the member's. Of each Proof it takes the
// key, the verdict and the line; one key must not come twice. It returns how many it kept: what the
// tenant does not have, or is known by now, is left out. It needs SettleOutcomes.
func (op *Outcomes) Keep(
	ctx context.Context, by accounts.Actor, of domain.Tenant, found []Proof,
) (kept int, err error) {
	if len(found) == 0 {
		return 0, nil
	}
	org, now := accounts.OrganizationID(of.Organization), op.ledger.Now()
	mine := slices.Clone(found)
	for n := range mine {
		p := &mine[n]
		p.FoundBy, p.Finder, p.FoundAt = by.User, by.Name, now
		if !refunds.IsReference(p.ProviderReference) {
			p.ProviderReference = "" // the number of the line is enough to find it
		}
	}
	rows := proofColumns.Arrays(mine)
	err = op.accounts.Do(ctx, by, org, accounts.SettleOutcomes, func(tx pgx.Tx) (accounts.Entry, error) {
		done, err := tx.Exec(ctx, keepSQL, append([]any{now, of.Organization, of.Mode}, rows...)...)
		if err != nil {
			return accounts.Entry{}, fmt.Errorf("keep proofs: %w", err)
		}
		kept = int(done.RowsAffected())
		_, err = tx.Exec(ctx, `DELETE FROM statement_proofs WHERE found_at < $1`, now.Add(-proofsFor))
		return accounts.Entry{
			Action: ActionCompare, Subject: "organization", SubjectID: uuid.UUID(org),
			Detail: map[string]any{"count": kept},
		}, err
	})
	return kept, err
}

// KeyOfPayment is the key of an attempt's payment.
func KeyOfPayment(id domain.AttemptID) Key { return Key{Payment, string(id)} }

// KeyOfRefund is the key of a refund.
func KeyOfRefund(id domain.RefundID) Key { return Key{Refund, id.String()} }
