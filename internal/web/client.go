package web

import (
	"net/http"
	"net/netip"
	"strings"
)

// ClientAddress is the address that a request comes from: that of the connection.
// Behind a proxy on this machine it is the one that the proxy saw and added at the
// end of X-Forwarded-For; what stands before that the client can write itself. It
// is empty where it cannot be read.
func ClientAddress(r *http.Request) string {
	connection, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	address := connection.Addr().Unmap()
	if forwarded := r.Header.Values("X-Forwarded-For"); address.IsLoopback() && len(forwarded) > 0 {
		last := forwarded[len(forwarded)-1]
		last = strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:])
		if seen, err := netip.ParseAddr(last); err == nil {
			address = seen.Unmap()
		}
	}
	return address.WithZone("").String()
}

// Networks are the networks that what comes from an address counts for, the narrowest
// first. Of IPv6 they are the /64 of one line, the /56 that a subscriber gets, and the
// /48 that a site gets: who has one of these has all narrower networks in it. Of IPv4
// it is the address. What is no address stands for itself.
func Networks(address string) []string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return []string{address}
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is4() {
		return []string{ip.String()}
	}
	all := make([]string, 0, len(Allowances))
	for _, bits := range []int{64, 56, 48} {
		all = append(all, netip.PrefixFrom(ip, bits).Masked().String())
	}
	return all
}

// Allowances are how many times the limit of one line each of Networks gets, because
// more people share a wider one.
var Allowances = [...]int{1, 3, 10}
