package acquirertest

import (
	"sync"
	"time"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/payments/acquirer"
)

// Clock stands still until it is moved.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock shows ten in the evening in Tripoli, when UTC has the same date.
func NewClock() *Clock { return &Clock{now: time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)} }

// Now is the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock, back if d is negative.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// NewPayment returns a payment as the checkout would begin it. phone may be empty.
func NewPayment(c acquirer.Capability, minor int64, phone string) acquirer.Payment {
	id := domain.NewAttemptID(uuid.New())
	return acquirer.Payment{
		Attempt:     id,
		Reference:   c.ReferenceOf(id),
		Intent:      domain.IntentID(uuid.New()),
		Method:      c.Method,
		Money:       domain.Money{Minor: minor, Currency: domain.LYD},
		Inputs:      map[acquirer.Field]string{acquirer.Phone: phone, acquirer.BirthYear: "1990"},
		Description: "طلب رقم 1042",
		TimeLeft:    time.Hour,
		Language:    "ar",
		ReturnURL:   "https://pay.example/checkout/1/back",
		NotifyURL:   "https://pay.example/notify",
	}
}

// RefOf returns the Ref of a payment that was begun.
func RefOf(p acquirer.Payment, memo string) acquirer.Ref {
	return acquirer.Ref{
		Attempt: p.Attempt, Reference: p.Reference, Method: p.Method, Money: p.Money, BegunAt: p.At, Memo: memo,
	}
}
