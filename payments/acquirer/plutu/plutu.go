package plutu

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/exchange"
)

// Name is the provider's name in events and configuration.
const Name = "plutu"

// minAmount is the smallest amount with two decimals, in dirham. Plutu documents no limits.
const minAmount = 10

// Config has Plutu's addresses. URL is required; zero values of the others mean the default in
// brackets.
type Config struct {
	// URL is the address before /v1, e.g. https://api.plutus.ly/api.
	URL string
	// Timeout bounds a whole exchange (40 s). It is long, because a lost answer to Confirm costs a
	// person's time; Plutu's own library waits for ten minutes, proxies in front of the server
	// for one.
	Timeout time.Duration
	// Pages are the addresses of the servers of payment pages (that of URL). If such a page
	// redirects to another server, that one must be among them.
	Pages []string
}

// Provider is Plutu. It is safe for concurrent use.
type Provider struct {
	client  *exchange.Client
	timeout time.Duration
	pages   []string
}

var _ acquirer.Provider = (*Provider)(nil)

// New returns the provider. It connects to nothing yet.
func New(c Config) (*Provider, error) {
	c.Timeout = cmp.Or(c.Timeout, 40*time.Second)
	client, err := exchange.New(c.URL, c.Timeout)
	if err != nil {
		return nil, fmt.Errorf("configure plutu acquirer: %w", err)
	}
	if len(c.Pages) == 0 {
		c.Pages = []string{c.URL}
	}
	return &Provider{client: client, timeout: c.Timeout, pages: acquirer.OriginsOf(c.Pages...)}, nil
}

// Close ends idle connections.
func (p *Provider) Close() { p.client.Close() }

// Name implements acquirer.Provider.
func (*Provider) Name() string { return Name }

// gateways are Plutu's names of the methods, in paths.
var gateways = map[acquirer.Method]string{
	Adfali: "edfali",
	Sadad:  "sadadapi",
	Cards:  "localbankcards",
	TLync:  "tlync",
}

// Capabilities implements acquirer.Provider.
func (p *Provider) Capabilities() []acquirer.Capability {
	base := acquirer.Capability{
		Currency: domain.LYD, Decimals: 2, Min: minAmount, Max: domain.MaxAmount, Timeout: p.timeout,
	}

	adfali := base
	adfali.Method, adfali.Flow, adfali.OnlyConfirmPays, adfali.CodeDigits = Adfali, acquirer.OTP, true, 4
	adfali.Inputs = []acquirer.Input{{Field: acquirer.Phone}}

	sadad := adfali
	sadad.Method, sadad.CodeDigits = Sadad, 6
	sadad.Inputs = []acquirer.Input{
		{Field: acquirer.Phone, Prefixes: []string{"091", "093"}},
		{Field: acquirer.BirthYear, From: 1940, MinAge: 12},
	}

	cards := base
	cards.Method, cards.Flow, cards.SignedReturn, cards.Pages = Cards, acquirer.Redirect, true, p.pages

	tlync := base
	tlync.Method, tlync.Flow, tlync.Pages = TLync, acquirer.Redirect, p.pages
	tlync.Notifications, tlync.SignedNotification = true, true
	tlync.Inputs = []acquirer.Input{{Field: acquirer.Phone}}

	return []acquirer.Capability{adfali, sadad, cards, tlync}
}

// Open implements acquirer.Provider.
func (p *Provider) Open(text []byte) (acquirer.Acquirer, error) {
	s, err := readSettings(text)
	if err != nil {
		return nil, err
	}
	a := &account{client: p.client, settings: s, all: p.Capabilities()}
	if s.Methods == nil {
		a.capabilities = a.all
	}
	for _, m := range s.Methods {
		c, known := acquirer.CapabilityOf(p, m)
		if !known {
			return nil, &acquirer.SettingsError{Setting: "methods", Problem: "names a method that Plutu does not have"}
		}
		if _, twice := acquirer.CapabilityOf(a, m); twice {
			return nil, &acquirer.SettingsError{Setting: "methods", Problem: "names a method twice"}
		}
		a.capabilities = append(a.capabilities, c)
	}
	return a, nil
}

// account is a merchant's account with Plutu.
type account struct {
	client       *exchange.Client
	settings     settings
	all          []acquirer.Capability // of the provider: payments may be of any
	capabilities []acquirer.Capability
}

var _ acquirer.Acquirer = (*account)(nil)

// Name implements acquirer.Acquirer.
func (*account) Name() string { return Name }

// Capabilities implements acquirer.Acquirer.
func (a *account) Capabilities() []acquirer.Capability { return slices.Clone(a.capabilities) }
