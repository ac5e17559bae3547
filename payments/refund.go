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
// the account cannot refund. Nothing was sent.
var ErrNoAccount = errors.New("no account with the acquirer that could be asked")

// Refund asks the acquirer once to give money of a paid attempt back. It records nothing. Its
// errors are those of acquirer.Refund, and ErrNoAccount.
func (e *Engine) Refund(
	ctx context.Context, i domain.Intent, of domain.AttemptID, amount domain.Money,
) (acquirer.Refunded, error) {
	paid, _ := i.Attempt(of)
	a, err := e.attempts.find(ctx, of)
	if errors.Is(err, ErrNoAttempt) {
		// The row was lost. The acquirer may be able to find the payment without its memo.
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
