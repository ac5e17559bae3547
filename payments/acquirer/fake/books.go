package fake

import (
	"slices"
	"strings"
	"sync"
)

// State is the state of a payment.
type State string

// The states.
const (
	Open     State = "open"
	Paid     State = "paid"
	Declined State = "declined"
)

// Payment is an entry of the books.
type Payment struct {
	Reference string `json:"reference"` // the merchant's
	Method    string `json:"method"`
	Amount    int64  `json:"amount"` // that was taken, or is to be, in dirham
	Currency  string `json:"currency"`
	State     State  `json:"state"`
	Taken     int    `json:"taken"`    // how often
	Refunded  int64  `json:"refunded"` // in dirham
}

// Books are all payments. The zero value is empty and ready; it is safe for concurrent
// use.
type Books struct {
	mu       sync.Mutex
	payments map[string]Payment
}

// Update changes the payment under the reference and returns the result. change gets a new open
// Payment where there is none, and returns false to leave everything as it was.
func (b *Books) Update(reference string, change func(*Payment) bool) (Payment, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, found := b.payments[reference]
	if !found {
		p = Payment{Reference: reference, Currency: "LYD", State: Open}
	}
	before := p
	if !change(&p) {
		return before, false
	}
	if b.payments == nil {
		b.payments = make(map[string]Payment)
	}
	b.payments[reference] = p
	return p, true
}

// Find returns the payment under the reference, if there is one.
func (b *Books) Find(reference string) (Payment, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, found := b.payments[reference]
	return p, found
}

// All returns all payments, ordered by reference.
func (b *Books) All() []Payment {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]Payment, 0, len(b.payments))
	for _, p := range b.payments {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, c Payment) int { return strings.Compare(a.Reference, c.Reference) })
	return all
}
