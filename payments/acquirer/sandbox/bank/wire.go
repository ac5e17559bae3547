package bank

import "time"

// openRequest is the body of POST /v1/payments.
type openRequest struct {
	ID          string `json:"id"`
	Intent      string `json:"intent"`
	Method      string `json:"method"`
	Amount      int64  `json:"amount"`
	Currency    string `json:"currency"`
	Phone       string `json:"phone"` // wallet only
	Description string `json:"description"`
	Language    string `json:"language"`   // "ar" (also when empty) or "en"
	ReturnURL   string `json:"return_url"` // required for cards
	NotifyURL   string `json:"notify_url"` // empty: no notifications
	// ExpiresIn is after how many milliseconds nothing is taken any more; 0: at the end of
	// the code or the page.
	ExpiresIn int64 `json:"expires_in,omitzero"`
}

// confirmRequest is the body of POST /v1/payments/{id}/confirm.
type confirmRequest struct {
	Code *string `json:"code"`
}

// refundRequest is the body of POST /v1/payments/{id}/refunds.
type refundRequest struct {
	Amount int64 `json:"amount"`
}

// refundAnswer is money that went back.
type refundAnswer struct {
	ID        string `json:"id"`        // of the payment
	Reference string `json:"reference"` // the bank's own number of the refund
	Amount    int64  `json:"amount"`
	Currency  string `json:"currency"`
}

// settleRequest is the body of POST /control/payments/{id}/settle.
type settleRequest struct {
	Outcome string `json:"outcome"`
}

// paymentAnswer is a payment in answers, lists and notifications.
type paymentAnswer struct {
	ID        string    `json:"id"`
	Intent    string    `json:"intent"`
	Method    string    `json:"method,omitempty"` // in a list
	Amount    int64     `json:"amount"`
	Currency  string    `json:"currency"`
	State     string    `json:"state"`
	Reason    string    `json:"reason,omitempty"`    // declined
	Reference string    `json:"reference,omitempty"` // the bank's own number
	TriesLeft int       `json:"tries_left,omitzero"` // wrong_code
	Next      *nextStep `json:"next,omitempty"`      // what an opened payment waits for
}

// nextStep is what the payer has to do next.
type nextStep struct {
	Kind     string `json:"kind"`               // "code" or "page"
	SentTo   string `json:"sent_to,omitempty"`  // masked number that got the code
	Digits   int    `json:"digits,omitzero"`    // length of the code
	ValidFor int64  `json:"valid_for,omitzero"` // seconds
	URL      string `json:"url,omitempty"`      // of the bank page
}

// stateWrongCode is a state of an answer to a confirmation, never of a payment.
const stateWrongCode = "wrong_code"

// Headers of a notification.
const (
	headerTimestamp = "Sandbox-Timestamp"
	headerSignature = "Sandbox-Signature"
)

// ledgerEntry is an entry of GET /control/ledger: money that was taken.
type ledgerEntry struct {
	Intent   string    `json:"intent"`
	Amount   int64     `json:"amount"`
	Currency string    `json:"currency"`
	TakenAt  time.Time `json:"taken_at"`
}

// refundEntry is an entry of GET /control/refunds: money that went back.
type refundEntry struct {
	Intent     string    `json:"intent"`
	Payment    string    `json:"payment"`
	Reference  string    `json:"reference"`
	Amount     int64     `json:"amount"`
	Currency   string    `json:"currency"`
	RefundedAt time.Time `json:"refunded_at"`
}

// problemAnswer is the body of every error.
type problemAnswer struct {
	Message string `json:"message"`
	Error   string `json:"error,omitempty"` // a stable code where a program has to tell
	ID      string `json:"id,omitempty"`
}

// Codes of the errors that the client distinguishes.
const (
	errorPaymentNotFound = "payment_not_found"
	errorNoCodeWanted    = "no_code_wanted"
	errorSecretRefused   = "secret_refused"
	errorNotPaid         = "payment_not_paid"
	errorRefundRefused   = "refund_refused"
)
