package outcomes

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/queue"
	"daftar/payments"
)

const (
	// pollEvery is how soon a server notices what another one could not record.
	pollEvery = 10 * time.Second
	// lease is how long a server may record one, and the pause after a failure.
	lease = 30 * time.Second
)

// waiting selects what was settled and is not in the ledger. Recording it twice changes nothing, so a
// claim that has lapsed is taken up again.
var waiting = queue.Table{
	Name: "outcome_proposals", Key: "uuid", Lease: "busy_until", Due: "decided_at",
	Where: `ended_at IS NULL AND state = 'recording'`,
}

var claimSQL = waiting.Claim(1, proposalColumns.List(""))

// Run records what was settled in the ledger, until ctx ends.
func (op *Outcomes) Run(ctx context.Context, log zerolog.Logger) {
	loop := queue.Loop{
		Poll: pollEvery, Wake: op.settled, Failing: "settled outcomes are not recorded", Log: log,
	}
	loop.Run(ctx, op.step)
}

func (op *Outcomes) step(ctx context.Context) (worked bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, queue.StoreLimit)
	defer cancel()
	now := op.ledger.Now()
	p, err := postgres.Find(ctx, op.pool, "claim a settled outcome", pgx.ErrNoRows, proposalColumns.Scan,
		claimSQL, now, now.Add(lease))
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := op.record(ctx, p); err != nil {
		return true, fmt.Errorf("%w: proposal %s: %w", queue.ErrRow, p.ID, err)
	}
	return true, nil
}

const endSQL = `
WITH forgotten AS (
    DELETE FROM statement_proofs
    WHERE kind = $4
      AND subject = $5
)
UPDATE outcome_proposals
SET state = $2, ended_at = $3, busy_until = NULL
WHERE uuid = $1
  AND state = 'recording'`

// record writes a settled payment to the ledger, and ends the proposal. It may be called again for the same
// one.
func (op *Outcomes) record(ctx context.Context, p Proposal) error {
	_, err := op.attempts.Settle(ctx, domain.AttemptID(p.Subject), payments.Verdict(p.Verdict), p.evidence())
	ended := Recorded
	switch {
	case errors.Is(err, payments.ErrAttemptPaid), errors.Is(err, payments.ErrNoAttempt):
		ended = Overtaken // in the moment between the commit and this
	case err != nil:
		return err
	}
	_, err = op.pool.Exec(ctx, endSQL, [16]byte(p.ID), string(ended), op.ledger.Now(), p.Kind, p.Subject)
	if err != nil {
		return fmt.Errorf("end proposal: %w", err)
	}
	return nil
}
