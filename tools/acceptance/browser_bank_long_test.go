//go:build long

package acceptance_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/browsertest"
)

// With 3-D Secure the form's frame goes on to a bank, whose host is not known beforehand, and the
// bank opens a window that reports back to the frame.
func TestLongBankInTheLightboxInBrowser(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	m := &marketplace{bazaar: &bazaar{search: &search{t: t}, db: db}, gateways: newGateways(t)}
	gateway, asked := watched(t, m.gateways.host(t, "moamalat"), "/bank")
	m.gateways.env = append(m.gateways.env, "DAFTAR_MOAMALAT_URL=http://"+gateway)
	database := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	env := slices.Concat(database, m.gateways.env)
	m.who, m.visitor = newShop(t, env), m.search.visitor("checkout")
	m.gateways.set(t, env, m.who.app, "moamalat")
	m.served = serve(t, db.ServiceURL(), m.gateways.env...)
	intent, page := m.order("bank")

	b := browsertest.Open(t, browsertest.Options{Scripts: true})
	b.Allow(gateway, strings.Replace(gateway, "127.0.0.1", "localhost", 1))
	b.Navigate(page)
	b.Click(`input[name=method][value=moamalat]`)
	b.Follow(payButton)
	const frame = "iframe.moamalat-lightbox-frame"
	b.Await("the acquirer's form by itself", func(browsertest.Page) bool { return b.Count(frame) == 1 })
	formIsReady(b)
	for n := 0; n < 30 && b.Focus().Tag != "iframe"; n++ { // to the card's number
		b.Press(browsertest.TabKey)
	}
	b.Press(strings.Split("0000000000000007", "")...)
	b.Press(browsertest.TabKey, "1", "1", "1", "1", "1", "1", browsertest.Enter)
	b.Await("the bank in the frame", func(browsertest.Page) bool { return asked.Load() > 0 })
	b.Await("the receipt", func(p browsertest.Page) bool {
		if asked.Load() == 1 { // the window is not open yet
			b.Click(frame) // the bank's button fills it
		}
		return p.State == "receipt"
	})
	got := m.served.ask(t, m.who, http.MethodGet, "/payment-intents/"+intent, "")
	if got.data.Status != "succeeded" {
		t.Errorf("the API says %s", got.body)
	}
}

// watched is the host of a proxy in front of another server. It counts the requests below a path.
func watched(t *testing.T, host, path string) (string, *atomic.Int64) {
	t.Helper()
	var asked atomic.Int64
	server := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: host})
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, path) {
			asked.Add(1)
		}
		server.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	return front.Listener.Addr().String(), &asked
}
