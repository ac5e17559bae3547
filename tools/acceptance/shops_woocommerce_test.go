//go:build shops

package acceptance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/browsertest"
)

// The plugin in a real WordPress, with the real WooCommerce whose folder is in the variable WOOCOMMERCE.
// It is in no registry; without it doubles of its classes are a must-use plugin of WordPress.
func TestWooCommercePluginInWordPress(t *testing.T) {
	t.Parallel()
	woocommerce, name := os.Getenv("WOOCOMMERCE"), "the real WooCommerce"
	if woocommerce == "" {
		name = "DOUBLES: THE REAL WOOCOMMERCE WAS NOT THERE"
	}
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		t.Log(name)
		w := openWordPress(t, woocommerce)
		b := browsertest.Open(t, browsertest.Options{Width: 1280, Scripts: true})
		b.Allow(strings.Split(strings.TrimPrefix(w.service.base, "http://"), "/")[0])
		w.paysInBrowser(b, w.classicCheckout)
		if woocommerce != "" {
			w.set("lang=ar", "checkout=blocks")
			w.paysInBrowser(b, w.blocksCheckout)
			w.set("lang=ar", "checkout=classic")
		}
		w.settlesOnce(b)
		w.hasSettings()
		w.leavesNothing()
		w.logsNothing()
	})
}

// classicCheckout places an order, and returns the page of Daftar.
func (w *wordPress) classicCheckout(b *browsertest.Tab) browsertest.Page {
	w.t.Helper()
	if w.woocommerce == "" {
		if p := b.Navigate(w.site.URL + "/checkout"); !strings.Contains(p.Text, "الدفع الإلكتروني") {
			w.t.Fatalf("the checkout offers %+v", p)
		}
		return b.Follow("#place_order")
	}
	b.Navigate(fmt.Sprintf("%s/?add-to-cart=%d", w.site.URL, w.pages["coffee"]))
	b.Navigate(fmt.Sprintf("%s/?page_id=%d", w.site.URL, w.pages["classic"]))
	for field, text := range map[string]string{
		"first_name": "Salem", "last_name": "Ali", "address_1": "Omar Al-Mukhtar", "city": "Tripoli",
		"postcode": "21821", "phone": "0912345678", "email": "salem@example.com",
	} {
		b.Fill("#billing_"+field, text)
	}
	return b.Load("the order", func() {
		pgtest.WaitFor(w.t, "the checkout to stand still", func() bool {
			return browsertest.Evaluate[bool](b, placeOrder)
		})
	})
}

// placeOrder places the order when no request of the page is under way, and reports whether it has. Each
// change of a field makes the page ask for the total, and covers its button meanwhile.
const placeOrder = `(() => {
	if (typeof jQuery === "undefined") return true // at Daftar
	if (jQuery.active > 0 || document.querySelector(".blockOverlay")) return false
	document.querySelector("#billing_state").value = "TB"
	document.querySelector("#payment_method_daftar").click()
	document.querySelector("#place_order").click()
	return true
})()`

// blocksCheckout is classicCheckout at the page of Blocks.
func (w *wordPress) blocksCheckout(b *browsertest.Tab) browsertest.Page {
	w.t.Helper()
	b.Navigate(fmt.Sprintf("%s/?add-to-cart=%d", w.site.URL, w.pages["coffee"]))
	b.Navigate(fmt.Sprintf("%s/?page_id=%d", w.site.URL, w.pages["blocks"]))
	b.Click("label[for=radio-control-wc-payment-method-options-daftar]")
	return b.Follow(".wc-block-components-checkout-place-order-button")
}

// paysInBrowser has a customer order, pay and come back, while the webhook comes; a part is refunded.
func (w *wordPress) paysInBrowser(b *browsertest.Tab, place func(*browsertest.Tab) browsertest.Page) {
	w.t.Helper()
	w.sendWebhooks(w.site.URL + "/?wc-api=daftar_webhook")
	p := place(b)
	if p.State != "pay" || !strings.Contains(p.Text, "12.345") {
		w.t.Fatalf("placing the order leads to %+v", p)
	}
	intent, order, _ := w.intentOf(p)
	toCode(w.t, b, p.Address, newPhone())
	if p = enter(b, rightCode); p.State != "receipt" {
		w.t.Fatalf("receipt %+v", p)
	}
	b.Click(`main a[href*="stay"]`) // or the page goes on to the shop by itself
	b.Await("the customer to stay", func(p browsertest.Page) bool { return strings.Contains(p.Address, "stay") })
	if p = b.Follow(wayBack); !strings.Contains(p.Address, "order-received") {
		w.t.Errorf("the way back leads to %+v", p)
	}
	pgtest.WaitFor(w.t, "the paid order", func() bool { return w.orderOf(order).Status == "processing" })
	want := wcOrder{Status: "processing", Total: "12.345", Transaction: intent}
	want.Refunds = [][2]any{{"2.000", true}}
	if diff := cmp.Diff(want, w.orderOf(order, "2.000")); diff != "" {
		w.t.Errorf("the order after a refund (-want +got):\n%s", diff)
	}
	w.isPaidOnce(order)
	pgtest.WaitFor(w.t, "the money to go back", func() bool {
		refunds := w.service.ask(w.t, w.who, http.MethodGet, "/payment-intents/"+intent+"/refunds", "").body
		return strings.Contains(refunds, `"amount":2000,`) && strings.Contains(refunds, `"status":"succeeded"`)
	})
}

// isPaidOnce checks how often the order became paid.
func (w *wordPress) isPaidOnce(order string) {
	w.t.Helper()
	changes := strings.Join(w.events("order "+order+" "), "\n")
	if strings.Count(changes, " processing") != 1 || !strings.HasSuffix(changes, " pending processing") {
		w.t.Errorf("order %s became paid otherwise than once:\n%s", order, changes)
	}
}

func (w *wordPress) sendWebhooks(to string) {
	w.t.Helper()
	answer[map[string]any](w.t, w.service.env, "app", "set-webhook-url", w.who.app, to)
}

// intentOf is the intent of a page of Daftar, its order, and where its customer returns.
func (w *wordPress) intentOf(p browsertest.Page) (uuid, order, returnURL string) {
	w.t.Helper()
	u, err := url.Parse(p.Address)
	if err != nil {
		w.t.Fatal(err)
	}
	uuid = path.Base(path.Dir(u.Path))
	var intent struct {
		Data struct {
			ReturnURL string `json:"return_url"`
		}
	}
	body := w.service.ask(w.t, w.who, http.MethodGet, "/payment-intents/"+uuid, "").body
	if err := json.Unmarshal([]byte(body), &intent); err != nil {
		w.t.Fatalf("%s: %v", body, err)
	}
	back, err := url.Parse(intent.Data.ReturnURL)
	if err != nil || !strings.HasPrefix(intent.Data.ReturnURL, w.site.URL+"/?") {
		w.t.Fatalf("%s: %v", body, err)
	}
	return uuid, back.Query().Get("order"), intent.Data.ReturnURL
}

// settlesOnce has two webhooks and the customer come at the same time: the lock in MariaDB lets one of
// them in.
func (w *wordPress) settlesOnce(b *browsertest.Tab) {
	w.t.Helper()
	came := make(chan *http.Request, 8)
	hook := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil && bytes.Contains(body, []byte(`"payment_intent.succeeded"`)) {
			r.Body = io.NopCloser(bytes.NewReader(body))
			came <- r
		}
		rw.WriteHeader(http.StatusNoContent)
	}))
	defer hook.Close()
	w.sendWebhooks(hook.URL)
	p := w.classicCheckout(b)
	intent, order, returnURL := w.intentOf(p)
	if unpaid := b.Navigate(returnURL); !strings.Contains(unpaid.Text, "لم يُدفع هذا الطلب بعد.") {
		w.t.Errorf("the page of an unpaid order is %+v", unpaid)
	}
	newPayer(w.t).pay(purchase{reference: "order-" + order, checkout: strings.Split(p.Address, "?")[0]}, 0)
	webhook := <-came
	body, err := io.ReadAll(webhook.Body)
	if err != nil {
		w.t.Fatal(err)
	}

	var inside, most atomic.Int32
	release := make(chan struct{})
	hold := func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/"+intent) {
			most.Store(max(most.Load(), inside.Add(1)))
			select {
			case <-release:
			case <-r.Context().Done(): // a slow machine: the shop has given up, and its lock
			}
			inside.Add(-1)
		}
		return false
	}
	w.hold.Store(&hold)
	before := len(w.events("daftar_wc_lock_" + order))
	var all sync.WaitGroup
	for n, send := range []func() int{
		func() int { return w.deliver(webhook.Header, body) },
		func() int { return w.deliver(webhook.Header, body) },
		func() int { return w.ask(http.MethodGet, returnURL, nil, nil) },
	} {
		all.Go(func() {
			if status := send(); status != http.StatusNoContent && status != http.StatusSeeOther {
				w.t.Errorf("request %d is answered %d", n, status)
			}
		})
		pgtest.WaitFor(w.t, "the request to come to the order", func() bool {
			tries := w.events("daftar_wc_lock_" + order)[before:]
			slices.Sort(tries)
			return max(len(slices.Compact(tries)), int(most.Load())) > n
		})
	}
	close(release)
	all.Wait()
	w.hold.Store(nil)
	if most.Load() != 1 {
		w.t.Errorf("%d requests worked on the order at once", most.Load())
	}
	w.isPaidOnce(order)
	if o := w.orderOf(order); o.Status != "processing" || o.Transaction != intent {
		w.t.Errorf("the order is %+v", o)
	}
}

// deliver sends a webhook until the shop does not want it again, and returns the last answer.
func (w *wordPress) deliver(header http.Header, body []byte) int {
	for {
		status := w.ask(http.MethodPost, w.site.URL+"/?wc-api=daftar_webhook", header, body)
		if status != http.StatusServiceUnavailable {
			return status
		}
	}
}

// ask sends a request to the shop, and returns the status of the answer; 0 if there is none.
func (w *wordPress) ask(method, to string, header http.Header, body []byte) int {
	request, err := http.NewRequestWithContext(w.t.Context(), method, to, bytes.NewReader(body))
	if err != nil {
		return 0
	}
	if header != nil {
		request.Header = header.Clone()
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return 0
	}
	_ = response.Body.Close()
	return response.StatusCode
}
