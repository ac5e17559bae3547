package acceptance_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"daftar/tools/acceptance/browsertest"
)

// The controls of the checkout.
const (
	wallet     = `input[name=method][value=wallet]`
	card       = `input[name=method][value=card]`
	phoneField = `input[name=phone]`
	codeField  = `input[name=otp]`
	payButton  = `form[action*="/attempts"] button`
	codeButton = `form[action*="/code"] button`
	wayBack    = `main a.btn`

	rightCode, wrongCode = "111111", "222222"
)

// storefront is a running demo, with a shop that sends its customers there and records their
// return.
type storefront struct {
	*demonstration
	// The ways in which customers pay completely, go to the bank, and use no mouse.
	ways, bankWays, keyboardWays []way
	more                         map[string]func(*testing.T, *storefront) // further tests of the checkout

	shop string // its address

	mu       sync.Mutex
	intents  []string
	arrivals map[string][]*http.Request // by order
}

func openStorefront(t *testing.T, d *demonstration) *storefront {
	t.Helper()
	s := &storefront{demonstration: d, arrivals: map[string][]*http.Request{}}
	shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.arrivals[r.URL.Query().Get("order")] = append(s.arrivals[r.URL.Query().Get("order")], r)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><html lang="en"><title>Thanks</title><link rel="icon" href="data:,">`+
			`<main data-state="shop"><h1>Thanks</h1></main></html>`)
	}))
	t.Cleanup(shop.Close)
	s.shop = shop.URL
	return s
}

func (s *storefront) returnURL(order string) string { return s.shop + "/thanks?order=" + order }

// sell creates an order that leads back to the shop.
func (s *storefront) sell(t *testing.T, order string) (uuid, checkoutURL string) {
	t.Helper()
	return s.sellWithReturn(t, order, s.returnURL(order))
}

func (s *storefront) sellWithReturn(t *testing.T, order, returnURL string) (uuid, checkoutURL string) {
	t.Helper()
	const inQuotes = `\u0027` // the printed curl quotes the body with single quotes
	uuid, checkoutURL = s.order(t, order,
		strings.ReplaceAll(fmt.Sprintf(`,"return_url":%q`, returnURL), "'", inQuotes))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.intents = append(s.intents, uuid)
	return uuid, checkoutURL
}

// visitor opens a browser that may visit the bank and the shop.
func (s *storefront) visitor(t *testing.T, o browsertest.Options) *browsertest.Tab {
	t.Helper()
	b := browsertest.Open(t, o)
	for _, address := range []string{s.base, s.sandbox, s.shop} {
		b.Allow(strings.Split(strings.TrimPrefix(address, "http://"), "/")[0])
	}
	return b
}

// returned are the visits to the shop's page for an order.
func (s *storefront) returned(order string) []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.arrivals[order]
}

// taken is a row of the sandbox's ledger.
type taken struct {
	Intent   string `json:"intent"`
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
}

func (d *demonstration) ledger(t *testing.T, intent string) []taken {
	t.Helper()
	var all, of []taken
	d.fetch(t, d.sandbox+"/control/ledger", &all)
	for _, row := range all {
		if intent == "" || row.Intent == intent {
			of = append(of, row)
		}
	}
	return of
}

// paidOnce checks that the intent is paid and its amount was taken once.
func (d *demonstration) paidOnce(t *testing.T, uuid string) {
	t.Helper()
	if status := d.get(t, uuid); status != "succeeded" {
		t.Errorf("status %s of an order whose receipt was shown", status)
	}
	if rows := d.ledger(t, uuid); len(rows) != 1 || rows[0].Amount != 5000 || rows[0].Currency != "LYD" {
		t.Errorf("the sandbox took %+v, want 5000 LYD once", rows)
	}
}

// unpaid checks that nothing was taken.
func (d *demonstration) unpaid(t *testing.T, uuid, status string) {
	t.Helper()
	if got := d.get(t, uuid); got != status {
		t.Errorf("status %s, want %s", got, status)
	}
	if rows := d.ledger(t, uuid); len(rows) != 0 {
		t.Errorf("the sandbox took %+v, want nothing", rows)
	}
}

// opened is the number of payments of an intent that the sandbox was asked for.
func (d *demonstration) opened(t *testing.T, uuid string) int {
	t.Helper()
	var rows []struct{ ID string }
	d.fetch(t, d.sandbox+"/control/payments?intent="+uuid, &rows)
	return len(rows)
}

// reconcile checks the sandbox's ledger against the intents that succeeded.
func (s *storefront) reconcile(t *testing.T) {
	t.Helper()
	succeeded := 0
	for _, uuid := range s.intents {
		if s.get(t, uuid) == "succeeded" {
			succeeded++
		}
	}
	var sum int64
	for _, row := range s.ledger(t, "") {
		sum += row.Amount
	}
	if want := int64(succeeded) * 5000; sum != want || succeeded == 0 {
		t.Errorf("the sandbox took %d dirhams, %d intents for %d succeeded", sum, succeeded, want)
	}
}

// TestCheckoutInBrowser tests the checkout as payers see it, as far as money could be taken twice
// or not at all. Each language, width and kind of browser is covered in some part of it;
// TestLongCheckoutInBrowser covers all combinations.
func TestCheckoutInBrowser(t *testing.T) { //nolint:tparallel // counts the money after all payers are done
	t.Parallel()
	s := openStorefront(t, demo(t, t.TempDir()))
	s.ways = []way{{"ar", false, 320}, {"en", true, 1280}}
	s.bankWays = []way{{"en", false, 320}}
	s.keyboardWays = []way{{"ar", true, 390}}
	s.payers(t)
}

// payers share one server, as in production. The money is counted after all of them are done.
func (s *storefront) payers(t *testing.T) {
	t.Run("payers", func(t *testing.T) {
		steps := map[string]func(*testing.T, *storefront){
			"the whole way":   theWholeWay,
			"the bank's page": theBanksPage,
			"keyboard only":   keyboardOnly,
			"two tabs":        twoTabs,
			"double click":    doubleClick,
			"the back button": theBackButton,
		}
		maps.Copy(steps, s.more)
		for name, run := range steps {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				run(t, s)
			})
		}
	})
	s.reconcile(t)
}

// checkPage checks what every page must satisfy.
func (d *demonstration) checkPage(t *testing.T, b *browsertest.Tab, lang, name string) {
	t.Helper()
	p := b.Page()
	dir := map[string]string{"ar": "rtl", "en": "ltr"}[lang]
	if p.Lang != lang || p.Dir != dir || p.Title == "" || p.Heading == "" {
		t.Errorf("%s: %+v", name, p)
	}
	if n := b.Count("h1"); n != 1 {
		t.Errorf("%s: %d elements h1", name, n)
	}
	if p.Overflow > 0 {
		t.Errorf("%s: %d pixels too wide", name, p.Overflow)
	}
}

// checkAccessibility checks a page against the accessibility rules, if the test checks pages closely.
func (d *demonstration) checkAccessibility(b *browsertest.Tab) {
	if d.closely {
		b.MustPassAxe()
	}
}

// newPhone returns another number each time, because one number gets six codes an hour.
func newPhone() string { return fmt.Sprintf("091%07d", 2_000_000+phones.Add(1)) }

var phones atomic.Int64

// toCode pays by wallet up to the code page.
func toCode(t *testing.T, b *browsertest.Tab, checkoutURL, phone string) browsertest.Page {
	t.Helper()
	b.Navigate(checkoutURL)
	b.Click(wallet)
	b.Fill(phoneField, phone)
	p := b.Follow(payButton)
	if p.State != "otp" {
		t.Fatalf("code page %+v", p)
	}
	return p
}

// enter enters a code and returns the next page.
func enter(b *browsertest.Tab, code string) browsertest.Page {
	b.Fill(codeField, code)
	return b.Follow(codeButton)
}
