package domain

import (
	"slices"
	"time"
)

// Limits of an intent's fields, in code points (specification, "Limits").
const (
	MaxMerchantReference  = 255
	MaxDescription        = 255
	MaxCustomerExternalID = 255
	MaxReturnURL          = 2048
	MaxMetadataPairs      = 20
	MaxMetadataKey        = 40
	MaxMetadataValue      = 255
)

// The window in which an intent may expire, counted from its creation. Both
// bounds are exclusive (specification, "Limits").
const (
	MinExpiry     = 5 * time.Minute
	MaxExpiry     = 31 * 24 * time.Hour
	DefaultExpiry = 24 * time.Hour
)

// The pace of attempts: so many may follow each other at once, far more than a payer
// needs. After them the next one waits for AttemptWait, and each later one for twice
// as long as the one before it. In the longest life of an intent that makes 37
// attempts, in a day 32, so its history stays short whatever somebody does on the page.
const (
	FreeAttempts = 25
	AttemptWait  = 10 * time.Minute
)

// Intent is the state that its events add up to.
type Intent struct {
	ID      IntentID
	Version int // number of events so far; 0 is an intent that does not exist

	Application       ApplicationID
	Reference         Reference
	MerchantReference MerchantReference
	CheckoutToken     CheckoutToken

	Amount      Money
	Status      Status
	Description string
	CustomerID  *string // the merchant's identifier for the customer
	ReturnURL   *string
	Metadata    Metadata

	ExpiresAt time.Time
	CreatedAt time.Time
	UpdatedAt time.Time

	// Attempts are in the order in which they began. At most one is open.
	Attempts []Attempt
	// PaidBy is the attempt whose money made the intent succeed.
	PaidBy AttemptID
	// Late says that the payment was verified after the intent was canceled.
	Late bool
}

// Attempt is one try of the customer to pay.
type Attempt struct {
	ID        AttemptID
	Acquirer  string
	Method    string
	Payer     string // masked; empty where the method has none
	State     AttemptState
	Reason    string // why it failed; empty otherwise
	StartedAt time.Time
	EndedAt   time.Time // zero while open
}

// AttemptState is where an attempt stands.
type AttemptState string

// The states of an attempt. An attempt whose outcome is unknown is open.
const (
	AttemptStateOpen   AttemptState = "open"
	AttemptStateFailed AttemptState = "failed"
	AttemptStatePaid   AttemptState = "paid"
)

// Blank is the intent before its first event.
func Blank(id IntentID) Intent { return Intent{ID: id} }

// Exists says whether the intent was ever created.
func (i Intent) Exists() bool { return i.Version > 0 }

// Overdue says whether the intent waits for a payment that may no longer
// begin. Nobody may be told that such an intent can still be paid.
func (i Intent) Overdue(now time.Time) bool {
	return i.Status == StatusRequiresPaymentMethod && !now.Before(i.ExpiresAt)
}

// OpenAttempt is the attempt that is under way, if there is one.
func (i Intent) OpenAttempt() (Attempt, bool) {
	for _, a := range i.Attempts {
		if a.State == AttemptStateOpen {
			return a, true
		}
	}
	return Attempt{}, false
}

// NextAttemptAt is when the next attempt may begin at the earliest; zero: at once.
// It may be after ExpiresAt.
func (i Intent) NextAttemptAt() time.Time {
	over := len(i.Attempts) - FreeAttempts
	if over < 0 {
		return time.Time{}
	}
	// Twelve doublings take longer than any intent lives.
	return i.Attempts[len(i.Attempts)-1].StartedAt.Add(AttemptWait << min(over, 12))
}

// Attempt is the attempt with the given id, if the intent has it.
func (i Intent) Attempt(id AttemptID) (Attempt, bool) {
	for _, a := range i.Attempts {
		if a.ID == id {
			return a, true
		}
	}
	return Attempt{}, false
}

// Evolve applies an event. It is total: it takes every event ever stored, also
// those that Decide no longer writes, and it does not judge them. The intent
// that was passed in is left as it was.
func Evolve(i Intent, e Event) Intent {
	i.Version++
	i.UpdatedAt = e.OccurredAt()
	switch e := e.(type) {
	case Created:
		i.Status = StatusRequiresPaymentMethod
		i.Application = e.Application
		i.Reference = e.Reference
		i.MerchantReference = e.MerchantReference
		i.CheckoutToken = e.CheckoutToken
		i.Amount = e.Amount
		i.Description = e.Description
		i.CustomerID = e.CustomerID
		i.ReturnURL = e.ReturnURL
		i.Metadata = e.Metadata
		i.ExpiresAt = e.ExpiresAt
		i.CreatedAt = e.At
		return i
	case AttemptStarted:
		i.Status = StatusProcessing
		i.Attempts = append(slices.Clip(i.Attempts), Attempt{
			ID: e.Attempt, Acquirer: e.Acquirer, Method: e.Method, Payer: e.Payer,
			State: AttemptStateOpen, StartedAt: e.At,
		})
		return i
	case AttemptFailed:
		i.Status = StatusRequiresPaymentMethod
		i.Attempts = ended(i.Attempts, e.Attempt, AttemptStateFailed, e.Reason, e.At)
		return i
	case Succeeded:
		i.Status = StatusSucceeded
		i.PaidBy = e.Attempt
		i.Attempts = ended(i.Attempts, e.Attempt, AttemptStatePaid, "", e.At)
		return i
	case Expired:
		i.Status = StatusCanceled
		return i
	case LateSucceeded:
		i.Status = StatusSucceeded
		i.PaidBy = e.Attempt
		i.Late = true
		i.Attempts = ended(i.Attempts, e.Attempt, AttemptStatePaid, "", e.At)
		return i
	case DuplicatePayment:
		i.Attempts = ended(i.Attempts, e.Attempt, AttemptStatePaid, "", e.At)
		return i
	}
	panic("domain: Evolve of an event outside the sealed set")
}

// Fold is the state after the given events, from the first one on.
func Fold(id IntentID, events []Event) Intent {
	i := Blank(id)
	for _, e := range events {
		i = Evolve(i, e)
	}
	return i
}

// ended copies the attempts with one of them brought to its end. The copy keeps
// states that share a history from changing each other.
func ended(attempts []Attempt, id AttemptID, state AttemptState, reason string, at time.Time) []Attempt {
	copied := slices.Clone(attempts)
	for n := range copied {
		if copied[n].ID == id {
			copied[n].State, copied[n].Reason, copied[n].EndedAt = state, reason, at
		}
	}
	return copied
}
