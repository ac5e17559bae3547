package outcomes

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/payments/refunds"
)

// change is what one request of a member changes: in one transaction, with an audit record for each.
type change struct {
	*Outcomes

	ctx context.Context //nolint:containedctx // of the request, and the transaction
	tx  pgx.Tx
	by  accounts.Actor
	of  domain.Tenant
	now time.Time

	entries  []accounts.Entry
	payments []Proposal       // to be recorded after the commit
	refunded []refunds.Refund // the same
}

// change makes a change, and then tells the ledger of a single one; those of many are left to Run.
func (op *Outcomes) change(
	ctx context.Context, by accounts.Actor, of domain.Tenant, do func(c *change) error,
) error {
	if by.User == (accounts.UserID{}) {
		return accounts.ErrForbidden // operators have commands, and are not counted as people
	}
	c := &change{Outcomes: op, ctx: ctx, by: by, of: of, now: op.ledger.Now()}
	org := accounts.OrganizationID(of.Organization)
	err := op.accounts.Do(ctx, by, org, accounts.SettleOutcomes, func(tx pgx.Tx) (accounts.Entry, error) {
		c.tx = tx
		if err := do(c); err != nil {
			return accounts.Entry{}, err
		}
		last := len(c.entries) - 1
		for n := range last {
			c.entries[n].At = c.now
			if err := accounts.Record(ctx, tx, by, org, c.entries[n]); err != nil {
				return accounts.Entry{}, err
			}
		}
		return c.entries[last], nil
	})
	if err != nil {
		return err
	}
	for _, r := range c.refunded {
		// A refund that could not be recorded is recorded by package refunds' Worker.
		_, _ = op.refunds.Finish(ctx, r)
	}
	if len(c.payments) == 1 && op.record(ctx, c.payments[0]) == nil {
		return nil
	}
	op.settled.Set()
	return nil
}

const (
	lockPaymentSQL = `SELECT FROM checkout_attempts WHERE attempt = $1 FOR UPDATE`
	lockRefundSQL  = `SELECT FROM refunds WHERE uuid = $1 FOR UPDATE`
)

// lock returns what is unknown, which stays so until the transaction ends.
func (c *change) lock(k Key) (Outcome, error) {
	sql := lockPaymentSQL
	if k.Kind == Refund {
		sql = lockRefundSQL
	}
	subject, err := k.parameter()
	if err != nil {
		return Outcome{}, err
	}
	if _, err := c.tx.Exec(c.ctx, sql, subject); err != nil {
		return Outcome{}, fmt.Errorf("lock outcome: %w", err)
	}
	// An inquiry that somebody asked for may have begun the minute of unknownAfter again.
	return c.find(c.ctx, c.tx, c.of, k, c.now)
}
