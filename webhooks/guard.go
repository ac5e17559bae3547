package webhooks

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"time"

	"code.dny.dev/ssrf"
)

// Why an address is refused.
var (
	ErrNotHTTPS       = errors.New("a webhook URL begins with https://")
	ErrPort           = errors.New("webhooks go to the ports 443 and 8443")
	ErrPrivateAddress = errors.New("webhooks go to public addresses only")
	ErrUnresolved     = errors.New("the name of the host is not found")
)

// ports are the only ones that a guarded dial goes to: otherwise a webhook URL could
// be used to scan the ports of third parties.
var ports = []uint16{443, 8443}

const (
	connectLimit = 5 * time.Second
	totalLimit   = 15 * time.Second
	maxBodyRead  = 64 << 10
	maxAnswer    = 4 << 10
	idlePerHost  = maxInFlight
	idleAll      = 1024
	idleLimit    = 60 * time.Second
	maxHeaders   = 64 << 10
)

// Guard says where webhooks may go. The zero Guard is the strict one.
type Guard struct {
	// AllowPrivate permits plain http, every port and private addresses, to try
	// webhooks out on one machine.
	AllowPrivate bool
}

// CheckURL says whether webhooks can go to an address, before it is saved. Errors
// are those above, or the context's. Each dial checks it again, since a name can
// change its address.
func (g Guard) CheckURL(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return fmt.Errorf("check webhook URL: %w", ErrNotHTTPS)
	}
	if g.AllowPrivate {
		return nil
	}
	port, err := g.checkForm(u)
	if err != nil {
		return fmt.Errorf("check webhook URL: %w", err)
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", u.Hostname())
	if ctx.Err() != nil {
		return fmt.Errorf("check webhook URL: %w", ctx.Err())
	}
	if err != nil || len(found) == 0 {
		return fmt.Errorf("check webhook URL: %w", ErrUnresolved)
	}
	// One private address among public ones is an attack, or a mistake that would
	// fail only sometimes.
	guardian := ssrf.New(ssrf.WithPorts(ports...))
	for _, ip := range found {
		if guardian.SafeAddrPort(netip.AddrPortFrom(ip.Unmap(), port)) != nil {
			return fmt.Errorf("check webhook URL: %w", ErrPrivateAddress)
		}
	}
	return nil
}

// checkForm checks what needs no name server.
func (g Guard) checkForm(u *url.URL) (port uint16, err error) {
	if g.AllowPrivate {
		return 0, nil
	}
	if u.Scheme != "https" {
		return 0, ErrNotHTTPS
	}
	if u.Port() == "" {
		return 443, nil
	}
	n, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil || !slices.Contains(ports, uint16(n)) {
		return 0, ErrPort
	}
	return uint16(n), nil
}

// client sends all webhooks. The guard checks the address at the dial, after the
// name was resolved, so that the checked address is the one that is called.
// Redirects are not followed, and no proxy is used, which could call what the guard
// refuses.
func (g Guard) client(connect time.Duration) *http.Client {
	dialer := &net.Dialer{Timeout: connect, KeepAlive: 30 * time.Second}
	if !g.AllowPrivate {
		dialer.Control = ssrf.New(ssrf.WithPorts(ports...)).Safe
	}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  nil,
			DialContext:            dialer.DialContext,
			TLSHandshakeTimeout:    connect,
			ForceAttemptHTTP2:      true,
			DisableCompression:     true, // a small answer must not become a large one
			MaxIdleConns:           idleAll,
			MaxIdleConnsPerHost:    idlePerHost,
			IdleConnTimeout:        idleLimit,
			MaxResponseHeaderBytes: maxHeaders,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// refused says whether the guard refused the dial.
func refused(err error) bool {
	return errors.Is(err, ssrf.ErrProhibitedIP) || errors.Is(err, ssrf.ErrProhibitedPort) ||
		errors.Is(err, ssrf.ErrProhibitedNetwork) || errors.Is(err, ssrf.ErrInvalidHostPort)
}
