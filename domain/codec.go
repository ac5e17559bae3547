package domain

import (
	"fmt"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

// The stored names of events. They are part of the ledger's frozen format and
// have nothing to do with the names of Go types.
const (
	TypeCreated          = "intent.created"
	TypeAttemptStarted   = "intent.attempt_started"
	TypeAttemptFailed    = "intent.attempt_failed"
	TypeSucceeded        = "intent.succeeded"
	TypeExpired          = "intent.expired"
	TypeLateSucceeded    = "intent.late_succeeded"
	TypeDuplicatePayment = "intent.duplicate_payment"
	TypeRefundRecorded   = "intent.refund_recorded"
)

// StoredEvent is an event in the form that the ledger keeps for ever.
type StoredEvent struct {
	Type          string
	SchemaVersion int
	Payload       []byte // JSON text, exactly as stored
}

// The stored fields of each event and version. A field is never renamed,
// retyped or given another meaning; a new version gets a new struct here, a
// case in DecodeEvent that lifts it to the present event, and a golden file.
// The comments are the catalogue of events, docs/events.md: go generate ./docs
// writes it anew.
type (
	createdV1 struct {
		// When the intent was created, by the ledger's clock.
		At time.Time `json:"at"`
		// The application that owns the intent.
		Application uuid.UUID `json:"application"`
		// The merchant's own name for the payment; one application uses it once.
		MerchantReference string `json:"merchant_reference"`
		// The short name that customers see, in lower case.
		Reference string `json:"reference"`
		// The secret part of the checkout's address: who has it may open the page.
		CheckoutToken string `json:"checkout_token"`
		// What is to be paid, in the currency's minor unit: 5000 is 5.000 dinars.
		Amount int64 `json:"amount"`
		// The ISO 4217 code of the amount's currency.
		Currency string `json:"currency"`
		// What is paid for, as the customer reads it.
		Description string `json:"description"`
		// The merchant's identifier of the customer; null where none was sent.
		CustomerID *string `json:"customer_external_id"`
		// Where the customer goes after paying; null where none was sent.
		ReturnURL *string `json:"return_url"`
		// The merchant's pairs of key and value in the order sent; null where none were sent.
		Metadata Metadata `json:"metadata"`
		// Until when a payment may begin; the instant itself is too late.
		ExpiresAt time.Time `json:"expires_at"`
	}
	attemptStartedV1 struct {
		// When the attempt began, before the acquirer was called.
		At time.Time `json:"at"`
		// The attempt; the acquirer knows the payment by this reference.
		Attempt string `json:"attempt"`
		// Who is asked to take the money.
		Acquirer string `json:"acquirer"`
		// How the customer pays, such as wallet or card.
		Method string `json:"method"`
		// Who pays, masked: a phone number with its middle hidden; empty where the method names nobody.
		Payer string `json:"payer"`
	}
	attemptFailedV1 struct {
		// When the acquirer's answer was recorded.
		At time.Time `json:"at"`
		// The attempt that has ended.
		Attempt string `json:"attempt"`
		// Why, as a word: the acquirer's reason in the service's terms.
		Reason string `json:"reason"`
	}
	paymentV1 struct {
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
	refundRecordedV1 struct {
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
		// How it is known: acquirer, which is its answer to a request, or person, who saw it in the acquirer's books.
		Evidence string `json:"evidence"`
	}
	expiredV1 struct {
		// When the intent was canceled, at expires_at or later.
		At time.Time `json:"at"`
	}
	// Written where the time to pay ended before expires_at; version 1 is written where
	// it ran out.
	expiredV2 struct {
		// When the intent was canceled, before expires_at.
		At time.Time `json:"at"`
		// Why: stopped, which is that the merchant ended this intent (then its application is the actor) or stopped all checkouts.
		Reason string `json:"reason"`
	}
)

// reasonStopped is the one reason of expiredV2.
const reasonStopped = "stopped"

// EncodeEvent gives the bytes to store. They are never made again from the
// decoded event: proofs are over what was written.
func EncodeEvent(e Event) (StoredEvent, error) {
	name, fields := storedForm(e)
	payload, err := jsonv2.Marshal(fields, escapes)
	if err != nil {
		return StoredEvent{}, fmt.Errorf("encode %s: %w", name, err)
	}
	version := 1
	if _, second := fields.(expiredV2); second {
		version = 2
	}
	return StoredEvent{Type: name, SchemaVersion: version, Payload: payload}, nil
}

// escapes are the characters that the ledger's texts write as \u: besides those
// that JSON demands, the two line separators, as the first encoder did.
var escapes = jsontext.EscapeForJS(true)

func storedForm(e Event) (name string, fields any) {
	switch e := e.(type) {
	case Created:
		return TypeCreated, createdV1{
			At: e.At, Application: uuid.UUID(e.Application), MerchantReference: string(e.MerchantReference),
			Reference: string(e.Reference), CheckoutToken: string(e.CheckoutToken),
			Amount: e.Amount.Minor, Currency: string(e.Amount.Currency), Description: e.Description,
			CustomerID: e.CustomerID, ReturnURL: e.ReturnURL, Metadata: e.Metadata, ExpiresAt: e.ExpiresAt,
		}
	case AttemptStarted:
		return TypeAttemptStarted, attemptStartedV1{
			At: e.At, Attempt: string(e.Attempt), Acquirer: e.Acquirer, Method: e.Method, Payer: e.Payer,
		}
	case AttemptFailed:
		return TypeAttemptFailed, attemptFailedV1{At: e.At, Attempt: string(e.Attempt), Reason: e.Reason}
	case Succeeded:
		return TypeSucceeded, storedPayment(payment(e))
	case Expired:
		if e.Stopped {
			return TypeExpired, expiredV2{At: e.At, Reason: reasonStopped}
		}
		return TypeExpired, expiredV1{At: e.At}
	case LateSucceeded:
		return TypeLateSucceeded, storedPayment(payment(e))
	case DuplicatePayment:
		return TypeDuplicatePayment, storedPayment(payment(e))
	case RefundRecorded:
		return TypeRefundRecorded, refundRecordedV1{
			At: e.At, Refund: uuid.UUID(e.Refund), Attempt: string(e.Attempt), Amount: e.Amount.Minor,
			Currency: string(e.Amount.Currency), ProviderReference: e.ProviderReference, Evidence: string(e.Evidence),
		}
	}
	panic("domain: encoding of an event outside the sealed set")
}

// payment is what the three events about money that was taken have in common.
type payment struct {
	At                time.Time
	Attempt           AttemptID
	Amount            Money
	ProviderReference string
}

func storedPayment(p payment) paymentV1 {
	return paymentV1{
		At: p.At, Attempt: string(p.Attempt), Amount: p.Amount.Minor,
		Currency: string(p.Amount.Currency), ProviderReference: p.ProviderReference,
	}
}

// DecodeEvent reads a stored event, of any version ever written. The error is
// ErrUnknownEvent where the name or version is not known to this program.
func DecodeEvent(s StoredEvent) (Event, error) {
	if s.Type == TypeExpired && s.SchemaVersion == 2 {
		return decodeStopped(s)
	}
	if s.SchemaVersion != 1 {
		return nil, fmt.Errorf("decode %s version %d: %w", s.Type, s.SchemaVersion, ErrUnknownEvent)
	}
	switch s.Type {
	case TypeCreated:
		return decodeCreated(s)
	case TypeAttemptStarted:
		f, err := read[attemptStartedV1](s)
		return AttemptStarted{
			At: f.At, Attempt: AttemptID(f.Attempt), Acquirer: f.Acquirer, Method: f.Method, Payer: f.Payer,
		}, err
	case TypeAttemptFailed:
		f, err := read[attemptFailedV1](s)
		return AttemptFailed{At: f.At, Attempt: AttemptID(f.Attempt), Reason: f.Reason}, err
	case TypeExpired:
		f, err := read[expiredV1](s)
		return Expired{At: f.At}, err
	case TypeSucceeded:
		p, err := decodePayment(s)
		return Succeeded(p), err
	case TypeLateSucceeded:
		p, err := decodePayment(s)
		return LateSucceeded(p), err
	case TypeDuplicatePayment:
		p, err := decodePayment(s)
		return DuplicatePayment(p), err
	case TypeRefundRecorded:
		return decodeRefund(s)
	}
	return nil, fmt.Errorf("decode %s: %w", s.Type, ErrUnknownEvent)
}

// OccurredAt reads only when the event was decided, which every stored event says
// under the same name. It costs a fraction of DecodeEvent.
func (s StoredEvent) OccurredAt() (time.Time, error) {
	var f struct {
		At time.Time `json:"at"`
	}
	if err := jsonv2.Unmarshal(s.Payload, &f); err != nil {
		return time.Time{}, fmt.Errorf("read time of %s: %w", s.Type, err)
	}
	return f.At, nil
}

// ExpiresAt reads only until when a payment of a created event may begin. It costs a
// fraction of DecodeEvent.
func (s StoredEvent) ExpiresAt() (time.Time, error) {
	if s.Type != TypeCreated || s.SchemaVersion != 1 {
		return time.Time{}, fmt.Errorf("read time of %s version %d: %w", s.Type, s.SchemaVersion, ErrUnknownEvent)
	}
	var f struct {
		At time.Time `json:"expires_at"`
	}
	if err := jsonv2.Unmarshal(s.Payload, &f); err != nil {
		return time.Time{}, fmt.Errorf("read time of %s: %w", s.Type, err)
	}
	return f.At, nil
}

func decodeStopped(s StoredEvent) (Event, error) {
	f, err := read[expiredV2](s)
	if err == nil && f.Reason != reasonStopped {
		err = fmt.Errorf("decode %s with reason %q: %w", s.Type, f.Reason, ErrUnknownEvent)
	}
	return Expired{At: f.At, Stopped: true}, err
}

func decodeCreated(s StoredEvent) (Event, error) {
	f, err := read[createdV1](s)
	if err != nil {
		return nil, err
	}
	currency, err := ParseCurrency(f.Currency)
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", s.Type, err)
	}
	return Created{
		At: f.At, Application: ApplicationID(f.Application), MerchantReference: MerchantReference(f.MerchantReference),
		Reference: Reference(f.Reference), CheckoutToken: CheckoutToken(f.CheckoutToken),
		Amount: Money{Minor: f.Amount, Currency: currency}, Description: f.Description,
		CustomerID: f.CustomerID, ReturnURL: f.ReturnURL, Metadata: f.Metadata, ExpiresAt: f.ExpiresAt,
	}, nil
}

func decodePayment(s StoredEvent) (payment, error) {
	f, err := read[paymentV1](s)
	if err != nil {
		return payment{}, err
	}
	currency, err := ParseCurrency(f.Currency)
	if err != nil {
		return payment{}, fmt.Errorf("decode %s: %w", s.Type, err)
	}
	return payment{
		At: f.At, Attempt: AttemptID(f.Attempt),
		Amount: Money{Minor: f.Amount, Currency: currency}, ProviderReference: f.ProviderReference,
	}, nil
}

func decodeRefund(s StoredEvent) (Event, error) {
	f, err := read[refundRecordedV1](s)
	if err != nil {
		return nil, err
	}
	currency, err := ParseCurrency(f.Currency)
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", s.Type, err)
	}
	return RefundRecorded{
		At: f.At, Refund: RefundID(f.Refund), Attempt: AttemptID(f.Attempt),
		Amount: Money{Minor: f.Amount, Currency: currency}, ProviderReference: f.ProviderReference, Evidence: Evidence(f.Evidence),
	}, nil
}

// read is strict: a field that this version does not have means that the bytes
// were not written by EncodeEvent.
func read[V any](s StoredEvent) (V, error) {
	var v V
	if err := jsonv2.Unmarshal(s.Payload, &v, jsonv2.RejectUnknownMembers(true)); err != nil {
		return v, fmt.Errorf("decode %s: %w", s.Type, err)
	}
	return v, nil
}
