package webhooks

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"
)

// A machine with IPv6 only reaches IPv4 hosts through NAT64: the address inside decides. The
// check before saving and the one at the dial have the same result.
func TestNAT64IsJudgedByTheAddressInside(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		found []string
		want  error
	}{
		{[]string{"8.8.8.8", "64:ff9b::808:808"}, nil},
		{[]string{"64:ff9b::808:808"}, nil},
		{[]string{"8.8.8.8", "64:ff9b::7f00:1"}, ErrPrivateAddress},
		{[]string{"64:ff9b::c0a8:1"}, ErrPrivateAddress},
		{[]string{"64:ff9b::6440:1"}, ErrPrivateAddress},
		{[]string{"64:ff9b::"}, ErrPrivateAddress},
		{[]string{"64:ff9b:1::808:808"}, ErrPrivateAddress},
	} {
		var all []netip.Addr
		var stopped bool
		for _, text := range row.found {
			all = append(all, netip.MustParseAddr(text))
			err := control("tcp6", net.JoinHostPort(text, "443"), nil)
			if err != nil && !refused(err) {
				t.Errorf("%s: %v is none of the guard's errors", text, err)
			}
			stopped = stopped || err != nil
		}
		guard := Guard{lookUp: func(context.Context, string, string) ([]netip.Addr, error) { return all, nil }}
		err := guard.CheckURL(t.Context(), "https://shop.example/hook")
		if !errors.Is(err, row.want) || stopped != (row.want != nil) {
			t.Errorf("%v: %v, refused at the dial: %t; want %v", row.found, err, stopped, row.want)
		}
	}
}

func TestCheckURLConvertsHosts(t *testing.T) {
	t.Parallel()
	for _, host := range []struct{ written, asked string }{
		{"متجر.example", "xn--pgbep1f.example"},
		{"مَتجر.example", "xn--pgbep1f0b.example"},
		{"bücher.example", "xn--bcher-kva.example"},
		{"BÜCHER.example", "xn--bcher-kva.example"},
		{"xn--bcher-kva.example", "xn--bcher-kva.example"},
		{"my_shop.example", "my_shop.example"},
	} {
		var asked string
		guard := Guard{lookUp: func(_ context.Context, _, name string) ([]netip.Addr, error) {
			asked = name
			return []netip.Addr{netip.MustParseAddr("8.8.8.8")}, nil
		}}
		err := guard.CheckURL(t.Context(), "https://"+host.written+":8443/hook")
		if err != nil || asked != host.asked {
			t.Errorf("%s: %v, and %q is looked up; want %q", host.written, err, asked, host.asked)
		}
	}
	unasked := Guard{lookUp: func(context.Context, string, string) ([]netip.Addr, error) {
		t.Error("an invalid host name is looked up")
		return nil, nil
	}}
	for _, url := range []string{
		"https://متجر\u200f.example/",
		"https://متجر shop.example/",
		"https://aمتجر.example/",
	} {
		if err := unasked.CheckURL(t.Context(), url); err == nil {
			t.Errorf("%q is accepted", url)
		}
	}
}
