package acquirer

import (
	"net/http"
	"time"

	"daftar/domain"
)

// Inputs are what the payer typed, for the fields that a method asks for.
type Inputs map[Field]string

// Code is what a payer was sent and typed: its digits, in Latin ones.
type Code string

// Payment is what Begin asks for.
type Payment struct {
	Attempt domain.AttemptID
	// Reference is under which the acquirer is to know the payment: Capability.ReferenceOf
	// the attempt, never used twice.
	Reference   string
	Intent      domain.IntentID
	Money       domain.Money
	Method      Method
	Inputs      Inputs // in their normal form
	Description string
	// TimeLeft is how long the payment may be made; what the acquirer takes after that is
	// late. It is a span, because clocks differ.
	TimeLeft  time.Duration
	Language  string // "ar" or "en", for pages and messages of the acquirer
	ReturnURL string // our page, to which the acquirer's page sends the payer back
	NotifyURL string // where the acquirer pushes notifications
	At        time.Time
}

// Ref is a payment that was to be begun.
type Ref struct {
	Attempt   domain.AttemptID
	Reference string // as in Payment
	Method    Method
	Money     domain.Money // as it was asked for
	BegunAt   time.Time
	// Memo is what Begin's answer, or the last Report, had to be remembered; empty where
	// there is none, or it was lost.
	Memo string
	// ProviderReference is that of Paid, for Refund.
	ProviderReference string
}

// Begun is the acquirer's answer to Begin: CodeSent, Redirected, Embedded, Presented or
// BeginDeclined.
//
//sumtype:decl
type Begun interface{ isBegun() }

// CodeSent says that the payer has been sent a code, which Confirm wants.
type CodeSent struct {
	SentTo   string // where to, masked for display; empty: not said
	Digits   int    // 0: not said
	ValidFor time.Duration
	Memo     string // for Ref
}

// Redirected says that the payer goes on at the acquirer's page.
type Redirected struct {
	URL  string
	Memo string
}

// Embedded says that the payer goes on with the acquirer's script on a page of ours.
type Embedded struct {
	ScriptURL string
	// Configuration is a JSON object under the acquirer's names. The payer sees it.
	Configuration string
	Memo          string
}

// Presented says that the payer scans a QR code, in the app of their bank.
type Presented struct {
	Payload string // the text of the code
	Memo    string
}

// BeginDeclined is a final no: no payment was opened under this reference, or it is
// closed, and no money was taken.
type BeginDeclined struct{ Reason Reason }

func (CodeSent) isBegun()      {}
func (Redirected) isBegun()    {}
func (Embedded) isBegun()      {}
func (Presented) isBegun()     {}
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
type WrongCode struct{ TriesLeft int } // 0: the acquirer does not say

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
	// StateNotFound means that the acquirer knows no payment of this reference. A request
	// still on its way may change that.
	StateNotFound State = "not_found"
)

// Report is how the acquirer says that a payment stands. Money is set unless the state is
// StateNotFound: as the acquirer states it, or as it was asked for where nobody has paid.
// Reason is set only with StateDeclined.
type Report struct {
	State             State
	Reference         string // of Ref
	Money             domain.Money
	Reason            Reason
	ProviderReference string
	Memo              string // what Refund needs besides; empty: as before
	// More are further payments under the same reference, beside the one reported: money
	// that somebody has to give back.
	More []Paid
}

// Refunded says that money went back to the payer.
type Refunded struct {
	Money             domain.Money // as the acquirer states it, or as it was asked for
	ProviderReference string       // the acquirer's own number of the refund
}

// Message is what came from an acquirer, or from somebody who says so.
type Message struct {
	// Returned says that a payer's browser brought it, in the query of the address that the
	// acquirer's page sent it back to. It has no body then.
	Returned bool
	Query    string // as it was sent, still encoded
	Header   http.Header
	Body     []byte
}

// Notice is what a genuine message says.
type Notice struct {
	// Reference is of the payment that it is about; empty where the acquirer does not name
	// it: every open payment of the account is asked about.
	Reference string
	// Proof is how the payment stands, where the signature covers the reference and the
	// amount. nil: the message is a hint to ask.
	Proof *Report
	// Reply is what the acquirer wants to be answered, as JSON; empty: nothing.
	Reply string
}
