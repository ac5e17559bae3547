package outcomes

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/payments/refunds"
)

// Settle takes a member's word on something unknown: a proposal where the rule asks for a second person,
// and otherwise settled, which the state says. It needs SettleOutcomes. Errors: ErrNoOutcome,
// ErrProposed, ErrPaid, ErrVerdict, ErrReference, a payments.NoteError and those of accounts.Do.
func (op *Outcomes) Settle(
	ctx context.Context, by accounts.Actor, of domain.Tenant, k Key, claim Claim,
) (s State, err error) {
	if claim, err = claim.check(k.Kind); err != nil {
		return "", err
	}
	err = op.change(ctx, by, of, func(c *change) error {
		rule, err := c.rule()
		if err != nil {
			return err
		}
		s, err = c.settle(rule, k, claim)
		return err
	})
	return s, err
}

// Count is how many outcomes a request for several has changed.
type Count struct{ Proposed, Settled int }

// SettleProven is Settle of several at once, as the statement shows them that the member compared. What has
// become known in the meantime, has a proposal, or would be refused by the ledger, is left out. Errors:
// ErrNoOutcome where nothing is left, a payments.NoteError and those of accounts.Do.
func (op *Outcomes) SettleProven(
	ctx context.Context, by accounts.Actor, of domain.Tenant, keys []Key, note string,
) (n Count, err error) {
	err = op.change(ctx, by, of, func(c *change) error {
		rule, err := c.rule()
		if err != nil {
			return err
		}
		for _, k := range sorted(keys) {
			s, err := c.settleProven(rule, k, note)
			switch {
			case errors.Is(err, ErrNoOutcome), errors.Is(err, ErrProposed), errors.Is(err, ErrPaid),
				errors.Is(err, refunds.ErrKnown), errors.Is(err, refunds.ErrTooLarge):
			case err != nil:
				return err
			case s == Proposed:
				n.Proposed++
			default:
				n.Settled++
			}
		}
		if n == (Count{}) {
			return ErrNoOutcome
		}
		return nil
	})
	return n, err
}

func sorted(keys []Key) []Key {
	return slices.Compact(slices.SortedFunc(slices.Values(keys), Key.compare))
}

func (c *change) rule() (Rule, error) {
	return RuleIn(c.ctx, c.tx, accounts.OrganizationID(c.of.Organization))
}

// settleProven settles what the member's statement shows; ErrNoOutcome where it does not have it.
func (c *change) settleProven(rule Rule, k Key, note string) (State, error) {
	o, err := c.lock(k)
	if err != nil {
		return "", err
	}
	p := o.ProofOf(c.by.User)
	if p == nil {
		return "", ErrNoOutcome
	}
	claim, err := Claim{p.Verdict, p.ProviderReference, note}.check(k.Kind)
	if err != nil {
		return "", err
	}
	return c.take(rule, o, claim)
}

func (c *change) settle(rule Rule, k Key, claim Claim) (State, error) {
	o, err := c.lock(k)
	if err != nil {
		return "", err
	}
	return c.take(rule, o, claim)
}

// Proofs of what is known are not needed any more.
const forgetSQL = `
DELETE FROM statement_proofs
WHERE kind = $1
  AND subject = $2`

// take proposes or settles.
func (c *change) take(rule Rule, o Outcome, claim Claim) (State, error) {
	if o.Proposal != nil {
		return "", ErrProposed
	}
	if err := c.checkLedger(o, claim.Verdict); err != nil {
		return "", err
	}
	p := Proposal{
		ID: ProposalID(uuid.New()), Key: o.Key, Application: o.Application, Intent: o.Intent, Attempt: o.Attempt,
		Verdict: claim.Verdict, Reference: claim.Reference, Note: claim.Note, State: Proposed, needs: needsTwo,
		ProposedBy: c.by.User, Proposer: c.by.Name, ProposedAt: c.now,
	}
	p.Statement = o.shownBy(c.by.User, claim.Verdict)
	action := ActionPropose
	if !rule.NeedsTwo(c.by.User, o.Amount) {
		p.needs, action = needsOne, ActionSettle
		if err := c.carryOut(&p); err != nil {
			return "", err
		}
	}
	_, err := postgres.Find(c.ctx, c.tx, "insert proposal", ErrProposed, pgx.RowTo[bool],
		insertProposalSQL, proposalColumns.Fields(&p)...)
	c.entries = append(c.entries, p.entry(action, o.Amount))
	return p.State, err
}

// checkLedger refuses a verdict that the ledger would not take: an attempt whose acquirer contradicts itself
// may be paid there.
func (c *change) checkLedger(o Outcome, v Verdict) error {
	i, err := ledger.Read(c.ctx, c.tx, o.Intent)
	if err != nil || o.Kind == Refund {
		return err
	}
	switch a, known := i.Attempt(o.Attempt); {
	case !known:
		return ErrNoOutcome // it has not begun
	case v == Failed && a.State == domain.AttemptStatePaid:
		return ErrPaid
	}
	return nil
}

// shownBy describes the line of the member's own statement, if it shows the verdict.
func (o Outcome) shownBy(u accounts.UserID, v Verdict) string {
	if own := o.ProofOf(u); own != nil && own.Verdict == v {
		return own.text(o.Amount)
	}
	return ""
}

// carryOut settles a proposal by the word of the actor. What is about a refund is written at once; a
// payment is recorded after the commit.
func (c *change) carryOut(p *Proposal) error {
	if p.Kind == Payment {
		p.decide(Recording, c.by, c.now)
		c.payments = append(c.payments, *p)
		return nil
	}
	p.decide(Recorded, c.by, c.now)
	id, err := accounts.ParseID[domain.RefundID]("a refund", p.Subject)
	if err != nil {
		return ErrNoOutcome
	}
	r, err := c.refunds.SettleIn(c.ctx, c.tx, accounts.OrganizationID(c.of.Organization), id,
		refunds.Verdict(p.Verdict), c.by.Name, p.evidence())
	if errors.Is(err, refunds.ErrNotUnknown) || errors.Is(err, refunds.ErrNoRefund) {
		return ErrNoOutcome
	}
	if err != nil {
		return err
	}
	c.refunded = append(c.refunded, r)
	if _, err := c.tx.Exec(c.ctx, forgetSQL, p.Kind, p.Subject); err != nil {
		return fmt.Errorf("forget proofs: %w", err)
	}
	return nil
}
