package domain

import (
	"slices"
	"time"
)

// Limits of an intent's fields, in code points (specification, "Limits").
const (
	MaxMerchantReference  = 255
	MaxRefundReference    = 255
	MaxRefundReason       = 255
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

// The pace of attempts: FreeAttempts may follow each other at once, far more than a payer
// needs. The next one must wait for AttemptWait, and each later one twice as long as the one
// before it. That allows 37 attempts in the longest life of an intent, and 32 in a day, so a
// history stays short whatever a client does.
const (
	FreeAttempts = 25
	AttemptWait  = 10 * time.Minute
)

// Terms are what a payment is for and how much it is. They never change once the intent exists.
type Terms struct {
	Application       ApplicationID
	Reference         Reference
	MerchantReference MerchantReference
	Amount            Money
	Description       string
	CustomerID        *string // the merchant's identifier for the customer
	ReturnURL         *string
	Metadata          Metadata
}

// Intent is the state that its events add up to.
type Intent struct {
	ID      IntentID
	Version int // number of events so far; 0 is an intent that does not exist

	Terms
	CheckoutToken CheckoutToken

	Status    Status
	ExpiresAt time.Time
	CreatedAt time.Time
	UpdatedAt time.Time

	// Attempts are in the order in which they began. At most one is open.
	Attempts []Attempt
	// PaidBy is the attempt whose money made the intent succeed.
	PaidBy AttemptID
	// Late says that the payment was verified after the intent was canceled.
	Late bool
	// Refunds are in the order in which they were recorded. They do not change UpdatedAt,
	// because they change nothing that merchants retrieve.
	Refunds []Refund
	// FailedRefunds are in the order in which it was recorded that nothing went back. They do not
	// change UpdatedAt either.
	FailedRefunds []FailedRefund
}

// Refund is money of a paid attempt that went back to the payer.
type Refund struct {
	ID                RefundID
	At                time.Time
	Attempt           AttemptID
	Amount            Money
	ProviderReference string
	Evidence          Evidence
}

// FailedRefund is a refund that has ended without money going back.
type FailedRefund struct {
	ID RefundID
	At time.Time
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
	// ProviderReference is the acquirer's own reference of the payment; empty: unknown.
	ProviderReference string
}

// AttemptState is the state of an attempt.
type AttemptState string

// The states of an attempt. An attempt whose outcome is unknown is open.
const (
	AttemptStateOpen   AttemptState = "open"
	AttemptStateFailed AttemptState = "failed"
	AttemptStatePaid   AttemptState = "paid"
)

// Blank is the intent before its first event.
func Blank(id IntentID) Intent { return Intent{ID: id} }

// Exists reports whether the intent was ever created.
func (i Intent) Exists() bool { return i.Version > 0 }

// Overdue reports whether the intent waits for a payment that may no longer
// begin. Such an intent must never be shown as payable.
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

// Refundable is how much of the attempt's payment was not yet refunded; zero where it paid
// nothing.
func (i Intent) Refundable(id AttemptID) Money {
	left := Money{Currency: i.Amount.Currency}
	if a, known := i.Attempt(id); known && a.State == AttemptStatePaid {
		left.Minor = i.Amount.Minor
	}
	for _, r := range i.Refunds {
		if r.Attempt == id {
			left.Minor -= r.Amount.Minor
		}
	}
	return left
}

// lastEventAt is the time of the latest event.
func (i Intent) lastEventAt() time.Time {
	last := i.UpdatedAt
	if n := len(i.Refunds); n > 0 && i.Refunds[n-1].At.After(last) {
		last = i.Refunds[n-1].At
	}
	if n := len(i.FailedRefunds); n > 0 && i.FailedRefunds[n-1].At.After(last) {
		last = i.FailedRefunds[n-1].At
	}
	return last
}

// Evolve applies an event. It is total: it takes every event ever stored, also
// those that Decide no longer writes, and it does not judge them. The intent
// that was passed in is left as it was.
func Evolve(i Intent, e Event) Intent {
	i.Version++
	if !aboutRefund(e) {
		i.UpdatedAt = e.OccurredAt()
	}
	switch e := e.(type) {
	case Created:
		i.Status = StatusRequiresPaymentMethod
		i.Terms = e.Terms
		i.CheckoutToken = e.CheckoutToken
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
		i.Attempts = withChange(i.Attempts, e.Attempt, func(a *Attempt) {
			a.State, a.Reason, a.EndedAt = AttemptStateFailed, e.Reason, e.At
		})
		return i
	case Succeeded:
		i.Status = StatusSucceeded
		i.PaidBy = e.Attempt
		i.Attempts = withPayment(i.Attempts, e)
		return i
	case Expired:
		i.Status = StatusCanceled
		return i
	case LateSucceeded:
		i.Status = StatusSucceeded
		i.PaidBy = e.Attempt
		i.Late = true
		i.Attempts = withPayment(i.Attempts, Succeeded(e))
		return i
	case DuplicatePayment:
		i.Attempts = withPayment(i.Attempts, Succeeded(e))
		return i
	case RefundRecorded:
		i.Refunds = append(slices.Clip(i.Refunds), Refund{
			ID: e.Refund, At: e.At, Attempt: e.Attempt, Amount: e.Amount,
			ProviderReference: e.ProviderReference, Evidence: e.Evidence,
		})
		return i
	case RefundFailed:
		i.FailedRefunds = append(slices.Clip(i.FailedRefunds), FailedRefund{e.Refund, e.At})
		return i
	}
	panic("domain: Evolve of an event outside the sealed set")
}

// aboutRefund reports whether an event leaves what merchants retrieve as it is.
func aboutRefund(e Event) bool {
	_, recorded := e.(RefundRecorded)
	_, failed := e.(RefundFailed)
	return recorded || failed
}

// Fold is the state after the given events, from the first one on.
func Fold(id IntentID, events []Event) Intent {
	i := Blank(id)
	for _, e := range events {
		i = Evolve(i, e)
	}
	return i
}

// withPayment ends an attempt with the money that it took.
func withPayment(attempts []Attempt, p Succeeded) []Attempt {
	return withChange(attempts, p.Attempt, func(a *Attempt) {
		a.State, a.Reason, a.EndedAt = AttemptStatePaid, "", p.At
		a.ProviderReference = p.ProviderReference
	})
}

// withChange copies the attempts and changes one of them. It copies, because states before and
// after an event share the slice.
func withChange(attempts []Attempt, id AttemptID, change func(*Attempt)) []Attempt {
	copied := slices.Clone(attempts)
	for n := range copied {
		if copied[n].ID == id {
			change(&copied[n])
		}
	}
	return copied
}
