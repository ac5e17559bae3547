package domain

import "time"

// Command is a request to change an intent. The set is sealed: Decide has a case
// for each.
//
//sumtype:decl
type Command interface{ isCommand() }

// Create asks for a new intent.
type Create struct {
	Terms
	CheckoutToken CheckoutToken
	ExpiresAt     *time.Time // nil is DefaultExpiry from now
}

// StartAttempt asks to begin a payment attempt.
type StartAttempt struct {
	Attempt  AttemptID
	Acquirer string
	Method   string
	Payer    string // masked
}

// FailAttempt reports that the acquirer has finally refused. A time-out is no refusal.
type FailAttempt struct {
	Attempt AttemptID
	Reason  string
}

// RecordPayment reports money that the acquirer confirmed, on inquiry, to have
// taken for an attempt. Whether it is a success, a late success or a duplicate
// follows from the state.
type RecordPayment struct {
	Attempt           AttemptID
	Amount            Money
	ProviderReference string
	// AfterExpiry says that the acquirer had not yet taken it at the expiry.
	AfterExpiry bool
}

// RecordRefund reports money of a paid attempt that went back to the payer. The same
// refund may be reported again.
type RecordRefund struct {
	Refund            RefundID
	Attempt           AttemptID
	Amount            Money
	ProviderReference string
	Evidence          Evidence
}

// RecordRefundFailure reports a refund that has ended without money going back. The same one may be
// reported again.
type RecordRefundFailure struct {
	Refund  RefundID
	Attempt AttemptID
	Amount  Money
	Reason  string // a word
}

// Expire asks to cancel an intent whose time has run out.
type Expire struct {
	// Stopped says that the merchant has stopped the checkout, or ends this intent: it expires
	// now.
	Stopped bool
}

func (Create) isCommand()              {}
func (StartAttempt) isCommand()        {}
func (FailAttempt) isCommand()         {}
func (RecordPayment) isCommand()       {}
func (RecordRefund) isCommand()        {}
func (RecordRefundFailure) isCommand() {}
func (Expire) isCommand()              {}
