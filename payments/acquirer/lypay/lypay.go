package lypay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/exchange"
	"daftar/payments/acquirer/lypay/numo"
)

// Name is the provider's name in events and configuration.
const Name = "lypay"

// Method is its only method.
const Method acquirer.Method = "lypay"

const (
	referenceLength = 25               // of a value in NUMO's codes, as their encoders have it
	inquiryLimit    = 30 * time.Second // an inquiry may need several requests
	leastPause      = 5 * time.Second  // a key has 300 requests a minute for all payments
)

// Config has the address of the bank's endpoint. URL is required; zero values of the others
// mean the default in brackets.
type Config struct {
	URL     string           // in front of /api/v1
	Timeout time.Duration    // of one exchange (10 s)
	Now     func() time.Time // gives the day of the lists of credits (time.Now)
}

// Provider is an acquirer.Provider.
type Provider struct {
	client *exchange.Client
	now    func() time.Time
}

var _ acquirer.Provider = (*Provider)(nil)

// New returns the provider. It connects to nothing yet.
func New(c Config) (*Provider, error) {
	client, err := exchange.New(c.URL, c.Timeout)
	if err != nil {
		return nil, fmt.Errorf("configure LYPay: %w", err)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Provider{client: client, now: c.Now}, nil
}

// Close ends idle connections.
func (p *Provider) Close() { p.client.Close() }

// Name implements acquirer.Provider.
func (*Provider) Name() string { return Name }

// Capabilities implements acquirer.Provider.
func (*Provider) Capabilities() []acquirer.Capability {
	return []acquirer.Capability{{
		Method: Method, Flow: acquirer.QR, Currency: domain.LYD, Decimals: domain.LYD.Exponent(),
		Min: domain.MinAmount, Max: domain.MaxAmount, ReferenceLength: referenceLength,
		Inquiry: true, Notifications: true, PaidRepeatedly: true, Refund: true,
		Timeout: inquiryLimit, LeastPause: leastPause,
	}}
}

// Open implements acquirer.Provider.
func (p *Provider) Open(text []byte) (acquirer.Acquirer, error) {
	s, err := readSettings(text)
	if err != nil {
		return nil, err
	}
	return &account{Provider: p, settings: s}, nil
}

// account is an acquirer.Acquirer.
type account struct {
	*Provider
	settings settings
}

// Begin implements acquirer.Acquirer. It makes no call.
func (a *account) Begin(_ context.Context, p acquirer.Payment) (acquirer.Begun, error) {
	c, ok := acquirer.CapabilityOf(a, p.Method)
	if !ok || !c.Carries(p.Money) || !isReference(p.Reference) {
		return nil, fmt.Errorf("begin payment: %w: method, amount or reference does not fit", acquirer.ErrNotSent)
	}
	code := numo.Code{
		Dynamic:           true,
		Name:              a.settings.MerchantName,
		Schema:            "IBAN",
		Account:           a.settings.IBAN,
		BankCode:          a.settings.BankCode,
		BankName:          a.settings.BankName,
		MerchantReference: p.Reference,
		Amount:            p.Money.Minor,
		Merchant:          a.settings.MerchantName,
		City:              a.settings.MerchantCity,
		BillNumber:        p.Reference,
		ReferenceLabel:    p.Reference,
	}
	if a.settings.OmitTag51 {
		code.MerchantReference = ""
	}
	payload, err := code.Encode(a.settings.CRC)
	if err != nil {
		return nil, fmt.Errorf("begin payment: %w: %w", acquirer.ErrNotSent, err)
	}
	return acquirer.Presented{Payload: payload}, nil
}

// Confirm implements acquirer.Acquirer: the payer's bank asks for a code, not the server.
func (*account) Confirm(context.Context, acquirer.Ref, acquirer.Code) (acquirer.Confirmed, error) {
	return nil, fmt.Errorf("confirm payment: %w: LYPay wants no code of us", acquirer.ErrNotSent)
}

// Resend implements acquirer.Acquirer.
func (*account) Resend(context.Context, acquirer.Ref) (acquirer.CodeSent, error) {
	return acquirer.CodeSent{}, fmt.Errorf("resend code: %w: LYPay wants no code of us", acquirer.ErrNotSent)
}

// Cancel implements acquirer.Acquirer: a QR code cannot be taken back.
func (*account) Cancel(context.Context, acquirer.Ref) (acquirer.Report, error) {
	return acquirer.Report{},
		fmt.Errorf("cancel payment: %w: a QR code cannot be taken back", acquirer.ErrNotSent)
}

// Check implements acquirer.Acquirer: it asks for the list of banks.
func (a *account) Check(ctx context.Context, _ []acquirer.Method) error {
	answer, err := a.ask(ctx, exchange.Request{Method: http.MethodGet, Path: "/api/v1/miscs/institutions"})
	if err != nil {
		return fmt.Errorf("check account: %w", err)
	}
	// The list's form is not documented.
	if answer.Status != http.StatusOK || !jsontext.Value(answer.Body).IsValid() || isRefusal(answer) {
		return fmt.Errorf("check account: %w", unexpected(answer))
	}
	return nil
}

// errManyRequests: the limit of requests, which all payments of a token share, is reached.
var errManyRequests = errors.New("too many requests in this minute")

// ask sends a request with the account's token. The error wraps acquirer.ErrAccount where the
// API itself refuses the token.
func (a *account) ask(ctx context.Context, r exchange.Request) (exchange.Answer, error) {
	r.Header = map[string]string{"Authorization": "Bearer " + a.settings.Token}
	answer, err := a.client.Do(ctx, r)
	switch {
	case err != nil:
		return exchange.Answer{}, err
	case answer.Status == http.StatusUnauthorized && isRefusal(answer):
		return exchange.Answer{}, fmt.Errorf("%w: its token is not accepted", acquirer.ErrAccount)
	case answer.Status == http.StatusTooManyRequests:
		return exchange.Answer{}, errManyRequests
	}
	return answer, nil
}

// unexpected is the error for an unknown answer. It has only the status: a body may name people.
func unexpected(a exchange.Answer) error {
	return fmt.Errorf("answer %d is not one that is known", a.Status)
}

var referenceForm = regexp.MustCompile(`^[0-9A-Za-z]{1,25}$`)

func isReference(s string) bool { return referenceForm.MatchString(s) }
