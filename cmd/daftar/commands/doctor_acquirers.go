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
	addresses := map[string]string{}
	for _, p := range providers {
		addresses[p.Name()] = p.URLs[0]
	}
	if slices.Contains(e.Acquirers, config.Sandbox) {
		addresses[config.Sandbox] = e.SandboxURL
		used = append([]string{config.Sandbox}, used...)
	}
	if len(used) == 0 {
		return "", warning("none is in use: the checkout offers no payment method (daftar acquirer set)")
	}
	var reached []string
	var away []error
	for _, name := range used {
		address, known := addresses[name]
		if !known {
			return "", fmt.Errorf("applications have accounts with %s, which has no address here", name)
		}
		if err := dial(ctx, address); err != nil {
			away = append(away, fmt.Errorf("%s is out of reach: %w", name, err))
			continue
		}
		reached = append(reached, name+" at "+address)
	}
	if len(away) > 0 {
		return "", errors.Join(away...)
	}
	if found := server.SandboxWarning(e.Config, providers, used); found != "" {
		return "", warning(found)
	}
	return strings.Join(reached, ", ") + " can be reached", nil
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
