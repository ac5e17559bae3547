package plutu

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"daftar/domain"
	"daftar/payments/acquirer"
)

// Methods without a call of Plutu. No capability promises them, so they are not called.

// Resend implements acquirer.Acquirer. It is not documented that a second verify sends a new code.
func (*account) Resend(context.Context, acquirer.Ref) (acquirer.CodeSent, error) {
	return acquirer.CodeSent{}, noCall("resend code")
}

// Cancel implements acquirer.Acquirer.
func (*account) Cancel(context.Context, acquirer.Ref) (acquirer.Report, error) {
	return acquirer.Report{}, noCall("cancel payment")
}

// Inquire implements acquirer.Acquirer.
func (*account) Inquire(context.Context, acquirer.Ref) (acquirer.Report, error) {
	return acquirer.Report{}, noCall("inquire payment")
}

// Refund implements acquirer.Acquirer.
func (*account) Refund(context.Context, acquirer.Ref, domain.Money) (acquirer.Refunded, error) {
	return acquirer.Refunded{}, noCall("refund")
}

func noCall(doing string) error {
	return fmt.Errorf("%s: %w: plutu has no call for it", doing, acquirer.ErrNotSent)
}

// unusedPhone is a number that no operator has, so that no text message is sent.
const unusedPhone = "0900000000"

// Check implements acquirer.Acquirer. Plutu has no call that only checks credentials. This one
// asks for a code for a number that cannot exist: Plutu answers that the number is wrong only
// after it has accepted the credentials (an assumption, as is the order of all of Plutu's
// checks). An account that offers no method with codes cannot be checked: Plutu refuses calls
// of a gateway without a subscription, whatever the credentials. The secret key cannot be
// checked, because it is never sent.
func (a *account) Check(ctx context.Context, offered []acquirer.Method) error {
	i := slices.IndexFunc(offered, func(m acquirer.Method) bool {
		c, has := a.capability(m)
		return has && c.Flow == acquirer.OTP
	})
	if i < 0 {
		return fmt.Errorf("check: %w", acquirer.ErrUnprovable)
	}
	form := url.Values{"mobile_number": {unusedPhone}, "amount": {"1.00"}}
	method := offered[i]
	if method == Sadad {
		form.Set("birth_year", "1980")
	}
	_, err := a.call(ctx, method, "verify", form)
	r, refuses := errors.AsType[*refusal](err)
	switch {
	case err != nil && !refuses:
		return fmt.Errorf("check: %w", err)
	case !refuses:
		return fmt.Errorf("check: %w: a number that cannot exist was taken", acquirer.ErrUnprovable)
	case r.means == accountRefused:
		return fmt.Errorf("check: %w", r.asError())
	case r.code == "INVALID_INPUTS", r.means == malformed && slices.Contains(r.fields, "mobile_number"),
		r.code == "INVALID_MOBILE_NUMBER", r.code == "INVALID_MOBILE_NUMBER_OR_BIRTH_YEAR":
		return nil
	}
	return fmt.Errorf("check: %w: %w", acquirer.ErrUnprovable, r)
}
