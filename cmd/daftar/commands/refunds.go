package commands

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/server"
	"daftar/domain"
	"daftar/payments"
	"daftar/payments/refunds"
)

// refund is money that goes back, as commands show it.
type refund struct {
	ID          uuid.UUID        `json:"uuid"               label:"refund"`
	Intent      uuid.UUID        `json:"intent"             label:"intent" below:"intent"`
	State       refunds.State    `json:"state"              label:"state"`
	Money       string           `json:"-"                  label:"amount"`
	Acquirer    string           `json:"acquirer"           label:"by"`
	RequestedAt time.Time        `json:"requested_at"       label:"since"`
	Attempt     domain.AttemptID `json:"attempt"            label:"attempt"`
	Amount      int64            `json:"amount"`
	Currency    domain.Currency  `json:"currency"`
	ByAcquirer  bool             `json:"by_acquirer"`
	Reference   string           `json:"provider_reference" below:"reference"`
	Wanted      *string          `json:"refund_reference"   below:"the shop's reference"`
	RequestedBy string           `json:"requested_by"       below:"asked for by"`
	Note        string           `json:"note"               below:"note"`
	Trouble     refunds.Trouble  `json:"trouble"            below:"trouble"`
	EndedAt     *time.Time       `json:"ended_at"`
}

func newRefund(r refunds.Refund) refund {
	return refund{
		ID: uuid.UUID(r.ID), Intent: uuid.UUID(r.Intent), Attempt: r.Attempt,
		State: r.State, Trouble: r.Trouble,
		Money: r.Amount.String(), Amount: r.Amount.Minor, Currency: r.Amount.Currency,
		Acquirer: r.Acquirer, ByAcquirer: r.ByAcquirer, Reference: r.ProviderReference,
		Wanted: (*string)(r.Reference), RequestedBy: r.RequestedBy, Note: r.Note,
		RequestedAt: r.RequestedAt, EndedAt: r.EndedAt,
	}
}

func (p *program) refunds() *cobra.Command {
	return cli.Group("refunds",
		"Money that goes back: asking an acquirer for it, recording it, settling what is unknown",
		p.refundsList(), p.refundsRequest(), p.refundsRecord(), p.refundsSettle())
}

// onRefunds is a command of an operator on the refunds.
func (p *program) onRefunds(
	do func(context.Context, *refunds.Operations) (refunds.Refund, error),
) cli.Action {
	return p.onOperations(func(ctx context.Context, o server.Operations) error {
		r, err := do(ctx, o.Refunds)
		_, wrongNote := errors.AsType[payments.NoteError](err)
		switch {
		case err != nil && r.State == refunds.Recording:
			p.Notef("The ledger could not be written to (%v); a server that runs records it.", err)
		case wrongNote, errors.Is(err, refunds.ErrReference), errors.Is(err, refunds.ErrAmount):
			return cli.Misusef("%w", err)
		case err != nil:
			return err
		}
		return p.Answer(newRefund(r))
	})
}

func (p *program) refundsList() *cobra.Command {
	var wanted []refunds.State
	c := cli.Command("list [--state S]", "List refunds that have not ended, the latest first",
		p.onOperations(func(ctx context.Context, o server.Operations) error {
			found, err := o.Refunds.List(ctx, wanted...)
			listed := make([]refund, len(found))
			for n, r := range found {
				listed[n] = newRefund(r)
			}
			return p.show("refunds", listed, err)
		}))
	stateFlag(c, &wanted,
		"only those in the `state` requested, asking, unknown, recording, recorded or failed, or all "+
			"(default: what has not ended)", refunds.States()...)
	return c
}

// order makes a command with the flags that say which money goes back.
func (p *program) order(use, short string, byAcquirer bool) (*cobra.Command, *refunds.Order) {
	o := &refunds.Order{ByAcquirer: byAcquirer}
	c := cli.Argument(cli.Command(use, short, p.onRefunds(
		func(ctx context.Context, d *refunds.Operations) (refunds.Refund, error) {
			of, err := d.Organization(ctx, o.Intent)
			if err != nil {
				return refunds.Refund{}, err
			}
			return d.Request(ctx, operator(), of, *o)
		})), &o.Intent, cli.ParseIntent)
	cli.Flag(c, &o.Attempt, "attempt",
		"`id` of the attempt whose money goes back; needed where several have paid", parseAttempt)
	cli.Flag(c, &o.Amount, "amount", "`dinars`, such as 12.500 (default: all that is left)",
		cli.Pointer(func(text string) (domain.Money, error) {
			minor, err := parseDinars(text)
			return domain.Money{Minor: minor, Currency: domain.LYD}, err
		}))
	c.Flags().StringVar(&o.Note, "note", "", "why, or how it is known; kept in the log for ever")
	return c, o
}

func (p *program) refundsRequest() *cobra.Command {
	c, _ := p.order("request INTENT --note NOTE [--attempt A] [--amount DINARS]",
		"Have the acquirer give money of a paid intent back; a server that runs asks it, once", true)
	return c
}

func (p *program) refundsRecord() *cobra.Command {
	c, o := p.order("record INTENT --note NOTE [--reference R] [--attempt A] [--amount DINARS]",
		"Record money of a paid intent that went back in another way; none moves", false)
	c.Flags().StringVar(&o.ProviderReference, "reference", "",
		"the acquirer's own number of the refund; none is recorded twice")
	return c
}

func (p *program) refundsSettle() *cobra.Command {
	var id domain.RefundID
	var verdict refunds.Verdict
	var reference, note string
	c := cli.Argument(cli.Command("settle ID --outcome refunded|failed --note NOTE [--reference R]",
		"Record the outcome of a refund whose outcome is unknown",
		p.onRefunds(func(ctx context.Context, d *refunds.Operations) (refunds.Refund, error) {
			r, err := d.Find(ctx, id)
			if err != nil {
				return refunds.Refund{}, err
			}
			of, err := d.Organization(ctx, r.Intent)
			if err != nil {
				return refunds.Refund{}, err
			}
			return d.Settle(ctx, operator(), of, id, verdict, reference, note)
		})), &id, func(text string) (domain.RefundID, error) {
		parsed, err := uuid.Parse(text)
		if err != nil {
			return domain.RefundID{}, cli.Misusef("%q is not the uuid of a refund", text)
		}
		return domain.RefundID(parsed), nil
	})
	cli.Choice(c, &verdict, "outcome", "`refunded or failed`: what the acquirer's books say",
		refunds.Refunded, refunds.NotRefunded)
	c.Flags().StringVar(&reference, "reference", "", "the acquirer's own number of the refund")
	c.Flags().StringVar(&note, "note", "", "how that was found out; kept in the log for ever")
	return c
}
