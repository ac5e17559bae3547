package attempt

import (
	"strings"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer"
)

// Stage is the state of an attempt in this state machine. The names are stored.
type Stage string

// The stages; the package's documentation explains them.
const (
	Beginning   Stage = "beginning"
	Code        Stage = "code"
	Bank        Stage = "bank"
	Asking      Stage = "asking"
	Ending      Stage = "ending"
	Closed      Stage = "closed"
	Quarantined Stage = "quarantined"
)

// Limits of a payer's requests for one attempt.
const (
	CodesPerWindow = 5 // codes that are handed over within a CodesWindow
	CodesWindow    = time.Minute
	ResendEvery    = 30 * time.Second
)

// Attempt is a payment attempt as the row in checkout_attempts has it.
type Attempt struct {
	ID        domain.AttemptID
	Intent    domain.IntentID
	Acquirer  string
	Method    acquirer.Method
	Language  string // of the payer: ar or en
	Payer     string // masked; empty where the method has none
	CreatedAt time.Time

	Stage Stage
	Since time.Time // of the stage; the schedule of inquiries counts from here

	SentTo     string // where the code went, masked
	Digits     int    // of the code; 0 where the acquirer does not say
	CodeUntil  *time.Time
	CodeSentAt *time.Time // a code was sent, or is being sent
	ResentAt   *time.Time // the acquirer said that it sent a new one
	TriesLeft  int        // after a wrong code; 0 before the first
	Codes      int        // handed over since CodesSince
	CodesSince *time.Time

	// Where the payer continues in stage Bank: see PayerFlow.
	BankURL   string
	Presented string
	Memo      string // what the acquirer's adapter asked to remember

	AskAt     *time.Time // when the acquirer is asked next; nil: not until a hint
	BusyUntil *time.Time // end of the claim: until then a server may be talking to the acquirer
	Asked     int        // how often the acquirer was asked
	AskedAt   *time.Time
	Trouble   string // why an operator must look

	// CountedFor has the digests of the number, the intent and the networks for which the
	// attempt's messages and codes count; none where the method needs no code, and after the end.
	CountedFor [][]byte

	// Version counts the changes of the stored attempt.
	Version int64
}

// New returns an attempt that is about to be recorded in the ledger. If its caller crashes,
// the acquirer is asked at until.
func New(
	id domain.AttemptID, intent domain.IntentID, by string, m acquirer.Method, payer, language string,
	now, until time.Time,
) Attempt {
	return Attempt{
		ID: id, Intent: intent, Acquirer: by, Method: m, Payer: payer, Language: language, CreatedAt: now,
		Stage: Beginning, Since: now, AskAt: &until, BusyUntil: &until,
	}
}

// Recovered returns an attempt whose row was lost, from the ledger. The acquirer is asked
// at once.
func Recovered(of domain.Attempt, intent domain.IntentID, language string, now time.Time) Attempt {
	return Attempt{
		ID: of.ID, Intent: intent, Acquirer: of.Acquirer, Method: acquirer.Method(of.Method),
		Payer: of.Payer, Language: language, CreatedAt: of.StartedAt,
		Stage: Asking, Since: of.StartedAt, AskAt: &now, BusyUntil: &now,
	}
}

// PayerFlow is how the payer pays in stage Bank: on the page at BankURL, with the script
// at BankURL that is configured by Presented, or with the QR code of Presented.
func (a Attempt) PayerFlow() acquirer.Flow {
	switch {
	case a.Presented == "":
		return acquirer.Redirect
	case a.BankURL == "":
		return acquirer.QR
	}
	return acquirer.Lightbox
}

// Ref is how the acquirer's calls name the payment.
func (a Attempt) Ref(c acquirer.Capability, m domain.Money) acquirer.Ref {
	return acquirer.Ref{
		Attempt: a.ID, Reference: c.ReferenceOf(a.ID), Method: a.Method, Money: m,
		BegunAt: a.CreatedAt, Memo: a.Memo,
	}
}

// minReferenceLength is how many characters of an attempt's id are certainly unique: 100 bits.
const minReferenceLength = 20

// hasReference reports whether an acquirer's reference is that of the attempt.
func (a Attempt) hasReference(reference string) bool {
	return len(reference) >= minReferenceLength && strings.HasPrefix(string(a.ID), reference)
}

// Usage is how many text messages and codes go to an acquirer. Negative ones are
// given back.
type Usage struct{ Messages, Codes int }

// UsageOf returns what a report adds. A request is counted with its claim and stays counted,
// unless it is certain that the acquirer has not seen it, or the attempt has paid.
func UsageOf(r Report) Usage {
	switch r := r.(type) {
	case CallBegin, Resend:
		return Usage{Messages: 1}
	case EnterCode:
		return Usage{Codes: 1}
	case CodeNotSent:
		return Usage{Messages: -1}
	case CodeNotTried:
		return Usage{Codes: -1}
	case Settled:
		return r.Usage
	}
	return Usage{}
}

// NoCodeFor returns how long no code is taken: whole seconds, 0 where one is taken now.
func (a Attempt) NoCodeFor(now time.Time) time.Duration {
	if a.CodesSince == nil || a.Codes < CodesPerWindow {
		return 0
	}
	return wholeSeconds(a.CodesSince.Add(CodesWindow).Sub(now))
}

// NoResendFor returns how long no new code is sent: whole seconds, 0 where one is sent now.
func (a Attempt) NoResendFor(now time.Time) time.Duration {
	if a.CodeSentAt == nil {
		return 0
	}
	return wholeSeconds(a.CodeSentAt.Add(ResendEvery).Sub(now))
}

// wholeSeconds rounds up, so that a payer who waits that long is not too early.
func wholeSeconds(d time.Duration) time.Duration {
	return max(0, (d + time.Second - 1).Truncate(time.Second))
}
