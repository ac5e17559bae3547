package moamalat

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/exchange"
)

// Name is the acquirer's name in events and configuration.
const Name = "moamalat"

// Method is its only method.
const Method acquirer.Method = "moamalat"

// Config has the gateway's addresses. URL is required; zero values of the others mean the
// default in brackets.
type Config struct {
	URL         string           // of the API, e.g. https://npg.moamalat.net
	LightboxURL string           // from which browsers load the form, e.g. https://npg.moamalat.net:6006 (URL)
	Timeout     time.Duration    // of a whole exchange (10 s)
	Now         func() time.Time // dates requests (time.Now)
}

// Provider is an acquirer.Provider.
type Provider struct {
	client   *exchange.Client
	lightbox string
	dates    dates
}

// Account is an acquirer.Acquirer: one terminal of one merchant.
type Account struct {
	provider        *Provider
	merchant        string
	terminal        string
	key             []byte
	notificationKey []byte
}

var (
	_ acquirer.Provider = (*Provider)(nil)
	_ acquirer.Acquirer = (*Account)(nil)
)

// New returns the provider. It connects to nothing yet.
func New(c Config) (*Provider, error) {
	client, err := exchange.New(c.URL, c.Timeout)
	if err != nil {
		return nil, fmt.Errorf("configure Moamalat: %w", err)
	}
	lightbox := client.Base()
	if c.LightboxURL != "" {
		// Only to check the address.
		script, err := exchange.New(c.LightboxURL, 0)
		if err != nil {
			return nil, fmt.Errorf("configure Moamalat: lightbox: %w", err)
		}
		lightbox = script.Base()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Provider{client: client, lightbox: lightbox, dates: dates{now: c.Now}}, nil
}

// Close ends idle connections.
func (p *Provider) Close() { p.client.Close() }

// Name implements acquirer.Provider.
func (*Provider) Name() string { return Name }

// Capabilities implements acquirer.Provider.
func (*Provider) Capabilities() []acquirer.Capability {
	return []acquirer.Capability{{
		Method: Method, Flow: acquirer.Lightbox, Currency: domain.LYD, Decimals: domain.LYD.Exponent(),
		Min: domain.MinAmount, Max: domain.MaxAmount,
		Inquiry: true, Notifications: true, Refund: true,
		// It is not documented that the gateway refuses a second sale under one reference: two
		// tabs may show the form, and both may be paid.
		PaidRepeatedly: true,
	}}
}

// settings are those of docs/acquirers.md.
type settings struct {
	MerchantID      string `json:"merchant_id"`
	TerminalID      string `json:"terminal_id"`
	SecureKey       string `json:"secure_key"`
	NotificationKey string `json:"notification_key"`
}

// The forms of the gateway's documentation. Letters are allowed although all known numbers are
// digits. Characters that would change the text that is signed are not.
var (
	merchantForm  = regexp.MustCompile(`^[0-9A-Za-z]{1,18}$`)
	terminalForm  = regexp.MustCompile(`^[0-9A-Za-z]{1,8}$`)
	referenceForm = regexp.MustCompile(`^[0-9A-Za-z-]{10,36}$`)
)

// Open implements acquirer.Provider.
func (p *Provider) Open(raw []byte) (acquirer.Acquirer, error) {
	var s settings
	if err := acquirer.DecodeSettings(raw, &s); err != nil {
		return nil, err
	}
	a := &Account{provider: p, merchant: s.MerchantID, terminal: s.TerminalID}
	for _, number := range []struct {
		setting, value, problem string
		form                    *regexp.Regexp
	}{
		{"merchant_id", s.MerchantID, "is not 1 to 18 letters and digits", merchantForm},
		{"terminal_id", s.TerminalID, "is not 1 to 8 letters and digits", terminalForm},
	} {
		if number.value == "" {
			return nil, &acquirer.SettingsError{Setting: number.setting, Problem: "is missing"}
		}
		if !number.form.MatchString(number.value) {
			return nil, &acquirer.SettingsError{Setting: number.setting, Problem: number.problem}
		}
	}
	var err error
	if a.key, err = parseKey("secure_key", s.SecureKey); err != nil {
		return nil, err
	}
	if a.notificationKey, err = parseKey("notification_key", s.NotificationKey); err != nil {
		return nil, err
	}
	return a, nil
}

// Name implements acquirer.Acquirer.
func (*Account) Name() string { return Name }

// Capabilities implements acquirer.Acquirer.
func (a *Account) Capabilities() []acquirer.Capability { return a.provider.Capabilities() }

// Begin implements acquirer.Acquirer. It makes no call, so every error is ErrNotSent.
func (a *Account) Begin(_ context.Context, p acquirer.Payment) (acquirer.Begun, error) {
	if err := a.checkPayment(p); err != nil {
		return nil, fmt.Errorf("begin payment: %w: %w", acquirer.ErrNotSent, err)
	}
	amount, date := strconv.FormatInt(p.Money.Minor, 10), p.At.In(tripoli).Format(minuteForm)
	encoded, err := json.Marshal(configuration{
		MID:               a.merchant,
		TID:               a.terminal,
		AmountTrxn:        p.Money.Minor,
		MerchantReference: p.Reference,
		TrxDateTime:       date,
		SecureHash: hashOf(a.key, map[string]string{
			"Amount": amount, "DateTimeLocalTrxn": date, "MerchantId": a.merchant,
			"MerchantReference": p.Reference, "TerminalId": a.terminal,
		}),
	})
	if err != nil {
		return nil, fmt.Errorf("begin payment: %w: encode configuration: %w", acquirer.ErrNotSent, err)
	}
	return acquirer.Embedded{ScriptURL: a.provider.lightbox + scriptPath, Configuration: string(encoded)}, nil
}

func (a *Account) checkPayment(p acquirer.Payment) error {
	if !referenceForm.MatchString(p.Reference) {
		return errors.New("reference is not 10 to 36 ASCII letters and digits")
	}
	if c, ok := acquirer.CapabilityOf(a, p.Method); !ok || !c.Carries(p.Money) {
		return fmt.Errorf("no method %q for %s", p.Method, p.Money)
	}
	return nil
}

// Confirm implements acquirer.Acquirer. The payer types the code in the gateway's form.
func (*Account) Confirm(context.Context, acquirer.Ref, acquirer.Code) (acquirer.Confirmed, error) {
	return nil, fmt.Errorf("confirm payment: %w: the lightbox takes the code", acquirer.ErrNotSent)
}

// Resend implements acquirer.Acquirer.
func (*Account) Resend(context.Context, acquirer.Ref) (acquirer.CodeSent, error) {
	return acquirer.CodeSent{}, fmt.Errorf("resend code: %w", acquirer.ErrNoCodeWanted)
}

// Cancel implements acquirer.Acquirer. The gateway has no call to close a form.
func (*Account) Cancel(context.Context, acquirer.Ref) (acquirer.Report, error) {
	return acquirer.Report{}, fmt.Errorf("cancel payment: %w: the gateway gives nothing up", acquirer.ErrNotSent)
}
