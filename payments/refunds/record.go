package refunds

import (
	"context"
	"errors"
	"fmt"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/payments"
)

func (r Refund) command() domain.RecordRefund {
	return domain.RecordRefund{
		Refund: r.ID, Attempt: r.Attempt, Amount: r.Amount, ProviderReference: r.ProviderReference,
		Evidence: r.Evidence,
	}
}

// record writes a refund that is Recording to the ledger, and ends it. It may be called
// again for the same one. An error leaves it Recording.
func (op *Operations) record(ctx context.Context, r Refund) (Refund, error) {
	_, err := op.ledger.Execute(ctx, r.Intent, r.command(), r.origin())
	if _, refused := errors.AsType[domain.Refusal](err); refused {
		return op.refused(ctx, r, err)
	}
	if err != nil {
		return r, err
	}
	ended := r
	ended.State, ended.Trouble = Recorded, ""
	if ended, err = op.set(ctx, ended); err != nil {
		return r, err
	}
	return ended, nil
}

// refused ends a refund that the ledger refuses. Money that the acquirer gave back is gone
// anyway, so that refund waits for a person.
func (op *Operations) refused(ctx context.Context, r Refund, refusal error) (Refund, error) {
	r.State, r.Trouble = Failed, LedgerRefused
	if r.Evidence == domain.EvidenceAcquirer {
		r.State = Unknown
	}
	r, err := op.set(ctx, r)
	if err != nil {
		return r, err
	}
	return r, translateRefusal(refusal)
}

// set writes the state of a refund that has not ended. That the money is in the ledger is also written
// where a person has said meanwhile that nothing went back.
func (op *Operations) set(ctx context.Context, r Refund) (Refund, error) {
	if r.State == Failed || r.State == Recorded {
		now := op.ledger.Now()
		r.EndedAt = &now
	}
	r.UpdatedAt = op.ledger.Now()
	err := postgres.One(op.pool.Exec(ctx, setSQL, r.ID, string(r.State), r.Trouble, r.Evidence,
		r.ProviderReference, r.EndedAt, r.UpdatedAt))
	if errors.Is(err, postgres.ErrNotOne) {
		err = errEnded
	}
	if err != nil {
		return r, fmt.Errorf("write state of a refund: %w", err)
	}
	return r, nil
}

// errEnded: the refund has ended meanwhile, so its new state was not written.
var errEnded = errors.New("it has ended already")

const setSQL = `
UPDATE refunds
SET state = $2, trouble = $3, evidence = $4, provider_reference = $5, ended_at = $6, updated_at = $7,
    busy_until = NULL, unrecorded = CASE WHEN $2 = 'failed' AND by_acquirer THEN 'failure' ELSE '' END
WHERE uuid = $1
  AND (ended_at IS NULL OR state = 'failed' AND $2 = 'recorded')`

// recordFailure writes to the ledger that a refund by the acquirer has failed. It may be called again
// for the same one. An error leaves it to a server that looks later.
func (op *Operations) recordFailure(ctx context.Context, r Refund) error {
	_, err := op.ledger.Execute(ctx, r.Intent, domain.RecordRefundFailure{
		Refund: r.ID, Attempt: r.Attempt, Amount: r.Amount, Reason: r.FailureReason(),
	}, r.origin())
	if _, refused := errors.AsType[domain.Refusal](err); err != nil && !refused {
		return err
	}
	// Refused is what went back after all: the ledger has that.
	_, err = op.pool.Exec(ctx, `UPDATE refunds SET unrecorded = '' WHERE uuid = $1`, r.ID)
	if err != nil {
		return fmt.Errorf("write that a failed refund is recorded: %w", err)
	}
	return nil
}

func (r Refund) origin() ledger.Origin {
	return payments.Evidence{
		Actor: r.Actor, ProposedBy: r.ProposedBy, Note: r.Note, Statement: r.Statement,
	}.Origin(r.Attempt)
}
