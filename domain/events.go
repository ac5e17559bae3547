package domain

import "time"

// Event is something that happened to an intent. The set is sealed: Evolve has
// a case for each, and so has the codec.
//
//sumtype:decl
type Event interface {
	// OccurredAt is when it was decided, by the ledger's clock.
	OccurredAt() time.Time
	isEvent()
}

// Created is the first event of every intent.
type Created struct {
	At                time.Time
	Application       ApplicationID
	MerchantReference MerchantReference
	Reference         Reference
	CheckoutToken     CheckoutToken
	Amount            Money
	Description       string
	CustomerID        *string
	ReturnURL         *string
	Metadata          Metadata
	ExpiresAt         time.Time
}

// AttemptStarted says that a payment is being asked of an acquirer. It is
// recorded before the acquirer is called, so that no money can move unseen.
type AttemptStarted struct {
	At       time.Time
	Attempt  AttemptID
	Acquirer string
	Method   string
	Payer    string // masked
}

// ReasonExpired is why an attempt failed that had not taken the money when the time was
// over.
const ReasonExpired = "expired"

// AttemptFailed says that the acquirer's final word was no, or that it had not taken
// the money within minutes of the end of the time (ReasonExpired).
type AttemptFailed struct {
	At      time.Time
	Attempt AttemptID
	Reason  string
}

// Succeeded says that the amount was verified as taken, in time or by an
// attempt that was open when the time ran out.
type Succeeded struct {
	At                time.Time
	Attempt           AttemptID
	Amount            Money
	ProviderReference string
}

// Expired says that the time to pay ran out unpaid, or was ended before by the
// merchant, for this intent or for all of an application.
type Expired struct {
	At      time.Time
	Stopped bool // before the time ran out
}

// LateSucceeded says that a payment was verified after the intent expired.
type LateSucceeded struct {
	At                time.Time
	Attempt           AttemptID
	Amount            Money
	ProviderReference string
}

// DuplicatePayment says that money was taken a second time for an intent that
// is already paid. The status stays; someone must give the money back.
type DuplicatePayment struct {
	At                time.Time
	Attempt           AttemptID
	Amount            Money
	ProviderReference string
}

// RefundRecorded says that money of a paid attempt went back to the payer. The status
// stays: what was paid was paid.
type RefundRecorded struct {
	At                time.Time
	Refund            RefundID
	Attempt           AttemptID
	Amount            Money
	ProviderReference string // empty where the acquirer gives none
	Evidence          Evidence
}

// Evidence is how it is known that money went back.
type Evidence string

// The evidence of a refund. Whose word it is, and the note, are in the event's metadata.
const (
	EvidenceAcquirer Evidence = "acquirer" // its answer to our request
	EvidencePerson   Evidence = "person"   // somebody saw it in the acquirer's books
)

// OccurredAt implements Event.
func (e Created) OccurredAt() time.Time { return e.At }

// OccurredAt implements Event.
func (e AttemptStarted) OccurredAt() time.Time { return e.At }

// OccurredAt implements Event.
func (e AttemptFailed) OccurredAt() time.Time { return e.At }

// OccurredAt implements Event.
func (e Succeeded) OccurredAt() time.Time { return e.At }

// OccurredAt implements Event.
func (e Expired) OccurredAt() time.Time { return e.At }

// OccurredAt implements Event.
func (e LateSucceeded) OccurredAt() time.Time { return e.At }

// OccurredAt implements Event.
func (e DuplicatePayment) OccurredAt() time.Time { return e.At }

// OccurredAt implements Event.
func (e RefundRecorded) OccurredAt() time.Time { return e.At }

func (Created) isEvent()          {}
func (AttemptStarted) isEvent()   {}
func (AttemptFailed) isEvent()    {}
func (Succeeded) isEvent()        {}
func (Expired) isEvent()          {}
func (LateSucceeded) isEvent()    {}
func (DuplicatePayment) isEvent() {}
func (RefundRecorded) isEvent()   {}
