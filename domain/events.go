package domain

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Event is something that happened to an intent. The set is sealed: Evolve has
// a case for each.
//
//sumtype:decl
type Event interface {
	// OccurredAt is when it was decided, by the ledger's clock.
	OccurredAt() time.Time
	// stored returns the form in which it is written: its name, and the newest version of its
	// fields.
	stored() (name string, version int, fields any)
}

// The stored names of events. They are part of the ledger's frozen format and
// have nothing to do with the names of Go types.
const (
	TypeCreated        = "intent.created"
	TypeAttemptStarted = "intent.attempt_started"
	TypeAttemptFailed  = "intent.attempt_failed"
	TypeExpired        = "intent.expired"
)

// OfIntent reports whether a stored name is that of an event of an intent, also one that this version
// does not know. Streams of other things are in the same log: packages that follow intents pass over them.
func OfIntent(stored string) bool { return strings.HasPrefix(stored, "intent.") }

// lifeForms are the forms in which the events of an intent's life are read.
var lifeForms = []form{
	{TypeCreated, 1, read[createdV1]},
	{TypeAttemptStarted, 1, read[attemptStartedV1]},
	{TypeAttemptFailed, 1, read[attemptFailedV1]},
	{TypeExpired, 1, read[expiredV1]},
	{TypeExpired, 2, read[expiredV2]},
}

// Created is the first event of every intent.
type Created struct {
	At time.Time
	Terms
	CheckoutToken CheckoutToken
	ExpiresAt     time.Time
}

type createdV1 struct {
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

// OccurredAt implements Event.
func (e Created) OccurredAt() time.Time { return e.At }

func (e Created) stored() (string, int, any) {
	return TypeCreated, 1, createdV1{
		At: e.At, Application: uuid.UUID(e.Application), MerchantReference: string(e.MerchantReference),
		Reference: string(e.Reference), CheckoutToken: string(e.CheckoutToken),
		Amount: e.Amount.Minor, Currency: string(e.Amount.Currency), Description: e.Description,
		CustomerID: e.CustomerID, ReturnURL: e.ReturnURL, Metadata: e.Metadata, ExpiresAt: e.ExpiresAt,
	}
}

func (f createdV1) event() (Event, error) {
	currency, err := ParseCurrency(f.Currency)
	return Created{
		At: f.At, CheckoutToken: CheckoutToken(f.CheckoutToken), ExpiresAt: f.ExpiresAt,
		Terms: Terms{
			Application: ApplicationID(f.Application), Reference: Reference(f.Reference),
			MerchantReference: MerchantReference(f.MerchantReference),
			Amount:            Money{Minor: f.Amount, Currency: currency}, Description: f.Description,
			CustomerID: f.CustomerID, ReturnURL: f.ReturnURL, Metadata: f.Metadata,
		},
	}, err
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

type attemptStartedV1 struct {
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

// OccurredAt implements Event.
func (e AttemptStarted) OccurredAt() time.Time { return e.At }

func (e AttemptStarted) stored() (string, int, any) {
	return TypeAttemptStarted, 1, attemptStartedV1{
		At: e.At, Attempt: string(e.Attempt), Acquirer: e.Acquirer, Method: e.Method, Payer: e.Payer,
	}
}

func (f attemptStartedV1) event() (Event, error) {
	return AttemptStarted{
		At: f.At, Attempt: AttemptID(f.Attempt), Acquirer: f.Acquirer, Method: f.Method, Payer: f.Payer,
	}, nil
}

// ReasonExpired is the reason of an attempt that had not taken the money at the expiry.
const ReasonExpired = "expired"

// AttemptFailed says that the acquirer's final word was no, or that it had not taken
// the money within minutes of the end of the time (ReasonExpired).
type AttemptFailed struct {
	At      time.Time
	Attempt AttemptID
	Reason  string
}

type attemptFailedV1 struct {
	// When the acquirer's answer was recorded.
	At time.Time `json:"at"`
	// The attempt that has ended.
	Attempt string `json:"attempt"`
	// Why, as a word: the acquirer's reason in the service's terms.
	Reason string `json:"reason"`
}

// OccurredAt implements Event.
func (e AttemptFailed) OccurredAt() time.Time { return e.At }

func (e AttemptFailed) stored() (string, int, any) {
	return TypeAttemptFailed, 1, attemptFailedV1{At: e.At, Attempt: string(e.Attempt), Reason: e.Reason}
}

func (f attemptFailedV1) event() (Event, error) {
	return AttemptFailed{At: f.At, Attempt: AttemptID(f.Attempt), Reason: f.Reason}, nil
}

// Expired says that the time to pay ran out unpaid, or was ended before by the
// merchant, for this intent or for all of an application.
type Expired struct {
	At      time.Time
	Stopped bool // before the time ran out
}

type expiredV1 struct {
	// When the intent was canceled, at expires_at or later.
	At time.Time `json:"at"`
}

// Written where the time to pay ended before expires_at; version 1 is written where
// it ran out.
type expiredV2 struct {
	// When the intent was canceled, before expires_at.
	At time.Time `json:"at"`
	// Why: stopped, which is that the merchant ended this intent (then its application is the actor)
	// or stopped all checkouts.
	Reason string `json:"reason"`
}

// reasonStopped is the one reason of expiredV2.
const reasonStopped = "stopped"

// OccurredAt implements Event.
func (e Expired) OccurredAt() time.Time { return e.At }

func (e Expired) stored() (string, int, any) {
	if e.Stopped {
		return TypeExpired, 2, expiredV2{At: e.At, Reason: reasonStopped}
	}
	return TypeExpired, 1, expiredV1{At: e.At}
}

func (f expiredV1) event() (Event, error) { return Expired{At: f.At}, nil }

func (f expiredV2) event() (Event, error) {
	if f.Reason != reasonStopped {
		return nil, fmt.Errorf("reason %q: %w", f.Reason, ErrUnknownEvent)
	}
	return Expired{At: f.At, Stopped: true}, nil
}
