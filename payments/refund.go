package payments

import (
	"context"
	"errors"
	"fmt"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
)

// ErrNoAccount says that an application has no account with an acquirer any more, or that
// the account has no call for what was asked. Nothing was sent.
var ErrNoAccount = errors.New("no account with the acquirer that could be asked")

// Refund has the acquirer give money of a paid attempt back. It is asked once, and writes
// nothing down. Its errors are those of acquirer.Refund, and ErrNoAccount.
func (e *Engine) Refund(ctx context.Context, i domain.Intent, of domain.AttemptID,
	amount domain.Money,
) (acquirer.Refunded, error) {
	paid, _ := i.Attempt(of)
	a, err := e.attempts.find(ctx, of)
	if errors.Is(err, ErrNoAttempt) {
		// The row was lost. What it remembered, the acquirer may be able to find again.
		a, err = attempt.Recovered(paid, i.ID, "", e.ledger.Now()), nil
	}
	if err != nil {
		return acquirer.Refunded{}, fmt.Errorf("%w: %w", acquirer.ErrNotSent, err)
	}
	o, ours, err := e.OptionOf(ctx, a, i)
	switch {
	case err != nil:
		return acquirer.Refunded{}, fmt.Errorf("%w: %w", acquirer.ErrNotSent, err)
	case !ours || !o.Refund:
		return acquirer.Refunded{}, ErrNoAccount
	}
	r := a.Ref(o.Capability, i.Amount)
	r.ProviderReference = paid.ProviderReference
	asking, cancel := o.withTimeout(ctx)
	defer cancel()
	return o.by.Refund(asking, r, amount)
}
