package outcomes

import (
	"context"
	"errors"
	"fmt"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
)

// Confirm settles other members' proposals, all of them or none. What has become known in the meantime is
// left out; the count has the others. It needs SettleOutcomes. Errors: ErrOwn, ErrNoProposal
// where nothing is left to confirm, and those of accounts.Do.
func (op *Outcomes) Confirm(
	ctx context.Context, by accounts.Actor, of domain.Tenant, ids []ProposalID,
) (n int, err error) {
	err = op.change(ctx, by, of, func(c *change) error {
		all, err := c.lockProposals(ids...)
		if err != nil {
			return err
		}
		for _, p := range all {
			if p.ProposedBy == by.User {
				return ErrOwn
			}
			confirmed, err := c.confirm(p)
			if err != nil {
				return err
			}
			if confirmed {
				n++
			}
		}
		if len(c.entries) == 0 {
			return ErrNoProposal
		}
		return nil
	})
	return n, err
}

// lockProposals returns the proposals that are open.
func (c *change) lockProposals(ids ...ProposalID) ([]Proposal, error) {
	raw := make([][16]byte, len(ids))
	for n, id := range ids {
		raw[n] = id
	}
	return postgres.List(c.ctx, c.tx, "lock proposals", proposalColumns.Scan, lockProposalsSQL, raw,
		c.of.Organization, c.of.Mode)
}

// confirm settles a proposal; false: it has been overtaken, and that is written.
func (c *change) confirm(p Proposal) (bool, error) {
	o, err := c.lock(p.Key)
	if err == nil {
		err = c.checkLedger(o, p.Verdict)
	}
	if err == nil {
		err = c.carryOut(&p)
	}
	action := ActionConfirm
	if errors.Is(err, ErrNoOutcome) || errors.Is(err, ErrPaid) {
		p.decide(Overtaken, c.by, c.now)
		action, err = ActionReject, nil
	}
	if err != nil {
		return false, err
	}
	c.entries = append(c.entries, p.entry(action, o.Amount))
	return p.State != Overtaken, c.write(p)
}

func (c *change) write(p Proposal) error {
	err := postgres.One(c.tx.Exec(c.ctx, decideProposalSQL, [16]byte(p.ID), string(p.State), p.decidedBy,
		p.decider, p.decidedAt, p.endedAt))
	if err != nil {
		return fmt.Errorf("write proposal: %w", err)
	}
	return nil
}

// Reject ends a proposal, another's or one's own, without a change of the ledger. It needs
// SettleOutcomes. Errors: ErrNoProposal and those of accounts.Do.
func (op *Outcomes) Reject(ctx context.Context, by accounts.Actor, of domain.Tenant, id ProposalID) error {
	return op.change(ctx, by, of, func(c *change) error {
		all, err := c.lockProposals(id)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			return ErrNoProposal
		}
		all[0].decide(Rejected, by, c.now)
		c.entries = append(c.entries, all[0].entry(ActionReject, domain.Money{}))
		return c.write(all[0])
	})
}
