package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/exchange"
)

// Name is the acquirer's name in events and configuration.
const Name = "sandbox"

// Config has the sandbox's address. URL and Secret are required; zero values of the others
// mean the default in brackets.
type Config struct {
	URL     string        // of the sandbox, e.g. http://127.0.0.1:8090
	Secret  string        // shared with it
	Timeout time.Duration // of a whole exchange (10 s)
	// Now is the clock for the age of notifications (time.Now). It must be the wall clock: with
	// a clock that is shifted to test expiry, every notification would be too old.
	Now func() time.Time
}

// Sandbox is an acquirer.Acquirer.
type Sandbox struct {
	secret string
	client *exchange.Client
	now    func() time.Time
}

var _ acquirer.Acquirer = (*Sandbox)(nil)

// New returns the adapter. It connects to nothing yet; the error names everything
// that is wrong with the configuration at once.
func New(c Config) (*Sandbox, error) {
	var wrong []error
	client, err := exchange.New(c.URL, c.Timeout)
	if err != nil {
		wrong = append(wrong, err)
	}
	if c.Secret == "" {
		wrong = append(wrong, errors.New("secret is empty"))
	}
	if len(wrong) > 0 {
		return nil, fmt.Errorf("configure sandbox acquirer: %w", errors.Join(wrong...))
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Sandbox{secret: c.Secret, now: c.Now, client: client}, nil
}

// Close ends idle connections.
func (s *Sandbox) Close() { s.client.Close() }

// Name implements acquirer.Acquirer.
func (*Sandbox) Name() string { return Name }

// Capabilities implements acquirer.Acquirer.
func (s *Sandbox) Capabilities() []acquirer.Capability {
	wallet := acquirer.Capability{
		Method: Wallet, Flow: acquirer.OTP, Currency: domain.LYD, Decimals: domain.LYD.Exponent(),
		Min: domain.MinAmount, Max: domain.MaxAmount, Inputs: []acquirer.Input{{Field: acquirer.Phone}},
		Inquiry: true, Notifications: true, KeepsDeadline: true, Resend: true, Cancel: true,
		Refund: true,
	}
	card := wallet
	card.Method, card.Flow, card.Resend, card.Inputs = Card, acquirer.Redirect, false, nil
	card.Pages = acquirer.OriginsOf(s.client.Base()) // the bank serves its page itself
	return []acquirer.Capability{wallet, card}
}

// Begin implements acquirer.Acquirer.
func (s *Sandbox) Begin(ctx context.Context, p acquirer.Payment) (acquirer.Begun, error) {
	if err := s.checkPayment(p); err != nil {
		return nil, fmt.Errorf("begin payment: %w: %w", acquirer.ErrNotSent, err)
	}
	request := openRequest{
		ID:          string(p.Attempt),
		Intent:      p.Intent.String(),
		Method:      string(p.Method),
		Amount:      p.Money.Minor,
		Currency:    string(p.Money.Currency),
		Phone:       p.Inputs[acquirer.Phone],
		Description: p.Description,
		Language:    p.Language,
		ReturnURL:   p.ReturnURL,
		NotifyURL:   p.NotifyURL,
		ExpiresIn:   p.TimeLeft.Milliseconds(),
	}
	read := func(r response) (acquirer.Begun, error) { return readBegun(r, p) }
	return ask(ctx, s, "begin payment", http.MethodPost, "/v1/payments", request, read)
}

// Confirm implements acquirer.Acquirer.
func (s *Sandbox) Confirm(
	ctx context.Context, r acquirer.Ref, code acquirer.Code,
) (acquirer.Confirmed, error) {
	return askAbout(ctx, s, "confirm payment", http.MethodPost, r.Attempt, "/confirm",
		confirmRequest{Code: string(code)}, readConfirmed)
}

// Resend implements acquirer.Acquirer.
func (s *Sandbox) Resend(ctx context.Context, r acquirer.Ref) (acquirer.CodeSent, error) {
	return askAbout(ctx, s, "resend code", http.MethodPost, r.Attempt, "/resend", nil, readResent)
}

// Cancel implements acquirer.Acquirer.
func (s *Sandbox) Cancel(ctx context.Context, r acquirer.Ref) (acquirer.Report, error) {
	return askAbout(ctx, s, "cancel payment", http.MethodPost, r.Attempt, "/cancel", nil, readReport)
}

// Inquire implements acquirer.Acquirer.
func (s *Sandbox) Inquire(ctx context.Context, r acquirer.Ref) (acquirer.Report, error) {
	return askAbout(ctx, s, "inquire payment", http.MethodGet, r.Attempt, "", nil, readReport)
}

// Check implements acquirer.Acquirer: the secret is right where the sandbox answers that it
// knows no such payment.
func (s *Sandbox) Check(ctx context.Context, _ []acquirer.Method) error {
	const unused = domain.AttemptID("0000000000000000000000000")
	read := func(r response) (none struct{}, err error) {
		if !r.isProblem(http.StatusNotFound, errorPaymentNotFound, unused) {
			return none, fmt.Errorf("answer has the status %d", r.Status)
		}
		return none, nil
	}
	_, err := ask(ctx, s, "check", http.MethodGet, "/v1/payments/"+string(unused), nil, read)
	return err
}

func (s *Sandbox) checkPayment(p acquirer.Payment) error {
	if !isAttempt(p.Attempt) {
		return errors.New("attempt id is not 10 to 36 ASCII letters and digits")
	}
	for _, c := range s.Capabilities() {
		if c.Method == p.Method && c.Carries(p.Money) {
			return nil
		}
	}
	return fmt.Errorf("no method %q for %s", p.Method, p.Money)
}

func readBegun(res response, p acquirer.Payment) (acquirer.Begun, error) {
	answer, err := res.payment(p.Attempt, http.StatusCreated, http.StatusOK, http.StatusUnprocessableEntity)
	if err != nil {
		return nil, err
	}
	if answer.Amount != p.Money.Minor || answer.Currency != string(p.Money.Currency) ||
		answer.Intent != p.Intent.String() {
		return nil, errors.New("answer is about another amount or intent")
	}
	if answer.State == stateDeclined {
		return acquirer.BeginDeclined{Reason: acquirer.ParseReason(answer.Reason)}, nil
	}
	open := answer.State == statePending || answer.State == statePaid
	if res.Status == http.StatusUnprocessableEntity || !open {
		return nil, fmt.Errorf("answer %d has the state %q", res.Status, answer.State)
	}
	sent, ok := answer.Next.codeSent()
	switch {
	case p.Method == Wallet && ok:
		return sent, nil
	case p.Method == Card && answer.Next.Kind == "page" && exchange.IsWebURL(answer.Next.URL):
		return acquirer.Redirected{URL: answer.Next.URL}, nil
	}
	return nil, fmt.Errorf("answer has no next step for method %q", p.Method)
}

func readConfirmed(res response, attempt domain.AttemptID) (acquirer.Confirmed, error) {
	answer, err := res.payment(attempt, http.StatusOK, http.StatusAccepted)
	if err != nil {
		return nil, err
	}
	if (res.Status == http.StatusAccepted) != (answer.State == statePending) {
		return nil, fmt.Errorf("answer %d has the state %q", res.Status, answer.State)
	}
	switch answer.State {
	case statePending:
		return nil, acquirer.ErrUndecided
	case statePaid:
		money, err := answer.money()
		return acquirer.Paid{Money: money, ProviderReference: answer.Reference}, err
	case stateDeclined:
		return acquirer.Declined{Reason: acquirer.ParseReason(answer.Reason)}, nil
	case stateWrongCode:
		if answer.TriesLeft < 1 {
			return nil, errors.New("wrong code leaves no tries, and the payment is not declined")
		}
		return acquirer.WrongCode{TriesLeft: answer.TriesLeft}, nil
	}
	return nil, fmt.Errorf("answer has the unknown state %q", answer.State)
}

func readResent(res response, attempt domain.AttemptID) (acquirer.CodeSent, error) {
	if res.isProblem(http.StatusConflict, errorNoCodeWanted, attempt) {
		return acquirer.CodeSent{}, acquirer.ErrNoCodeWanted
	}
	answer, err := res.payment(attempt, http.StatusOK)
	if err != nil {
		return acquirer.CodeSent{}, err
	}
	sent, ok := answer.Next.codeSent()
	if answer.State != statePending || !ok {
		return acquirer.CodeSent{}, errors.New("answer has no new code")
	}
	return sent, nil
}

func readReport(res response, attempt domain.AttemptID) (acquirer.Report, error) {
	if res.isProblem(http.StatusNotFound, errorPaymentNotFound, attempt) {
		return acquirer.Report{State: acquirer.StateNotFound, Reference: string(attempt)}, nil
	}
	answer, err := res.payment(attempt, http.StatusOK)
	if err != nil {
		return acquirer.Report{}, err
	}
	money, err := answer.money()
	if err != nil {
		return acquirer.Report{}, err
	}
	report := acquirer.Report{Reference: string(attempt), Money: money, ProviderReference: answer.Reference}
	switch answer.State {
	case statePending:
		report.State = acquirer.StatePending
	case statePaid:
		report.State = acquirer.StatePaid
	case stateDeclined:
		report.State, report.Reason = acquirer.StateDeclined, acquirer.ParseReason(answer.Reason)
	default:
		return acquirer.Report{}, fmt.Errorf("answer has the unknown state %q", answer.State)
	}
	return report, nil
}

// attemptForm matches ids that are safe in a path.
var attemptForm = regexp.MustCompile(`^[0-9A-Za-z]{10,36}$`)

func isAttempt(id domain.AttemptID) bool { return attemptForm.MatchString(string(id)) }
