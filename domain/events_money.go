package domain

import (
	"time"

	"github.com/google/uuid"
)

// The stored names of the events of money.
const (
	TypeSucceeded        = "intent.succeeded"
	TypeLateSucceeded    = "intent.late_succeeded"
	TypeDuplicatePayment = "intent.duplicate_payment"
	TypeRefundRecorded   = "intent.refund_recorded"
	TypeRefundFailed     = "intent.refund_failed"
)

// moneyForms are the forms in which the events of money are read.
var moneyForms = []form{
	{TypeSucceeded, 1, read[takenV1[Succeeded]]},
	{TypeLateSucceeded, 1, read[takenV1[LateSucceeded]]},
	{TypeDuplicatePayment, 1, read[takenV1[DuplicatePayment]]},
	{TypeRefundRecorded, 1, read[refundRecordedV1]},
	{TypeRefundFailed, 1, read[refundFailedV1]},
}

// Succeeded says that the amount was verified as taken, in time or by an
// attempt that was open when the time ran out.
type Succeeded struct {
	At                time.Time
	Attempt           AttemptID
	Amount            Money
	ProviderReference string
}

type paymentV1 struct {
	// When it was recorded that the money was taken.
	At time.Time `json:"at"`
	// The attempt by which it was taken.
	Attempt string `json:"attempt"`
	// What was taken, in the currency's minor unit.
	Amount int64 `json:"amount"`
	// The ISO 4217 code of the amount's currency.
	Currency string `json:"currency"`
	// The acquirer's own reference of the payment, as in its statements.
	ProviderReference string `json:"provider_reference"`
}

func storedPayment(p Succeeded) paymentV1 {
	return paymentV1{
		At: p.At, Attempt: string(p.Attempt), Amount: p.Amount.Minor,
		Currency: string(p.Amount.Currency), ProviderReference: p.ProviderReference,
	}
}

// takenV1 has the fields of paymentV1, which are read as an event of type E.
type takenV1[E interface {
	Succeeded | LateSucceeded | DuplicatePayment
	Event
}] paymentV1

func (f takenV1[E]) event() (Event, error) {
	currency, err := ParseCurrency(f.Currency)
	return E(Succeeded{
		At: f.At, Attempt: AttemptID(f.Attempt),
		Amount: Money{Minor: f.Amount, Currency: currency}, ProviderReference: f.ProviderReference,
	}), err
}

// OccurredAt implements Event.
func (e Succeeded) OccurredAt() time.Time { return e.At }

func (e Succeeded) stored() (string, int, any) { return TypeSucceeded, 1, storedPayment(e) }

// LateSucceeded says that a payment was verified after the intent expired.
type LateSucceeded Succeeded

// OccurredAt implements Event.
func (e LateSucceeded) OccurredAt() time.Time { return e.At }

func (e LateSucceeded) stored() (string, int, any) {
	return TypeLateSucceeded, 1, storedPayment(Succeeded(e))
}

// DuplicatePayment says that money was taken a second time for an intent that
// is already paid. The status stays; someone must give the money back.
type DuplicatePayment Succeeded

// OccurredAt implements Event.
func (e DuplicatePayment) OccurredAt() time.Time { return e.At }

func (e DuplicatePayment) stored() (string, int, any) {
	return TypeDuplicatePayment, 1, storedPayment(Succeeded(e))
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

type refundRecordedV1 struct {
	// When it was recorded that the money went back.
	At time.Time `json:"at"`
	// The refund, which is recorded once.
	Refund uuid.UUID `json:"refund"`
	// The attempt whose money it was.
	Attempt string `json:"attempt"`
	// What went back, in the currency's minor unit.
	Amount int64 `json:"amount"`
	// The ISO 4217 code of the amount's currency.
	Currency string `json:"currency"`
	// The acquirer's own reference of the refund; empty where there is none.
	ProviderReference string `json:"provider_reference"`
	// How it is known: acquirer, which is its answer to a request, or person, who saw it in the
	// acquirer's books.
	Evidence string `json:"evidence"`
}

// Evidence is how it is known that money went back.
type Evidence string

// The evidence of a refund. The actor and the note are in the event's metadata.
const (
	EvidenceAcquirer Evidence = "acquirer" // its answer to our request
	EvidencePerson   Evidence = "person"   // a person saw it in the acquirer's books
)

// OccurredAt implements Event.
func (e RefundRecorded) OccurredAt() time.Time { return e.At }

func (e RefundRecorded) stored() (string, int, any) {
	return TypeRefundRecorded, 1, refundRecordedV1{
		At: e.At, Refund: uuid.UUID(e.Refund), Attempt: string(e.Attempt), Amount: e.Amount.Minor,
		Currency: string(e.Amount.Currency), ProviderReference: e.ProviderReference, Evidence: string(e.Evidence),
	}
}

func (f refundRecordedV1) event() (Event, error) {
	currency, err := ParseCurrency(f.Currency)
	return RefundRecorded{
		At: f.At, Refund: RefundID(f.Refund), Attempt: AttemptID(f.Attempt),
		Amount:            Money{Minor: f.Amount, Currency: currency},
		ProviderReference: f.ProviderReference, Evidence: Evidence(f.Evidence),
	}, err
}

// RefundFailed says that a refund was requested and has ended without money going back.
type RefundFailed struct {
	At      time.Time
	Refund  RefundID
	Attempt AttemptID
	Amount  Money
	Reason  string // a word
}

type refundFailedV1 struct {
	// When it was recorded that nothing went back.
	At time.Time `json:"at"`
	// The refund.
	Refund uuid.UUID `json:"refund"`
	// The attempt whose money was to go back.
	Attempt string `json:"attempt"`
	// What was to go back, in the currency's minor unit.
	Amount int64 `json:"amount"`
	// The ISO 4217 code of the amount's currency.
	Currency string `json:"currency"`
	// Why nothing went back, in a word.
	Reason string `json:"reason"`
}

// OccurredAt implements Event.
func (e RefundFailed) OccurredAt() time.Time { return e.At }

func (e RefundFailed) stored() (string, int, any) {
	return TypeRefundFailed, 1, refundFailedV1{
		At: e.At, Refund: uuid.UUID(e.Refund), Attempt: string(e.Attempt), Amount: e.Amount.Minor,
		Currency: string(e.Amount.Currency), Reason: e.Reason,
	}
}

func (f refundFailedV1) event() (Event, error) {
	currency, err := ParseCurrency(f.Currency)
	return RefundFailed{
		At: f.At, Refund: RefundID(f.Refund), Attempt: AttemptID(f.Attempt),
		Amount: Money{Minor: f.Amount, Currency: currency}, Reason: f.Reason,
	}, err
}
