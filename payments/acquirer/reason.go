package acquirer

import "daftar/domain"

// Reason is why no money was taken. All acquirers share these words, which events store
// and pages translate.
type Reason string

const (
	// GenericDecline is a no without further explanation.
	GenericDecline Reason = "declined"
	// InsufficientFunds means that the payer's account does not hold the amount.
	InsufficientFunds Reason = "insufficient_funds"
	// CodeLocked means that too many wrong codes were typed.
	CodeLocked Reason = "code_locked"
	// CodeExpired means that the right code did not come in time.
	CodeExpired Reason = "code_expired"
	// Abandoned means that the payer left the acquirer's page without paying.
	Abandoned Reason = "abandoned"
	// PhoneRefused means that the number has no wallet at this acquirer.
	PhoneRefused Reason = "phone_refused"
	// DetailsRefused means that the number and the other things that the payer filled in, such
	// as a birth year, do not belong together. The acquirer does not say which is wrong.
	DetailsRefused Reason = "details_refused"
	// AmountRefused means that the acquirer does not take this amount.
	AmountRefused Reason = "amount_refused"
	// TimedOut means that the acquirer ended the payment without taking the money.
	TimedOut Reason = "timed_out"
	// Unreachable means that the request never reached the acquirer.
	Unreachable Reason = "unreachable"
	// AccountRefused means that the acquirer does not accept the merchant's account.
	AccountRefused Reason = "account_refused"
	// TooManyCodes means that the limit of codes was reached before the request was
	// sent. No acquirer says it.
	TooManyCodes Reason = "too_many_codes"
	// Expired means that the acquirer had not taken the money when the time to pay was
	// over. What it takes after that is a late payment.
	Expired Reason = domain.ReasonExpired
	// SettledByOperator means that a person found out that no money was taken. No
	// acquirer says it.
	SettledByOperator Reason = "settled_by_operator"
)

// Reasons lists every reason, for tests that a catalogue translates them all.
func Reasons() []Reason {
	return []Reason{
		GenericDecline, InsufficientFunds, CodeLocked, CodeExpired, Abandoned, PhoneRefused,
		DetailsRefused, AmountRefused, TimedOut, Unreachable, AccountRefused, TooManyCodes,
		Expired, SettledByOperator,
	}
}

// AsksForAnotherWay reports whether the same method would fail again, at least for a while. After
// other reasons the payer has something to correct, or only to repeat.
func (r Reason) AsksForAnotherWay() bool {
	switch r {
	case GenericDecline, InsufficientFunds, AmountRefused, Unreachable, AccountRefused, TooManyCodes:
		return true
	case CodeLocked, CodeExpired, Abandoned, PhoneRefused, DetailsRefused, TimedOut, Expired, SettledByOperator:
	}
	return false
}

// ParseReason maps an acquirer's word to the reason of that name. An unknown word
// becomes GenericDecline: that money was refused matters more than why.
func ParseReason(word string) Reason {
	for _, r := range Reasons() {
		if string(r) == word {
			return r
		}
	}
	return GenericDecline
}
