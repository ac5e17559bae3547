package acquirer

import (
	"context"
	"errors"
	"net/http"
	"time"

	"daftar/domain"
)

var (
	// ErrNotSent says that the acquirer has certainly not seen the request: nothing
	// of it was written to a connection. Of all errors only this one lets the
	// checkout close the attempt.
	ErrNotSent = errors.New("request not sent to the acquirer")

	// ErrUndecided says that the acquirer holds the payment and has not decided it
	// yet. The outcome is unknown, as with any other error; the name is for logs
	// and metrics, which should not count a slow bank as a fault.
	ErrUndecided = errors.New("acquirer has not decided yet")

	// ErrNoCodeWanted says that the payment does not wait for a code, or not any
	// more, so that none was sent.
	ErrNoCodeWanted = errors.New("payment does not wait for a code")

	// ErrForged says that a notification does not come from the acquirer, or is an
	// old one sent again. Nothing in it may be used.
	ErrForged = errors.New("notification is not from the acquirer")
)

// Acquirer takes payments. Its methods are safe for concurrent use and return
// soon after ctx ends.
type Acquirer interface {
	// Name is the stable name that events store: ASCII letters, digits and '-'.
	Name() string

	// Capabilities lists one entry per method, in the order the page offers them.
	Capabilities() []Capability

	// Begin asks the acquirer to open a payment under the attempt's id. Asking again
	// with the same attempt opens no second one.
	// Errors: ErrNotSent; any other means that the outcome is unknown.
	Begin(ctx context.Context, p Payment) (Begun, error)

	// Confirm hands over the code that the payer typed. A payment that is paid
	// already answers Paid again and takes no more money.
	// Errors: ErrNotSent; ErrUndecided; any other also means that the outcome is
	// unknown.
	Confirm(ctx context.Context, attempt domain.AttemptID, code string) (Confirmed, error)

	// Resend sends the payer a new code, whose time starts anew; the ones before it
	// lapse, and wrong ones stay counted. Only an acquirer
	// whose capability says Resend is asked to.
	// Errors: ErrNotSent; ErrNoCodeWanted; any other means that it is not known
	// whether a code went out, which changes nothing about the money.
	Resend(ctx context.Context, attempt domain.AttemptID) (CodeSent, error)

	// Cancel asks for an open payment to be given up, so that the payer can pay
	// another way. The report says how the payment stands afterwards: declined as
	// Abandoned if it was given up, paid or declined for another reason if that came
	// first, pending if the acquirer does not give it up, not found if it knows none.
	// Asking again changes nothing. Only an acquirer whose capability says Cancel is asked to.
	// Errors: any error means that nothing was learnt, ErrNotSent too.
	Cancel(ctx context.Context, attempt domain.AttemptID) (Report, error)

	// Inquire asks how the payment stands. The report repeats the acquirer's own
	// words; the caller compares the amount with what it asked for.
	// Errors: any error means that nothing was learnt, ErrNotSent too.
	Inquire(ctx context.Context, attempt domain.AttemptID) (Report, error)

	// ParseNotification checks the sender of a pushed message and returns the attempt
	// it speaks of. That is a hint to Inquire, nothing more.
	// Errors: ErrForged; any other means that the message is genuine but unreadable.
	ParseNotification(header http.Header, body []byte) (domain.AttemptID, error)
}

// Payment is what Begin asks for.
type Payment struct {
	// Attempt is the reference under which the acquirer knows the payment: 10 to 36
	// ASCII letters and digits, never used twice.
	Attempt     domain.AttemptID
	Intent      domain.IntentID
	Money       domain.Money
	Method      Method
	Phone       string // of the payer's wallet; empty for other methods
	Description string
	// TimeLeft is how long the payment may be made; what the acquirer takes after that is
	// late. It is a span, because clocks differ.
	TimeLeft  time.Duration
	Language  string // "ar" or "en", for pages and messages of the acquirer
	ReturnURL string // our page, to which the acquirer's page sends the payer back
	NotifyURL string // where the acquirer pushes notifications
}

// Begun is the acquirer's answer to Begin: CodeSent, Redirected or BeginDeclined.
//
//sumtype:decl
type Begun interface{ isBegun() }

// CodeSent says that the payer has been sent a code, which Confirm wants.
type CodeSent struct {
	SentTo   string // where to, masked for display
	Digits   int
	ValidFor time.Duration
}

// Redirected says that the payer goes on at the acquirer's page.
type Redirected struct{ URL string }

// BeginDeclined is a final no: no payment was opened under this attempt, or it is
// closed, and no money was taken.
type BeginDeclined struct{ Reason Reason }

func (CodeSent) isBegun()      {}
func (Redirected) isBegun()    {}
func (BeginDeclined) isBegun() {}

// Confirmed is the acquirer's answer to Confirm: Paid, WrongCode or Declined.
//
//sumtype:decl
type Confirmed interface{ isConfirmed() }

// Paid says that the money was taken.
type Paid struct {
	Money             domain.Money // as the acquirer states it
	ProviderReference string       // the acquirer's own number of the payment
}

// WrongCode says that the code was not the one sent. The payment stays open.
type WrongCode struct{ TriesLeft int }

// Declined is a final no: no money was taken. Too many wrong codes are one, with
// the reason CodeLocked.
type Declined struct{ Reason Reason }

func (Paid) isConfirmed()      {}
func (WrongCode) isConfirmed() {}
func (Declined) isConfirmed()  {}

// State is how a payment stands at the acquirer.
type State string

const (
	// StatePending is open: it may still be paid.
	StatePending State = "pending"
	// StatePaid has taken the money. It never changes again.
	StatePaid State = "paid"
	// StateDeclined took no money. An acquirer may yet report it paid, much later.
	StateDeclined State = "declined"
	// StateNotFound means that the acquirer knows no payment of this id. A request
	// still on its way may change that.
	StateNotFound State = "not_found"
)

// Report is the acquirer's answer to Inquire and Cancel. Money is set unless the state is
// StateNotFound, Reason only with StateDeclined.
type Report struct {
	State             State
	Attempt           domain.AttemptID
	Money             domain.Money
	Reason            Reason
	ProviderReference string
}
