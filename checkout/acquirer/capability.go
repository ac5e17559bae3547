package acquirer

import (
	"time"

	"daftar/domain"
)

// Method is how the payer pays. Its value is stored in events and is the value
// of the form field `method`.
type Method string

// The methods.
const (
	Wallet Method = "wallet"
	Card   Method = "card"
)

// Flow is how the payer proves that the money is theirs.
type Flow string

const (
	// OTP asks for a code on our page; Begin answers CodeSent.
	OTP Flow = "otp"
	// Redirect sends the payer to the acquirer's page; Begin answers Redirected.
	Redirect Flow = "redirect"
)

// Capability is what an acquirer can do for one method.
type Capability struct {
	Method   Method
	Flow     Flow
	Currency domain.Currency
	// Decimals is how many digits after the point the acquirer can express. Many
	// Libyan rails take two, although the dinar has three.
	Decimals int
	// Min and Max bound one payment, in minor units, both ends included.
	Min, Max int64
	// Inquiry says that the acquirer can be asked how a payment went.
	Inquiry bool
	// Notifications says that the acquirer pushes a message when a payment is decided.
	Notifications bool
	// Resend says that a code can be sent again.
	Resend bool
	// Cancel says that an open payment can be given up.
	Cancel bool
	// Timeout is how long one question to the acquirer may take; 0 leaves it to the
	// checkout.
	Timeout time.Duration
}

// Carries reports whether the method can take exactly this amount. The checkout
// hides a method that cannot: an amount is never rounded to make it fit.
func (c Capability) Carries(m domain.Money) bool {
	if m.Currency != c.Currency || m.Minor <= 0 || m.Minor < c.Min || m.Minor > c.Max {
		return false
	}
	step := int64(1)
	for range m.Currency.Exponent() - c.Decimals {
		step *= 10
	}
	return m.Minor%step == 0
}
