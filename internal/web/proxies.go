package web

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"daftar/internal/throttle"
)

// Proxies are the networks whose machines may name their client in X-Forwarded-For. This
// machine is always one of them.
type Proxies NetworkSet

// The widest networks of proxies. Those that content networks and load balancers publish are
// narrower: Cloudflare's 104.16.0.0/13 and 2a06:98c0::/29, Google's 35.191.0.0/16.
const (
	widest4 = 8  // 10.0.0.0/8
	widest6 = 16 // except for private ones
)

// ParseProxies reads addresses and networks, separated by commas. One that is wider than any
// network of proxies is refused: any machine in it could claim any address.
func ParseProxies(text string) (Proxies, error) {
	var all Proxies
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		network, err := ParseNetwork(part)
		if err == nil {
			err = checkWidth(network, part)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, network)
	}
	return all, nil
}

// checkWidth refuses a network that is too wide to be one of proxies.
func checkWidth(network netip.Prefix, text string) error {
	widest := widest6
	switch address := network.Addr(); {
	case address.Is4():
		widest = widest4
	case network.Bits() >= 7 && (address.IsPrivate() || address.IsLinkLocalUnicast()):
		widest = 7 // fc00::/7
	}
	switch bits := network.Bits(); {
	case bits == 0:
		return fmt.Errorf("%q is everybody: a client could give any address as its own", text)
	case bits < widest:
		return fmt.Errorf("%q is wider than /%d: a client in it could give any address "+
			"as its own; name the networks of your proxies", text, widest)
	}
	return nil
}

// Trusts reports whether a machine's X-Forwarded-For is used.
func (p Proxies) Trusts(address netip.Addr) bool {
	return address.Unmap().WithZone("").IsLoopback() || NetworkSet(p).Contain(address)
}

// Wrap sets RemoteAddr to the client's address: the last one in X-Forwarded-For that is no
// proxy's. The client can write anything before that. A header of a machine that is not
// trusted is ignored, with a warning in the log once a minute: behind a proxy that is not
// trusted, all clients would count as one network.
func (p Proxies) Wrap(log zerolog.Logger, next http.Handler) http.Handler {
	named := throttle.New[struct{}](1./60, 1, 2, time.Now)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if forwarded := r.Header.Values("X-Forwarded-For"); len(forwarded) > 0 {
			peer, err := netip.ParseAddrPort(r.RemoteAddr)
			switch {
			case err != nil:
			case p.Trusts(peer.Addr()):
				r.RemoteAddr = netip.AddrPortFrom(p.client(peer.Addr(), strings.Join(forwarded, ",")), 0).String()
			case named.Allow(struct{}{}):
				log.Warn().Stringer("peer", peer.Addr()).
					Msg("X-Forwarded-For of a machine that is not trusted is ignored; " +
						"if it is a proxy of yours, name it in DAFTAR_TRUSTED_PROXIES")
			}
		}
		next.ServeHTTP(w, r)
	})
}

// client follows the chain of proxies back as far as they are trusted.
func (p Proxies) client(peer netip.Addr, forwarded string) netip.Addr {
	for p.Trusts(peer) && forwarded != "" {
		cut := strings.LastIndexByte(forwarded, ',')
		seen, ok := forwardedAddress(strings.TrimSpace(forwarded[cut+1:]))
		if !ok {
			break
		}
		peer, forwarded = seen, forwarded[:max(cut, 0)]
	}
	return peer
}

// forwardedAddress reads an address as proxies write it, some with a port.
func forwardedAddress(text string) (netip.Addr, bool) {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr(), true
	}
	address, err := netip.ParseAddr(text)
	return address, err == nil
}
