package domain

import "errors"

// Errors of parsing and decoding.
var (
	// ErrUnknownCurrency says that a code is no currency that the service accepts.
	ErrUnknownCurrency = errors.New("unknown currency")
	// ErrNoAmount says that a text is no amount, or has more decimals than the currency.
	ErrNoAmount = errors.New("not an amount such as 12.500")
	// ErrUnknownEvent says that a stored event has a name or a schema version
	// that this program does not know: it was written by a newer one.
	ErrUnknownEvent = errors.New("unknown event")
)

// Refusal is why a command was turned down. It is a stable code, compared with
// errors.Is; nothing has changed when it is returned.
type Refusal string

// The refusals of Decide.
const (
	// RefusedExists turns down a second Create.
	RefusedExists Refusal = "intent_exists"
	// RefusedUnknownIntent turns down everything but Create on a blank intent.
	RefusedUnknownIntent Refusal = "intent_unknown"
	// RefusedMalformed turns down a Create whose fields are outside their limits.
	RefusedMalformed Refusal = "intent_malformed"
	// RefusedWindow turns down a Create that would expire too soon or too late.
	RefusedWindow Refusal = "expiry_outside_window"
	// RefusedExpired turns down an attempt at or after the expiry.
	RefusedExpired Refusal = "checkout_expired"
	// RefusedAttemptOpen turns down an attempt, or an expiry, while one is open.
	RefusedAttemptOpen Refusal = "attempt_open"
	// RefusedAttemptReused turns down an attempt id that the intent has already.
	RefusedAttemptReused Refusal = "attempt_reused"
	// RefusedTooManyAttempts turns down an attempt before Intent.NextAttemptAt.
	RefusedTooManyAttempts Refusal = "too_many_attempts"
	// RefusedUnknownAttempt turns down the outcome of an attempt that never began.
	RefusedUnknownAttempt Refusal = "attempt_unknown"
	// RefusedAttemptPaid turns down the failure of an attempt that was paid.
	RefusedAttemptPaid Refusal = "attempt_paid"
	// RefusedPaid turns down an attempt on a paid intent.
	RefusedPaid Refusal = "already_paid"
	// RefusedMismatch turns down money that is not the intent's amount.
	RefusedMismatch Refusal = "payment_mismatch"
	// RefusedNotPaid turns down the refund of an attempt that took no money.
	RefusedNotPaid Refusal = "attempt_not_paid"
	// RefusedRefundTooLarge turns down a refund of more than is left of what was paid.
	RefusedRefundTooLarge Refusal = "refund_too_large"
	// RefusedRefundKnown turns down a second refund under one reference of the acquirer, and the
	// failure of a refund whose money went back.
	RefusedRefundKnown Refusal = "refund_known"
	// RefusedNotDue turns down an expiry before its time.
	RefusedNotDue Refusal = "expiry_not_due"
)

// Error implements error with the stable code.
func (r Refusal) Error() string { return "refused: " + string(r) }
