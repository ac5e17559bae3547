//go:build shops

package acceptance_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/programtest"
)

const (
	debianWordPress = "/usr/share/wordpress"
	realShop        = wooCommerce + "/tests/real/"
	phpServers      = 4 // how many requests the shop answers at once
)

// wordPress is a real WordPress on a real MariaDB with the plugin in it. Its service is in test mode.
type wordPress struct {
	*sandboxed

	t           *testing.T
	who         shop
	woocommerce string // the folder of a real WooCommerce; empty: doubles of it
	dir         string // WordPress
	env         []string
	pages       map[string]int // of shop.php: pages and products of a real WooCommerce
	site        *httptest.Server
	// api is between the shop and the service. What hold does not answer goes on to the service.
	api  *httptest.Server
	hold atomic.Pointer[func(http.ResponseWriter, *http.Request) (answered bool)]
}

func openWordPress(t *testing.T, woocommerce string) *wordPress {
	t.Helper()
	w := &wordPress{t: t, woocommerce: woocommerce, dir: filepath.Join(t.TempDir(), "site")}
	w.sandboxed = newSandboxed(t, "DAFTAR_WEBHOOK_ALLOW_PRIVATE=true")
	w.startAcquirer(t)
	w.who = newShop(t, w.service.env).refunding(t, w.service.env)
	service := forwardTo(t, strings.TrimSuffix(w.service.base, "/api/v1"))
	w.api = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if hold := w.hold.Load(); hold == nil || !(*hold)(rw, r) {
			service.ServeHTTP(rw, r)
		}
	}))
	t.Cleanup(w.api.Close)
	w.open()
	return w
}

// open installs the shop and has several processes of PHP answer for it. None of them gets a request
// while it answers another. (With PHP_CLI_SERVER_WORKERS one may, and they outlive their server.)
func (w *wordPress) open() {
	w.t.Helper()
	idle := make(chan *httputil.ReverseProxy, phpServers)
	w.site = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		server := <-idle
		defer func() { idle <- server }()
		server.ServeHTTP(rw, r)
	}))
	w.t.Cleanup(w.site.Close)
	w.env = slices.Concat(credentials(w.api.URL+"/api/v1", w.who), startMariaDB(w.t), []string{
		"SHOP_ADDRESS=" + strings.TrimPrefix(w.site.URL, "http://"), "SHOP_LOG=" + w.dir + ".log",
		"SHOP_DATABASE=" + w.dir + ".sqlite", "SHOP_EVENTS=" + w.dir + ".events", "SERVE=no",
	})
	w.set("lang=ar", "checkout=classic")
	for range phpServers {
		listen := address(w.t)
		c := exec.Command("php", "-d", "error_reporting=E_ALL", "-S", listen, "-t", w.dir,
			inRepository(w.t, realShop+"router.php"))
		c.Env = w.env
		programtest.Start(w.t, c)
		pgtest.WaitFor(w.t, "PHP", func() bool {
			response, err := http.Get("http://" + listen + "/wp-includes/css/buttons.css")
			return err == nil && response.Body.Close() == nil && response.StatusCode == http.StatusOK
		})
		idle <- forwardTo(w.t, "http://"+listen)
	}
}

// forwardTo is a proxy that leaves the name of the host as it came.
func forwardTo(t *testing.T, base string) *httputil.ReverseProxy {
	t.Helper()
	to, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.URL.Host = to.Scheme, to.Host },
		ErrorHandler: func(rw http.ResponseWriter, r *http.Request, err error) {
			t.Logf("%s %s: %v", r.Method, r.URL, err) // the browser leaves a page before all of it has come
			rw.WriteHeader(http.StatusBadGateway)
		},
	}
}

// set installs the shop where it is not there, and changes it.
func (w *wordPress) set(changes ...string) {
	w.t.Helper()
	c := exec.CommandContext(w.t.Context(), inRepository(w.t, realShop+"setup"),
		append([]string{debianWordPress, w.woocommerce, w.dir}, changes...)...)
	c.Env = w.env
	out, err := c.CombinedOutput()
	if err != nil {
		w.t.Fatalf("setup: %v\n%s", err, out)
	}
	w.t.Logf("setup: %s", out)
	if w.woocommerce != "" {
		w.parse(string(out), &w.pages)
	}
}

// php runs a program of tests/real, and parses what it prints in its last line.
func (w *wordPress) php(into any, program string, args ...string) {
	w.t.Helper()
	c := exec.CommandContext(w.t.Context(), "php",
		append([]string{inRepository(w.t, realShop+program), w.dir}, args...)...)
	c.Env = w.env
	out, err := c.CombinedOutput()
	if err != nil {
		w.t.Fatalf("%s: %v\n%s", program, err, out)
	}
	w.parse(string(out), into)
}

func (w *wordPress) parse(out string, into any) {
	w.t.Helper()
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), into); err != nil {
		w.t.Fatalf("%v in\n%s", err, out)
	}
}

// wcOrder is an order as order.php prints it.
type wcOrder struct {
	Status, Total, Transaction, Refused string
	Refunds                             [][2]any // the amount, and whether money went back
}

// order reads an order. With an amount that is refunded before.
func (w *wordPress) orderOf(id string, refund ...string) (o wcOrder) {
	w.t.Helper()
	w.php(&o, "order.php", append([]string{id}, refund...)...)
	return o
}

// events are the lines of watch.php that begin with a text.
func (w *wordPress) events(prefix string) (lines []string) {
	w.t.Helper()
	for line := range strings.Lines(read(w.t, w.dir+".events")) {
		if strings.HasPrefix(line, prefix) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}
