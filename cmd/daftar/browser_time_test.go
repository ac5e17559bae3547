package main_test

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"daftar/internal/browsertest"
	"daftar/internal/postgres/pgtest"
)

// The time to pay ends while the page is open: with a script the page says so by
// itself, and without one the form that is sent too late takes no money.
func TestExpiryWhileOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := demo(t, dir)
	uuid, _ := d.order(t, "open", "")
	var body struct {
		Data struct {
			ExpiresAt time.Time `json:"expires_at"`
		}
	}
	d.fetch(t, d.base+"/payment-intents/"+uuid, &body)
	d.stop(t, syscall.SIGINT)
	// Long enough for the server to start, on a busy machine as well.
	const left = 15 * time.Second
	later := demo(t, dir, fmt.Sprint("DAFTAR_CLOCK_OFFSET=", time.Until(body.Data.ExpiresAt)-left))
	_, checkoutURL := later.order(t, "open", "")
	open := browsertest.Open(t, browsertest.Options{Scripts: true})
	if p := open.Navigate(checkoutURL + "?lang=en"); p.State != "pay" || !strings.Contains(strings.Join(strings.Fields(p.Text), " "), "Time left 0:") {
		t.Fatalf("pay page %+v", p)
	}
	open.MustPassAxe()
	open.Screenshot("checkout/en-time-left")
	stale := browsertest.Open(t, browsertest.Options{})
	stale.Navigate(checkoutURL)
	stale.Click(wallet)
	stale.Fill(phoneField, "0912345678")
	open.Await("the page to say that the time is over", func(p browsertest.Page) bool { return p.State == "expired" })
	if p := stale.Follow(payButton); p.State != "expired" {
		t.Errorf("the form that was sent too late leads to %+v", p)
	}
	pgtest.WaitFor(t, "the expiry to be recorded", func() bool { return later.get(t, uuid) == "canceled" })
	later.unpaid(t, uuid, "canceled")
}

// An acquirer that does not work is shown as such after a while, takes nothing,
// and can be used again when it is back.
func TestMethodOutOfOrder(t *testing.T) {
	t.Parallel()
	listen := address(t)
	sandboxEnv := []string{"DAFTAR_SANDBOX_LISTEN=" + listen, "DAFTAR_SANDBOX_SECRET=" + sandboxSecret}
	server := serve(t, pgtest.Database(t).ServiceURL(), "DAFTAR_SANDBOX_URL=http://"+listen, "DAFTAR_SANDBOX_SECRET="+sandboxSecret)
	who := newShop(t, server.env)
	d := &demonstration{base: server.base, key: who.key, authorization: "Bearer " + who.token, sandbox: "http://" + listen}
	created := server.ask(t, who, http.MethodPost, "/payment-intents", order("out-of-order")).data

	b := browsertest.Open(t, browsertest.Options{Scripts: true})
	p := b.Navigate(created.CheckoutURL + "?lang=en")
	for tries := 0; b.Count("input[name=method]:enabled") > 0; tries++ {
		if tries == 10 {
			t.Fatalf("the methods are still offered: %+v", p)
		}
		b.Click(wallet)
		b.Fill(phoneField, "0912345678")
		if p = b.Follow(payButton); p.State != "pay" || !strings.Contains(p.Text, "No money was taken") {
			t.Fatalf("without an acquirer %+v", p)
		}
	}
	if !strings.Contains(p.Text, "There is no way to pay right now") {
		t.Errorf("with no method that works %+v", p)
	}
	proper(t, b, "en", "en-out-of-order")
	b.MustPassAxe()

	start(t, t.TempDir(), sandboxEnv, "sandbox-acquirer")
	b.Await("the methods to be offered again", func(browsertest.Page) bool { return b.Count(wallet+":enabled") == 1 })
	b.Click(wallet)
	b.Fill(phoneField, "0912345678")
	b.Follow(payButton)
	if p = enter(b, rightCode); p.State != "receipt" {
		t.Fatalf("receipt %+v", p)
	}
	d.paidOnce(t, created.UUID)
}
