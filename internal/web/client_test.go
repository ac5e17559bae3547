package web_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"daftar/internal/web"
)

func TestClientAddress(t *testing.T) {
	t.Parallel()
	proxies, err := web.ParseProxies("10.1.2.3, 10.9.0.0/16,2001:db8:f::/48, ::ffff:10.8.0.0/112")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ connection, forwarded, want string }{
		{"192.0.2.1:443", "", "192.0.2.1"},
		{"192.0.2.1:443", "198.51.100.9", "192.0.2.1"}, // no proxy of ours
		{"127.0.0.1:443", "198.51.100.9", "198.51.100.9"},
		{"127.0.0.1:443", "203.0.113.5, 198.51.100.9", "198.51.100.9"},
		{"127.0.0.1:443", "203.0.113.5,198.51.100.9", "198.51.100.9"},
		{"[::1]:443", "2001:db8::1", "2001:db8::1"},
		{"127.0.0.1:443", "nonsense", "127.0.0.1"},
		{"10.1.2.3:443", "198.51.100.9", "198.51.100.9"},
		{"10.1.2.4:443", "198.51.100.9", "10.1.2.4"},
		{"[::ffff:10.1.2.3]:443", "198.51.100.9", "198.51.100.9"},
		{"10.8.1.1:443", "198.51.100.9", "198.51.100.9"},                        // named in the form of IPv6
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
		h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = web.ClientAddress(r) })
		proxies.Wrap(zerolog.Nop(), h).ServeHTTP(httptest.NewRecorder(), r)
		if got != row.want {
			t.Errorf("%+v: %q", row, got)
		}
	}
}

// The log names a proxy that is not trusted, once, so that requests cannot flood it.
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
	if strings.Count(log.String(), "DAFTAR_TRUSTED_PROXIES") != 1 ||
		!strings.Contains(log.String(), "10.1.2.3") {
		t.Error(log.String())
	}
}

// A network that is too wide is refused, in whatever form it is written; those of proxies are accepted.
func TestParseProxies(t *testing.T) {
	t.Parallel()
	for text, why := range map[string]string{
		"":                      "no address",
		"10.0.0.0/8,":           "no address",
		"10.0.0.0/33":           "no address",
		"proxy.example":         "no address",
		"10.0.0.1:80":           "no address",
		"0.0.0.0/0":             "everybody",
		"::/0":                  "everybody",
		"::ffff:0:0/96":         "everybody",
		"::ffff:1.2.3.4/90":     "everybody",
		"10.0.0.0/0":            "everybody",
		"0.0.0.0/1":             "wider than /8",
		"128.0.0.0/1":           "wider than /8",
		"10.0.0.0/8, 0.0.0.0/1": "wider than /8",
		"10.0.0.0/7":            "wider than /8",
		"64.0.0.0/2":            "wider than /8",
		"::ffff:128.0.0.0/97":   "wider than /8",
		"::ffff:10.0.0.0/103":   "wider than /8",
		"::/1":                  "wider than /16",
		"8000::/1":              "wider than /16",
		"2000::/3":              "wider than /16",
		"2600::/12":             "wider than /16",
		"2001::/15":             "wider than /16",
		"fc00::/6":              "wider than /16",
		"fe80::/6":              "wider than /16",
	} {
		got, err := web.ParseProxies(text)
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, %v; want an error that says %q", text, got, err, why)
		}
	}
	for text, want := range map[string]string{
		"10.0.0.0/8":          "10.0.0.0/8",
		"10.1.2.3/8":          "10.0.0.0/8",
		"3.0.0.0/9":           "3.0.0.0/9",
		"104.16.0.0/13":       "104.16.0.0/13",
		"100.64.0.0/10":       "100.64.0.0/10",
		"::ffff:10.1.2.3":     "10.1.2.3/32",
		"::ffff:10.0.0.0/104": "10.0.0.0/8",
		"2400:cb00::/32":      "2400:cb00::/32",
		"2a06:98c0::/29":      "2a06:98c0::/29",
		"2600:1f00::/24":      "2600:1f00::/24",
		"2001::/16":           "2001::/16",
		"fc00::/7":            "fc00::/7",
		"fd00::/8":            "fd00::/8",
		"fe80::/10":           "fe80::/10",
		"fe80::1%eth0":        "fe80::1/128",
		"2001:db8::1":         "2001:db8::1/128",
	} {
		got, err := web.ParseProxies(text)
		if err != nil || len(got) != 1 || got[0].String() != want {
			t.Errorf("%q: %v, %v; want %s", text, got, err, want)
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
