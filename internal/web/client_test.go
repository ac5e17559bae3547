package web_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"daftar/internal/web"

	"github.com/rs/zerolog"
)

func TestClientAddress(t *testing.T) {
	t.Parallel()
	proxies, err := web.ParseProxies("10.1.2.3, 10.9.0.0/16,2001:db8:f::/48")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ connection, forwarded, want string }{
		{"192.0.2.1:443", "", "192.0.2.1"},
		{"192.0.2.1:443", "198.51.100.9", "192.0.2.1"}, // who is no proxy of ours is not believed
		{"127.0.0.1:443", "198.51.100.9", "198.51.100.9"},
		{"127.0.0.1:443", "203.0.113.5, 198.51.100.9", "198.51.100.9"},
		{"127.0.0.1:443", "203.0.113.5,198.51.100.9", "198.51.100.9"},
		{"[::1]:443", "2001:db8::1", "2001:db8::1"},
		{"127.0.0.1:443", "nonsense", "127.0.0.1"},
		{"10.1.2.3:443", "198.51.100.9", "198.51.100.9"},
		{"10.1.2.4:443", "198.51.100.9", "10.1.2.4"},
		{"[::ffff:10.1.2.3]:443", "198.51.100.9", "198.51.100.9"},
		{"10.9.8.7:443", "203.0.113.5, 198.51.100.9, 10.1.2.3", "198.51.100.9"}, // two proxies of ours
		{"10.9.8.7:443", "10.1.2.3, 10.9.1.1", "10.1.2.3"},                      // a machine of ours asks
		{"10.9.8.7:443", "203.0.113.5, nonsense, 10.1.2.3", "10.1.2.3"},
		{"10.9.8.7:443", "198.51.100.9:4711", "198.51.100.9"},
		{"[2001:db8:f::1]:443", "[2001:db8::5]:4711", "2001:db8::5"},
		{"10.9.8.7:443", ",", "10.9.8.7"},
		{"[::ffff:192.0.2.1]:443", "", "192.0.2.1"},
		{"[fe80::1%eth0]:443", "", "fe80::1"},
		{"@", "", ""},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = row.connection
		if row.forwarded != "" {
			r.Header.Set("X-Forwarded-For", row.forwarded)
		}
		got := ""
		proxies.Wrap(zerolog.Nop(), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = web.ClientAddress(r) })).
			ServeHTTP(httptest.NewRecorder(), r)
		if got != row.want {
			t.Errorf("%+v: %q", row, got)
		}
	}
}

// An operator whose proxy was not named learns it from the log, which cannot be flooded.
func TestAnUnknownProxyIsNamed(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := web.Proxies(nil).Wrap(zerolog.New(&log), http.NotFoundHandler())
	for range 10 {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = "10.1.2.3:443"
		r.Header.Set("X-Forwarded-For", "198.51.100.9")
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	if strings.Count(log.String(), "DAFTAR_TRUSTED_PROXIES") != 1 || !strings.Contains(log.String(), "10.1.2.3") {
		t.Error(log.String())
	}
}

func TestParseProxies(t *testing.T) {
	t.Parallel()
	for _, wrong := range []string{"", "10.0.0.0/8,", "10.0.0.0/33", "proxy.example", "0.0.0.0/0", "::/0", "10.0.0.1:80"} {
		if got, err := web.ParseProxies(wrong); err == nil {
			t.Errorf("%q is taken: %v", wrong, got)
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
