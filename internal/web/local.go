package web

import (
	"net/netip"
	"net/url"
)

// IsLocal reports whether an address is on this machine, where only play money moves.
func IsLocal(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || (err == nil && ip.IsLoopback())
}
