package commands

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"daftar/accounts/settings"
	"daftar/cmd/daftar/config"
	"daftar/cmd/daftar/server"
)

// acquirers reports whether those in use can be reached: the sandbox, and those with which
// applications have accounts. Whether they accept an account is for "acquirer check".
func (e examination) acquirers(ctx context.Context) (string, error) {
	used, err := settings.New(e.pool, nil, e.SecretKey, nil).AcquirersInUse(ctx)
	if err != nil {
		return "", err
	}
	providers, err := server.Providers(e.Config)
	if err != nil {
		return "", err
	}
	addresses, err := acquirerAddresses(e.Config, providers, used)
	if err != nil {
		return "", err
	}
	if len(addresses) == 0 {
		return "", warning("none is in use: the checkout offers no way to pay (daftar acquirer set)")
	}
	var reached []string
	var away []error
	for _, a := range addresses {
		if err := dial(ctx, a.url); err != nil {
			away = append(away, fmt.Errorf("%s is out of reach: %w", a.name, err))
			continue
		}
		reached = append(reached, a.name+" at "+a.url)
	}
	if len(away) > 0 {
		return "", errors.Join(away...)
	}
	if found := server.SandboxWarning(e.Config, providers, used); found != "" {
		return "", warning(found)
	}
	return strings.Join(reached, ", ") + " can be reached", nil
}

type acquirerAddress struct{ name, url string }

func acquirerAddresses(
	c config.Config, providers []server.Provider, used []string,
) ([]acquirerAddress, error) {
	var all []acquirerAddress
	if slices.Contains(c.Acquirers, config.Sandbox) {
		all = append(all, acquirerAddress{config.Sandbox, c.SandboxURL})
	}
	for _, name := range used {
		n := slices.IndexFunc(providers, func(p server.Provider) bool { return p.Name() == name })
		if n < 0 {
			return nil, fmt.Errorf("applications have accounts with %s, which has no address here", name)
		}
		all = append(all, acquirerAddress{name, providers[n].URLs[0]})
	}
	return all, nil
}

// dial connects to the host of an address.
func dial(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	host := u.Host
	if u.Port() == "" {
		host = net.JoinHostPort(u.Hostname(), u.Scheme)
	}
	dialer := net.Dialer{Timeout: 3 * time.Second}
	conn, err := dialer.DialContext(ctx, "tcp", host)
	if err != nil {
		return err
	}
	return conn.Close()
}
