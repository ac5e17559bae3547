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

// NetworkOf is the network of one subscriber, for counting what comes from there:
// the address, or the /64 of an IPv6 address. What is no address stands for itself.
func NetworkOf(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is4() {
		return ip.String()
	}
	return netip.PrefixFrom(ip, 64).Masked().String()
}
