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
	// ExpiresIn is the number of milliseconds after which no money is taken; 0: only the
	// lifetime of the code or the page counts.
	ExpiresIn int64 `json:"expires_in,omitzero"`
}

type confirmRequest struct {
	Code string `json:"code"`
}

type refundRequest struct {
	Amount int64 `json:"amount"`
}

// paymentAnswer is also the answer to a refund, with the amount and the number of the refund.
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

// codeSent returns the step in which a code is wanted; false where it is another one.
func (n nextStep) codeSent() (acquirer.CodeSent, bool) {
	validFor := time.Duration(n.ValidFor) * time.Second
	sent := acquirer.CodeSent{SentTo: n.SentTo, Digits: n.Digits, ValidFor: validFor}
	return sent, n.Kind == "code" && n.Digits > 0
}

const (
	statePending   = "pending"
	statePaid      = "paid"
	stateDeclined  = "declined"
	stateWrongCode = "wrong_code"
)

// money returns the amount that the bank states. An amount or currency that no payment can
// have is an error.
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

// Error codes of the bank.
const (
	errorPaymentNotFound = "payment_not_found"
	errorNoCodeWanted    = "no_code_wanted"
	errorNotPaid         = "payment_not_paid"
	errorRefundRefused   = "refund_refused"
	// errorSecretRefused has no payment id.
	errorSecretRefused = "secret_refused"
)

type notification struct {
	ID string `json:"id"`
}

const (
	headerTimestamp = "Sandbox-Timestamp"
	headerSignature = "Sandbox-Signature"
)
