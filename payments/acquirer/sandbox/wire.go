package sandbox

import (
	"fmt"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer"
)

// The sandbox's protocol, as its documentation gives it. Fields that the adapter
// does not need are not read, and new ones may appear.

type openRequest struct {
	ID          string `json:"id"`
	Intent      string `json:"intent"`
	Method      string `json:"method"`
	Amount      int64  `json:"amount"`
	Currency    string `json:"currency"`
	Phone       string `json:"phone,omitempty"`
	Description string `json:"description"`
	Language    string `json:"language"`
	ReturnURL   string `json:"return_url"`
	NotifyURL   string `json:"notify_url"`
	// ExpiresIn is after how many milliseconds nothing is taken any more; 0: at the end of
	// the code or the page.
	ExpiresIn int64 `json:"expires_in,omitzero"`
}

type confirmRequest struct {
	Code string `json:"code"`
}

type paymentAnswer struct {
	ID        string   `json:"id"`
	Intent    string   `json:"intent"`
	Amount    int64    `json:"amount"`
	Currency  string   `json:"currency"`
	State     string   `json:"state"`
	Reason    string   `json:"reason"`
	Reference string   `json:"reference"`
	TriesLeft int      `json:"tries_left"`
	Next      nextStep `json:"next"`
}

type nextStep struct {
	Kind     string `json:"kind"`
	SentTo   string `json:"sent_to"`
	Digits   int    `json:"digits"`
	ValidFor int64  `json:"valid_for"`
	URL      string `json:"url"`
}

// codeSent is the step in which a code is wanted; false: it is another one.
func (n nextStep) codeSent() (acquirer.CodeSent, bool) {
	return acquirer.CodeSent{SentTo: n.SentTo, Digits: n.Digits,
			ValidFor: time.Duration(n.ValidFor) * time.Second},
		n.Kind == "code" && n.Digits > 0
}

const (
	statePending   = "pending"
	statePaid      = "paid"
	stateDeclined  = "declined"
	stateWrongCode = "wrong_code"
)

// money is the amount that the bank speaks of. An amount or currency that no
// payment can have is an error: it must not be compared with anything.
func (a paymentAnswer) money() (domain.Money, error) {
	currency, err := domain.ParseCurrency(a.Currency)
	if err != nil {
		return domain.Money{}, fmt.Errorf("read amount: %w", err)
	}
	if a.Amount <= 0 {
		return domain.Money{}, fmt.Errorf("read amount: %d is not positive", a.Amount)
	}
	return domain.Money{Minor: a.Amount, Currency: currency}, nil
}

type problemAnswer struct {
	Error string `json:"error"`
	ID    string `json:"id"`
}

// What the bank says of a payment by error code.
const (
	errorPaymentNotFound = "payment_not_found"
	errorNoCodeWanted    = "no_code_wanted"
	// errorSecretRefused is of no payment.
	errorSecretRefused = "secret_refused"
)

type notification struct {
	ID string `json:"id"`
}

const (
	headerTimestamp = "Sandbox-Timestamp"
	headerSignature = "Sandbox-Signature"
)
