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
	"strings"
	"syscall"
	"time"
	"unicode"

	"code.dny.dev/ssrf"
	"golang.org/x/net/idna"
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

// Guard limits where webhooks may go. The zero Guard is the strict one.
type Guard struct {
	// AllowPrivate permits plain http, every port and private addresses, to try
	// webhooks out on one machine.
	AllowPrivate bool

	lookUp func(ctx context.Context, network, host string) ([]netip.Addr, error) // nil: the machine's resolver
}

// strict has the rules of a Guard without AllowPrivate.
var strict = ssrf.New(ssrf.WithPorts(ports...))

// nat64 is the prefix with which machines without IPv4 reach it (RFC 6052): the last four
// bytes are the address that a connection ends at. The prefix for local networks,
// 64:ff9b:1::/48, is refused as a whole.
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

// finalAddress is the address at which a connection to another one ends.
func finalAddress(to netip.AddrPort) netip.AddrPort {
	ip := to.Addr().Unmap()
	if nat64.Contains(ip) {
		bytes := ip.As16()
		ip = netip.AddrFrom4([4]byte(bytes[12:]))
	}
	return netip.AddrPortFrom(ip, to.Port())
}

// control returns an error for a dial that the strict guard refuses.
func control(network, address string, c syscall.RawConn) error {
	if to, err := netip.ParseAddrPort(address); err == nil {
		address = finalAddress(to).String()
	}
	return strict.Safe(network, address, c)
}

// CheckURL checks that webhooks can go to an address, before it is saved. Errors
// are ErrNotHTTPS, ErrPort, ErrPrivateAddress, ErrUnresolved, or the context's. Each dial
// checks the address again, since that of a name can change.
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
	host, err := hostOf(u)
	if err != nil {
		return fmt.Errorf("check webhook URL: %w", ErrUnresolved)
	}
	lookUp := g.lookUp
	if lookUp == nil {
		lookUp = net.DefaultResolver.LookupNetIP
	}
	found, err := lookUp(ctx, "ip", host)
	if ctx.Err() != nil {
		return fmt.Errorf("check webhook URL: %w", ctx.Err())
	}
	if err != nil || len(found) == 0 {
		return fmt.Errorf("check webhook URL: %w", ErrUnresolved)
	}
	// One private address among public ones is an attack, or a mistake that would
	// fail only sometimes.
	for _, ip := range found {
		if strict.SafeAddrPort(finalAddress(netip.AddrPortFrom(ip, port))) != nil {
			return fmt.Errorf("check webhook URL: %w", ErrPrivateAddress)
		}
	}
	return nil
}

// hostOf is the name of a host as name servers know it; net/http converts it likewise when a
// webhook is sent. What is ASCII stays as it is.
func hostOf(u *url.URL) (string, error) {
	host := u.Hostname()
	if strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII }) {
		return idna.Lookup.ToASCII(host)
	}
	return host, nil
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
		dialer.Control = control
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

// refused reports whether the guard refused the dial.
func refused(err error) bool {
	return errors.Is(err, ssrf.ErrProhibitedIP) || errors.Is(err, ssrf.ErrProhibitedPort) ||
		errors.Is(err, ssrf.ErrProhibitedNetwork) || errors.Is(err, ssrf.ErrInvalidHostPort)
}
