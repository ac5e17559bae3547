package web

import (
	"net/netip"
	"net/url"
)

// IsLocal reports whether only this machine reaches an address, so that no customer pays there.
func IsLocal(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || (err == nil && ip.IsLoopback())
}
