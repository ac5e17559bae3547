package acceptance_test

import (
	"encoding/json"
	"net/http"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

const wooCommerce = "plugins/woocommerce"

// The cases that shops report of other gateways, each a test in PHP against doubles of WordPress and
// WooCommerce. The real ones are in no registry: plugins/woocommerce/TESTED.md lists what was tried
// by hand.
func TestWooCommercePluginCases(t *testing.T) {
	t.Parallel()
	said, err := exec.CommandContext(t.Context(), "php",
		inRepository(t, wooCommerce+"/tests/run.php")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	t.Logf("%s", said)
}

// The plugin keeps what the sample shops keep: each order is paid exactly once, whatever happens to
// webhooks and processes. TestLongWooCommercePlugin is the same with 500 orders.
func TestWooCommercePluginPaysOnce(t *testing.T) {
	t.Parallel()
	wooCommercePaysOnce(t, 10)
}

func wooCommercePaysOnce(t *testing.T, orders int) {
	t.Helper()
	daftar := newSandboxed(t, "DAFTAR_WEBHOOK_ALLOW_PRIVATE=true")
	daftar.startAcquirer(t)
	// PHP's own server answers one request at a time, so that there are three of it for webhooks.
	others := []string{address(t), address(t)}
	s := openSample(t, daftar, sample{"WooCommerce", func(t *testing.T, port string) [][]string {
		t.Helper()
		index := inRepository(t, wooCommerce+"/tests/shop/index.php")
		commands := [][]string{{"php", inRepository(t, wooCommerce+"/tests/shop/worker.php")}}
		for _, listen := range append(slices.Clone(others), "127.0.0.1:"+port) {
			commands = append(commands, []string{"php", "-S", listen, index})
		}
		return commands
	}, tallyOfWooCommerce})
	s.way.asksFirst = true
	var turn atomic.Uint64
	hosts := append(slices.Clone(others), "127.0.0.1:"+s.port)
	next := func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host = "http", hosts[turn.Add(1)%uint64(len(hosts))]
	}
	s.way.to = &httputil.ReverseProxy{Rewrite: next, ErrorHandler: s.way.to.ErrorHandler}
	s.open(never)
	if status, _, _ := s.ask(http.MethodPost, s.url("/webhooks"), nil); status != http.StatusUnauthorized {
		t.Errorf("an unsigned webhook is answered %d", status)
	}
	late, unpaid := s.declined(max(1, orders/10)), s.declined(max(1, orders/10))
	s.stopCheckouts(append(slices.Clone(late), unpaid...))
	inTime := s.sell(orders-len(late), late)
	s.sendAgain()
	s.fulfilsAll(append(inTime, late...), unpaid)
}

// tallyOfWooCommerce fails where a mail was sent to the shop: nothing here needs a decision.
func tallyOfWooCommerce(t *testing.T, dir string) (tally sampleTally) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "php", inRepository(t, wooCommerce+"/tests/shop/tally.php"))
	c.Env = append(os.Environ(), "SHOP_DATABASE="+filepath.Join(dir, "shop.sqlite"))
	out, err := c.Output()
	var more struct{ Mails, Locks int }
	if err == nil {
		err = json.Unmarshal(out, &tally)
	}
	if err == nil {
		err = json.Unmarshal(out, &more)
	}
	if err != nil {
		t.Fatalf("tally: %v: %s", err, out)
	}
	if more.Mails > 0 {
		t.Errorf("%d mails to the shop", more.Mails)
	}
	return tally
}

// Texts are there in Arabic, for each that the plugin speaks, and the plugin stays small.
func TestWooCommercePluginFiles(t *testing.T) {
	t.Parallel()
	said, err := exec.CommandContext(t.Context(), "php",
		inRepository(t, wooCommerce+"/tests/texts.php"), "--check").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	root := filepath.Dir(inRepository(t, wooCommerce+"/daftar-for-woocommerce.php"))
	_, version, _ := strings.Cut(read(t, filepath.Join(root, "daftar-for-woocommerce.php")), "VERSION', '")
	version, _, _ = strings.Cut(version, "'")
	for file, line := range map[string]string{
		"daftar-for-woocommerce.php": " * Version: " + version + "\n",
		"readme.txt":                 "Stable tag: " + version + "\n",
	} {
		if !strings.Contains(read(t, filepath.Join(root, file)), line) {
			t.Errorf("%s does not have %q", file, line)
		}
	}
}
