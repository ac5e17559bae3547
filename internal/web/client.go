package web

import (
	"net/http"
	"net/netip"
	"strings"
)

// ClientAddress is the address that a request comes from, as Proxies.Wrap has found it.
// It is empty where it cannot be read.
func ClientAddress(r *http.Request) string {
	connection, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	if connection.Addr().Is4() { // it has one form, so that the text can be used as it is
		return r.RemoteAddr[:strings.LastIndexByte(r.RemoteAddr, ':')]
	}
	return connection.Addr().Unmap().WithZone("").String()
}

// Networks are the networks for which a request from an address is counted, the narrowest
// first. For IPv6 they are the /64 of one line, the /56 that a subscriber gets, and the /48
// that a site gets: the owner of one of these has all narrower networks in it. For IPv4 it
// is the address. A text that is no address is returned as it is.
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
