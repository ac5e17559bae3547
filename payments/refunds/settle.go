package refunds

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/payments"
)

// Verdict is what a person found out about a refund whose outcome was unknown.
type Verdict string

// The verdicts.
const (
	Refunded    Verdict = "refunded"
	NotRefunded Verdict = "failed"
)

const (
	lockRefundSQL = `
FROM refunds
WHERE uuid = $1
  AND application_uuid IN (SELECT uuid FROM applications WHERE organization_uuid = $2)
FOR UPDATE`
	// The person who settles it becomes the actor that the ledger then records.
	settleSQL = `
UPDATE refunds
SET state = $2, trouble = $3, evidence = $4, provider_reference = $5, note = $6, actor = $7,
    requested_by = $8, ended_at = $9, updated_at = $10, proposed_by = $11, statement = $12,
    unrecorded = CASE WHEN $2 = 'failed' AND by_acquirer THEN 'failure' ELSE '' END
WHERE uuid = $1`
)

// Settle records an operator's verdict on a refund that is Unknown: whether they found it in the
// acquirer's books. Errors: those of SettleIn and Finish, a payments.NoteError, and
// accounts.ErrForbidden: members settle refunds through package outcomes.
func (op *Operations) Settle(
	ctx context.Context, by accounts.Actor, org accounts.OrganizationID, id domain.RefundID,
	v Verdict, reference, note string,
) (Refund, error) {
	var r Refund
	note, err := payments.CheckNote(note)
	if err != nil {
		return r, err
	}
	e := payments.Evidence{Actor: ActorOf(by), Note: note, Reference: reference}
	err = op.accounts.DoAsOperator(ctx, by, org, func(tx pgx.Tx) (accounts.Entry, error) {
		var err error
		r, err = op.SettleIn(ctx, tx, org, id, v, by.Name, e)
		return auditEntry(ActionSettle, r, map[string]any{"outcome": string(v), "note": note}), err
	})
	if err != nil {
		return Refund{}, err
	}
	return op.Finish(ctx, r)
}

// SettleIn writes a person's verdict, with the evidence, in a transaction that has checked that they may
// give it; who is how people know them. After its commit the caller calls Finish. Errors: ErrNoRefund,
// ErrNotUnknown, ErrReference, ErrTooLarge, ErrKnown.
func (op *Operations) SettleIn(
	ctx context.Context, tx pgx.Tx, org accounts.OrganizationID, id domain.RefundID, v Verdict, who string,
	e payments.Evidence,
) (Refund, error) {
	if !IsReference(e.Reference) {
		return Refund{}, ErrReference
	}
	r, err := postgres.Find(ctx, tx, "find refund", ErrNoRefund, columns.Scan,
		`SELECT `+columns.List("")+lockRefundSQL, id, org)
	if err == nil && r.State != Unknown {
		err = ErrNotUnknown
	}
	if err != nil {
		return Refund{}, err
	}
	r = r.settled(v, who, e, op.ledger.Now())
	if err := op.checkSettled(ctx, tx, r); err != nil {
		return Refund{}, err
	}
	return r, postgres.One(tx.Exec(ctx, settleSQL, id, string(r.State), r.Trouble, r.Evidence,
		r.ProviderReference, r.Note, r.Actor, r.RequestedBy, r.EndedAt, r.UpdatedAt, r.ProposedBy, r.Statement))
}

// checkSettled refuses money that went back and that the ledger would not take.
func (op *Operations) checkSettled(ctx context.Context, tx pgx.Tx, r Refund) error {
	if r.State == Failed {
		return nil
	}
	i, err := ledger.Read(ctx, tx, r.Intent)
	if err == nil {
		_, err = domain.Decide(i, r.command(), op.ledger.Now())
	}
	return translateRefusal(err)
}

// settled is the refund after a person's verdict.
func (r Refund) settled(v Verdict, who string, e payments.Evidence, now time.Time) Refund {
	r.Note, r.Actor, r.RequestedBy = e.Note, e.Actor, who
	r.ProposedBy, r.Statement = e.ProposedBy, e.Statement
	r.State, r.Trouble, r.UpdatedAt = Recording, "", now
	r.Evidence, r.ProviderReference = domain.EvidencePerson, e.Reference
	if v == NotRefunded {
		r.State, r.Trouble, r.EndedAt = Failed, PersonDenied, &now
		r.Evidence, r.ProviderReference = "", ""
	}
	return r
}

// Finish tells the ledger of a refund that was settled. After an error the refund stays as it is, and a
// server tells the ledger later.
func (op *Operations) Finish(ctx context.Context, r Refund) (Refund, error) {
	if r.State == Failed {
		_ = op.recordFailure(ctx, r) // it is settled; a server tells the ledger later
		return r, nil
	}
	return op.record(ctx, r)
}
