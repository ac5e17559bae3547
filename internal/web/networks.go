package web

import (
	"fmt"
	"net/netip"
	"slices"
)

// NetworkSet has ranges of addresses, as ParseNetwork gives them.
type NetworkSet []netip.Prefix

// Contain reports whether an address is in one of the networks. An IPv4 address in the form of
// IPv6 is that IPv4 address, and its zone does not count.
func (all NetworkSet) Contain(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	return slices.ContainsFunc(all, func(n netip.Prefix) bool { return n.Contains(address) })
}

// ParseNetwork reads a network such as 10.0.0.0/8, or an address, which is a network of one.
// IPv4 in the form of IPv6 becomes IPv4; the bits behind the prefix become zero.
func ParseNetwork(text string) (netip.Prefix, error) {
	network, err := netip.ParsePrefix(text)
	if address, single := netip.ParseAddr(text); single == nil {
		network, err = netip.PrefixFrom(address.WithZone(""), address.BitLen()), nil
	}
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("%q is no address and no network such as 10.0.0.0/8", text)
	}
	if address := network.Addr(); address.Is4In6() {
		network = netip.PrefixFrom(address.Unmap(), max(network.Bits()-96, 0))
	}
	return network.Masked(), nil
}
