package acquirer

import (
	"net/http"
	"time"

	"daftar/domain"
)

// Inputs has the values that the payer typed into the fields of a method.
type Inputs map[Field]string

// Code is the code that a payer was sent and typed, in Latin digits.
type Code string

// Payment is what Begin asks for.
type Payment struct {
	Attempt domain.AttemptID
	// Reference is the name under which the acquirer is to know the payment:
	// Capability.ReferenceOf the attempt, never used twice.
	Reference   string
	Intent      domain.IntentID
	Money       domain.Money
	Method      Method
	Inputs      Inputs // in their normal form
	Description string
	// TimeLeft is how long the payment may be made; a payment after that is late. It is a
	// duration, because clocks differ.
	TimeLeft  time.Duration
	Language  string // "ar" or "en", for pages and messages of the acquirer
	ReturnURL string // our page, to which the acquirer's page sends the payer back
	NotifyURL string // where the acquirer pushes notifications
	At        time.Time
}

// Ref names a payment for which Begin was called.
type Ref struct {
	Attempt   domain.AttemptID
	Reference string // as in Payment
	Method    Method
	Money     domain.Money // as it was asked for
	BegunAt   time.Time
	// Memo is that of Begin's answer, or of the last Report with one; empty where there is
	// none, or it was lost.
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

// Redirected says that the payer continues at the acquirer's page.
type Redirected struct {
	URL  string
	Memo string
}

// Embedded says that the payer continues with the acquirer's script on our page.
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

// State is the state of a payment at the acquirer.
type State string

const (
	// StatePending is open: it may still be paid.
	StatePending State = "pending"
	// StatePaid has taken the money. It never changes again.
	StatePaid State = "paid"
	// StateDeclined took no money. An acquirer may still report it paid, much later.
	StateDeclined State = "declined"
	// StateNotFound means that the acquirer knows no payment of this reference. A request
	// still on its way may change that.
	StateNotFound State = "not_found"
)

// Report is the state of a payment as the acquirer reports it. Money is set unless the state is
// StateNotFound: as the acquirer states it, or as it was asked for where no money was paid.
// Reason is set only with StateDeclined.
type Report struct {
	State             State
	Reference         string // of Ref
	Money             domain.Money
	Reason            Reason
	ProviderReference string
	Memo              string // for Refund; empty: as before
	// More are further payments under the same reference, in addition to the one reported:
	// money that a person has to give back.
	More []Paid
}

// Refunded says that money went back to the payer.
type Refunded struct {
	Money             domain.Money // as the acquirer states it, or as it was asked for
	ProviderReference string       // the acquirer's own number of the refund
}

// Message is what came from an acquirer, or claims to.
type Message struct {
	// Returned says that a payer's browser brought it, in the query of the address that the
	// acquirer's page sent it back to. It has no body then.
	Returned bool
	Query    string // as it was sent, still encoded
	Header   http.Header
	Body     []byte
}

// Notice is the content of a genuine message.
type Notice struct {
	// Reference names the payment; empty where the acquirer does not name it: every open
	// payment of the account is asked about.
	Reference string
	// Proof is the state of the payment, where the signature covers the reference and the
	// amount. nil: the message is a hint to ask.
	Proof *Report
	// Reply is the answer that the acquirer wants, as JSON; empty: none.
	Reply string
}
