package refunds

import (
	"errors"
	"fmt"
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
)

// State is the state of a refund. The names are stored.
type State string

// The states.
const (
	Requested State = "requested" // a server is to ask the acquirer
	Asking    State = "asking"    // a server asks it
	Unknown   State = "unknown"   // it is not known whether the money went back
	Recording State = "recording" // it went back, and is not in the ledger yet
	Recorded  State = "recorded"  // it went back, and is in the ledger
	Failed    State = "failed"    // nothing went back
)

// States returns all states, in the order in which a refund passes through them.
func States() []State { return []State{Requested, Asking, Unknown, Recording, Recorded, Failed} }

// Trouble is why a refund is unknown or failed. The words are stored.
type Trouble string

// The troubles.
const (
	NoAnswer       Trouble = "no_answer"    // or none that makes sense
	ServerEnded    Trouble = "server_ended" // while it asked
	LedgerRefused  Trouble = "ledger_no"    // it went back, and the ledger refuses it
	NotSent        Trouble = "not_sent"     // the acquirer was not reached, or could not be asked
	OtherAmount    Trouble = "other_amount" // the acquirer says that another amount went back
	Refused        Trouble = "refused"      // the acquirer gives nothing back, and says so
	AccountRefused Trouble = "account_no"   // the acquirer refused the merchant's account
	NoAccount      Trouble = "no_account"   // the application has no account with it any more
	PersonDenied   Trouble = "person_no"    // a person found out that nothing went back
)

// Errors of Operations. Nothing has changed.
var (
	// ErrNothingPaid says that no money of the intent, or of the attempt, can go back.
	ErrNothingPaid = errors.New("there is no paid money that could go back")
	// ErrNoAttempt is ErrNothingPaid of an attempt that is not a paid one of the intent.
	ErrNoAttempt = fmt.Errorf("no such attempt: %w", ErrNothingPaid)
	// ErrNothingLeft is ErrNothingPaid where all that was paid has gone back.
	ErrNothingLeft = fmt.Errorf("all of it has gone back: %w", ErrNothingPaid)
	// ErrWhichAttempt says that several attempts have money that can go back.
	ErrWhichAttempt = errors.New("several attempts have paid: name the one whose money goes back")
	// ErrTooLarge says that less is left of what the attempt paid.
	ErrTooLarge = errors.New("that is more than is left of what was paid")
	// ErrAmount says that the amount is not positive, or in another currency than the payment.
	ErrAmount = errors.New("the amount must be more than nothing, in the currency of the payment")
	// ErrUnderWay says that refunds which have not ended leave less than that.
	ErrUnderWay = errors.New("another refund of this payment is under way: settle that one first")
	// ErrKnown says that the acquirer's reference has been recorded already.
	ErrKnown = errors.New("a refund with this reference has been recorded already")
	// ErrNoCall says that the acquirer has no refund call.
	ErrNoCall = errors.New("the acquirer cannot be asked for a refund: " +
		"give it back in another way, and record it")
	// ErrGivenBack says that a person decided that the money went back in another way.
	ErrGivenBack = errors.New("someone decided that this money went back already, in another way: " +
		"record that instead")
	// ErrReference says that the acquirer's reference is not one line of up to 100 characters.
	ErrReference = errors.New("the reference must be one line of up to 100 characters")
	// ErrNoRefund says that the organisation has no such refund.
	ErrNoRefund = errors.New("no such refund")
	// ErrNotUnknown says that the refund's outcome is known, or that a server is asking.
	ErrNotUnknown = errors.New("the outcome of this refund is not unknown")
)

// The actions of this package in the audit trail.
const (
	ActionRefund accounts.Action = "payment.refund"
	ActionSettle accounts.Action = "payment.settle_refund"
)

// Refund is money that goes back to a payer, or went back.
type Refund struct {
	ID          domain.RefundID
	Intent      domain.IntentID
	Application domain.ApplicationID
	Attempt     domain.AttemptID
	Acquirer    string
	Amount      domain.Money
	// ByAcquirer: the acquirer is asked; otherwise a person recorded that it went back.
	ByAcquirer        bool
	State             State
	ProviderReference string          // the acquirer's own; empty where none is known
	Trouble           Trouble         // of Unknown and Failed
	Evidence          domain.Evidence // of Recording and Recorded
	Note              string
	Actor             string // as the ledger has it
	RequestedBy       string // an email address, operator:NAME or application:NAME
	RequestedAt       time.Time
	EndedAt           *time.Time
	// Reference and Reason are those of an application's request; nil where a person requested it.
	Reference *domain.RefundReference
	Reason    *string
	UpdatedAt time.Time // when Status changed
	// ProposedBy said first what became of it, as the ledger has them; Statement is the line that shows it.
	// Both are empty unless people settled it so.
	ProposedBy, Statement string
}

// Ended reports whether the refund is recorded or failed.
func (r Refund) Ended() bool { return r.EndedAt != nil }

var columns = postgres.Columns[Refund]{
	postgres.Of("uuid", func(r *Refund) any { return (*[16]byte)(&r.ID) }),
	postgres.Of("intent_uuid", func(r *Refund) any { return (*[16]byte)(&r.Intent) }),
	postgres.Of("application_uuid", func(r *Refund) any { return (*[16]byte)(&r.Application) }),
	postgres.Of("attempt", func(r *Refund) any { return &r.Attempt }),
	postgres.Of("acquirer", func(r *Refund) any { return &r.Acquirer }),
	postgres.Of("amount", func(r *Refund) any { return &r.Amount.Minor }),
	postgres.Of("currency", func(r *Refund) any { return &r.Amount.Currency }),
	postgres.Of("by_acquirer", func(r *Refund) any { return &r.ByAcquirer }),
	postgres.Of("state", func(r *Refund) any { return &r.State }),
	postgres.Of("provider_reference", func(r *Refund) any { return &r.ProviderReference }),
	postgres.Of("trouble", func(r *Refund) any { return &r.Trouble }),
	postgres.Of("evidence", func(r *Refund) any { return &r.Evidence }),
	postgres.Of("note", func(r *Refund) any { return &r.Note }),
	postgres.Of("actor", func(r *Refund) any { return &r.Actor }),
	postgres.Of("requested_by", func(r *Refund) any { return &r.RequestedBy }),
	postgres.Of("requested_at", func(r *Refund) any { return &r.RequestedAt }),
	postgres.Of("ended_at", func(r *Refund) any { return &r.EndedAt }),
	postgres.Of("reference", func(r *Refund) any { return &r.Reference }),
	postgres.Of("reason", func(r *Refund) any { return &r.Reason }),
	postgres.Of("updated_at", func(r *Refund) any { return &r.UpdatedAt }),
	postgres.Of("proposed_by", func(r *Refund) any { return &r.ProposedBy }),
	postgres.Of("statement", func(r *Refund) any { return &r.Statement }),
}
