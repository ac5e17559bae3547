package acquirer

import (
	"context"
	"errors"

	"daftar/domain"
)

var (
	// ErrNotSent says that the acquirer has certainly not seen the request: nothing
	// of it was written to a connection. Only this error, and ErrAccount of Begin, let
	// the checkout close the attempt.
	ErrNotSent = errors.New("request not sent to the acquirer")

	// ErrAccount says that the acquirer does not accept the merchant's credentials, or
	// that the account may not do what was asked. Nothing was done.
	ErrAccount = errors.New("acquirer refuses the merchant's account")

	// ErrUndecided says that the acquirer holds the payment and has not decided it
	// yet. The outcome is unknown, as with any other error; the name is for logs
	// and metrics, which should not count a slow bank as a fault.
	ErrUndecided = errors.New("acquirer has not decided yet")

	// ErrNoCodeWanted says that the payment does not wait for a code, or not any
	// more, so that none was sent.
	ErrNoCodeWanted = errors.New("payment does not wait for a code")

	// ErrRefused says that the acquirer has certainly not given the money back, and says
	// so itself. An adapter returns it only where the acquirer's protocol leaves no doubt:
	// a gateway in between that refuses proves nothing.
	ErrRefused = errors.New("acquirer refuses the refund")

	// ErrForged says that a notification does not come from the acquirer, or is an
	// old one sent again. Nothing in it may be used.
	ErrForged = errors.New("notification is not from the acquirer")

	// ErrUnprovable says that an account cannot be checked without a payment.
	ErrUnprovable = errors.New("the credentials cannot be checked without a payment")
)

// Provider is a company that takes payments for merchants who have an account with it.
type Provider interface {
	// Name is the stable name that events store: ASCII letters, digits and '-'.
	Name() string

	// Capabilities lists one entry per method that an account can have, in the order in
	// which pages offer them.
	Capabilities() []Capability

	// Open returns the account that the settings describe: JSON, in the form of
	// docs/acquirers.md. It makes no call. The error is a *SettingsError.
	Open(settings []byte) (Acquirer, error)
}

// Acquirer takes payments for one merchant, or for all in a sandbox. Its methods are
// safe for concurrent use and return soon after ctx ends.
type Acquirer interface {
	// Name is that of the provider.
	Name() string

	// Capabilities lists one entry per method that the account offers unless the merchant
	// chooses others, in this order.
	Capabilities() []Capability

	// Begin asks the acquirer to open a payment under a reference. Where the capability
	// says Inquiry, asking again with the same one opens no second payment.
	// Errors: ErrNotSent; ErrAccount; any other means that the outcome is unknown.
	Begin(ctx context.Context, p Payment) (Begun, error)

	// Confirm hands over the code that the payer typed. Where the capability says
	// Inquiry, a payment that is paid already answers Paid again and takes no more money;
	// where it does not, a Confirm whose outcome is unknown is not made again.
	// Errors: ErrNotSent; ErrUndecided; any other also means that the outcome is
	// unknown, ErrAccount too.
	Confirm(ctx context.Context, r Ref, code Code) (Confirmed, error)

	// Resend sends the payer a new code with a new time limit; earlier codes lapse, and wrong
	// ones stay counted. Only an acquirer whose capability says Resend is asked to.
	// Errors: ErrNotSent; ErrNoCodeWanted; any other means that it is not known
	// whether a code went out, which changes nothing about the money.
	Resend(ctx context.Context, r Ref) (CodeSent, error)

	// Cancel asks the acquirer to give up an open payment, so that the payer can pay
	// another way. The report has the state afterwards: declined as Abandoned if it was
	// given up, paid or declined for another reason if that came first, pending if the
	// acquirer does not give it up, not found if it knows no such payment. Asking again
	// changes nothing. Only an acquirer whose capability says Cancel is asked to.
	// Errors: any error means that nothing was learnt, ErrNotSent too.
	Cancel(ctx context.Context, r Ref) (Report, error)

	// Inquire asks for the state of the payment. The report has the amount that the acquirer
	// states; the caller compares it with what it asked for. Only an acquirer whose
	// capability says Inquiry is asked.
	// Errors: any error means that nothing was learnt, ErrNotSent too.
	Inquire(ctx context.Context, r Ref) (Report, error)

	// Refund gives money of a paid payment back, in whole or in part. Only an acquirer
	// whose capability says Refund is asked to.
	// Errors: ErrNotSent; ErrAccount; ErrRefused: nothing went back by this call, and the
	// acquirer says so; any other means that the outcome is unknown: it may not be asked for
	// again before a person has looked.
	Refund(ctx context.Context, r Ref, amount domain.Money) (Refunded, error)

	// ParseNotification checks who sent a message and returns what it is about. It makes no call.
	// Errors: ErrForged; any other means that the message is genuine but unreadable.
	ParseNotification(m Message) (Notice, error)

	// Check proves the account's credentials, without moving money. Where the acquirer has no
	// call that does only that, it calls for one of the methods that are offered.
	// Errors: ErrAccount; ErrUnprovable; any other means that nothing was learnt.
	Check(ctx context.Context, offered []Method) error
}

// CapabilityOf returns the acquirer's capability for the method; false where it has none.
func CapabilityOf(a interface{ Capabilities() []Capability }, m Method) (Capability, bool) {
	for _, c := range a.Capabilities() {
		if c.Method == m {
			return c, true
		}
	}
	return Capability{}, false
}
