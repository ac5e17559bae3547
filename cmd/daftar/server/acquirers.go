package server

import (
	"context"
	"slices"
	"strings"

	"daftar/cmd/daftar/config"
	"daftar/internal/web"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/registry"
	"daftar/payments/acquirer/sandbox"
)

// Provider is an acquirer of applications with its addresses: of its API, and of what else
// payers' browsers load.
type Provider struct {
	acquirer.Provider
	URLs []string
}

// Providers are the acquirers with which applications may have accounts.
func Providers(c config.Config) ([]Provider, error) {
	var all []Provider
	for _, a := range registry.WithAccounts() {
		if c.Addresses[a.Variables[0].Name] == "" {
			continue
		}
		opened, err := a.Open(c.Addresses)
		if err != nil {
			return nil, config.Errorf("%w", err)
		}
		var urls []string
		for _, v := range a.Variables {
			if at := c.Addresses[v.Name]; at != "" {
				urls = append(urls, strings.Split(at, ",")...)
			}
		}
		all = append(all, Provider{opened, urls})
	}
	return all, nil
}

// canRefund returns a function that reports whether an acquirer has a call for refunds of a
// method.
func canRefund(providers []Provider, shared []acquirer.Acquirer) func(name, method string) bool {
	known := map[string]interface{ Capabilities() []acquirer.Capability }{}
	for _, p := range providers {
		known[p.Name()] = p
	}
	for _, a := range shared {
		known[a.Name()] = a
	}
	return func(name, method string) bool {
		a, has := known[name]
		if !has {
			return false
		}
		can, has := acquirer.CapabilityOf(a, acquirer.Method(method))
		return has && can.Refund
	}
}

// isReal reports whether real money may move at an address.
func isReal(address string) bool { return !web.IsLocal(address) }

// openAcquirers are the acquirers of all applications and those of their own accounts.
func (s *Server) openAcquirers(
	ctx context.Context, c config.Config,
) (shared []acquirer.Acquirer, usable []acquirer.Provider, err error) {
	if slices.Contains(c.Acquirers, config.Sandbox) {
		a, err := sandbox.New(sandbox.Config{URL: c.SandboxURL, Secret: c.SandboxSecret})
		if err != nil {
			return nil, nil, config.Errorf("%w", err)
		}
		shared = append(shared, a)
		whose := "test applications alone"
		if web.IsLocal(c.PublicURL) {
			whose = "all applications, because DAFTAR_PUBLIC_URL is on this machine"
		}
		s.log.Info().Msg("the sandbox is offered to " + whose)
	}
	all, err := Providers(c)
	if err != nil {
		return nil, nil, err
	}
	s.canRefund = canRefund(all, shared)
	used, err := s.settings.AcquirersInUse(ctx)
	if err != nil {
		return nil, nil, err
	}
	if len(shared)+len(used) == 0 {
		s.log.Warn().Msg("no application has an account with an acquirer: " +
			"the checkout offers no payment method (daftar acquirer set)")
	}
	if warning := SandboxWarning(c, all, used); warning != "" {
		s.log.Warn().Msg(warning)
	}
	usable, err = usableProviders(c, all, used)
	return shared, usable, err
}

// SandboxWarning names the acquirers in use that move real money while the sandbox pays orders of
// all applications without any, on a developer's machine; empty where there are none.
func SandboxWarning(c config.Config, all []Provider, used []string) string {
	if !web.IsLocal(c.PublicURL) {
		return "" // live applications are not offered the sandbox
	}
	var paying []string
	for _, p := range all {
		if slices.Contains(c.Acquirers, config.Sandbox) && slices.ContainsFunc(p.URLs, isReal) &&
			slices.Contains(used, p.Name()) {
			paying = append(paying, p.Name())
		}
	}
	if len(paying) == 0 {
		return ""
	}
	return "THE SANDBOX PAYS ORDERS WITHOUT MONEY NEXT TO A REAL ACQUIRER (" +
		strings.Join(paying, ", ") + "; DAFTAR_ACQUIRERS): never where shops deliver"
}

// usableProviders are those that the checkout may use. With a shifted clock those with real
// money are left out: intents would expire too early or too late. It is an error if an
// application has an account with one of these.
func usableProviders(c config.Config, all []Provider, used []string) ([]acquirer.Provider, error) {
	var usable []acquirer.Provider
	for _, p := range all {
		realAt := slices.IndexFunc(p.URLs, isReal)
		switch {
		case c.ClockOffset == 0 || realAt < 0:
			usable = append(usable, p.Provider)
		case slices.Contains(used, p.Name()):
			return nil, config.Errorf("DAFTAR_CLOCK_OFFSET: applications have accounts with %s at %s; "+
				"a shifted clock is for play money alone", p.Name(), p.URLs[realAt])
		}
	}
	return usable, nil
}
