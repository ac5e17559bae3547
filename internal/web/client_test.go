package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"daftar/internal/web"
)

func TestClientAddress(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ connection, forwarded, want string }{
		{"192.0.2.1:443", "", "192.0.2.1"},
		{"192.0.2.1:443", "198.51.100.9", "192.0.2.1"}, // who is no proxy of ours is not believed
		{"127.0.0.1:443", "198.51.100.9", "198.51.100.9"},
		{"127.0.0.1:443", "203.0.113.5, 198.51.100.9", "198.51.100.9"},
		{"127.0.0.1:443", "203.0.113.5,198.51.100.9", "198.51.100.9"},
		{"[::1]:443", "2001:db8::1", "2001:db8::1"},
		{"127.0.0.1:443", "nonsense", "127.0.0.1"},
		{"[::ffff:192.0.2.1]:443", "", "192.0.2.1"},
		{"[fe80::1%eth0]:443", "", "fe80::1"},
		{"@", "", ""},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = row.connection
		if row.forwarded != "" {
			r.Header.Set("X-Forwarded-For", row.forwarded)
		}
		if got := web.ClientAddress(r); got != row.want {
			t.Errorf("%+v: %q", row, got)
		}
	}
}

func TestNetworks(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "": "", "x": "x",
		"2001:db8:1:abcd:3:4:5:6": "2001:db8:1:abcd::/64 2001:db8:1:ab00::/56 2001:db8:1::/48",
		"fe80::1%eth0":            "fe80::/64 fe80::/56 fe80::/48",
	} {
		got := web.Networks(address)
		if strings.Join(got, " ") != want || len(got) > len(web.Allowances) {
			t.Errorf("networks of %q: %q, want %q", address, got, want)
		}
	}
}
