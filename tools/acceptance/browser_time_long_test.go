//go:build long

package acceptance_test

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/browsertest"
)

// The intent expires while the page is open: with a script the page shows it by itself, and without
// one a form that is sent too late takes no money.
func TestLongExpiryWhileOpen(t *testing.T) {
	t.Parallel()
	s := newSandboxed(t)
	s.startAcquirer(t)
	// A server whose clock is behind can create an intent that expires soon.
	slowClock := serve(t, s.db.ServiceURL(), append([]string{"DAFTAR_CLOCK_OFFSET=-6m"}, s.acquirer...)...)
	open := browsertest.Open(t, browsertest.Options{Scripts: true})
	stale := browsertest.Open(t, browsertest.Options{})
	// Both pages must be open before the intent expires, also on a busy machine.
	for left := 4 * time.Second; ; left *= 2 {
		name := fmt.Sprint("open for ", left)
		created := slowClock.ask(t, s.merchant, http.MethodPost, "/payment-intents",
			fmt.Sprintf(`{"merchant_reference":%q,"amount":5000,"currency":"LYD",`+
				`"description":"Two coffees","expires_at":%q}`,
				name, time.Now().Add(left).UTC().Format(time.RFC3339Nano)))
		if created.status != http.StatusCreated {
			t.Fatalf("create: %d %s", created.status, created.body)
		}
		checkoutURL := strings.Replace(created.data.CheckoutURL, slowClock.host(), s.host(), 1)
		if p := stale.Navigate(checkoutURL); p.State != "pay" {
			if p.State == "expired" && left < patience {
				continue
			}
			t.Fatalf("pay page %+v", p)
		}
		stale.Click(wallet)
		stale.Fill(phoneField, "0912345678")
		p := open.Navigate(checkoutURL + "?lang=en")
		if p.State == "expired" && left < patience {
			continue
		}
		if p.State != "pay" || !strings.Contains(strings.Join(strings.Fields(p.Text), " "), "Time left 0:") {
			t.Fatalf("pay page %+v", p)
		}
		open.Await("the page to say that the time is over", func(p browsertest.Page) bool {
			return p.State == "expired"
		})
		if p := stale.Follow(payButton); p.State != "expired" {
			t.Errorf("the form that was sent too late leads to %+v", p)
		}
		pgtest.WaitFor(t, "the expiry to be recorded", func() bool {
			return s.get(t, created.data.UUID) == "canceled"
		})
		s.unpaid(t, created.data.UUID, "canceled")
		return
	}
}

// A payer who comes after the expiry sees a notice and the way back, and no form.
func TestLongExpiredPage(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	variables := []string{
		"DAFTAR_SANDBOX_URL=" + hangingUp(t).URL, "DAFTAR_SANDBOX_SECRET=" + sandboxSecret,
	}
	first := serve(t, db.ServiceURL(), variables...)
	who := newShop(t, first.env)
	created := first.ask(t, who, http.MethodPost, "/payment-intents",
		`{"merchant_reference":"expires","amount":5000,"currency":"LYD",`+
			`"description":"Two coffees","return_url":"https://shop.example/thanks"}`)
	first.Stop(t, syscall.SIGTERM)
	later := serve(t, db.ServiceURL(), append([]string{"DAFTAR_CLOCK_OFFSET=25h"}, variables...)...)
	got := later.ask(t, who, http.MethodGet, "/payment-intents/"+created.data.UUID, "").data.Status
	if got != "canceled" {
		t.Errorf("after its time the intent is %s", got)
	}
	checkoutURL := strings.Replace(created.data.CheckoutURL, first.host(), later.host(), 1)
	d := &demonstration{}
	b := browsertest.Open(t, browsertest.Options{})
	for lang, query := range map[string]string{"ar": "", "en": "?lang=en"} {
		if p := b.Navigate(checkoutURL + query); p.State != "expired" {
			t.Errorf("page %+v", p)
		}
		d.checkPage(t, b, lang, lang+"-expired")
		link := b.Attribute(wayBack, "href")
		if link != "https://shop.example/thanks" || b.Count("main form") != 0 {
			t.Errorf("the way back leads to %q", link)
		}
	}
}

// An acquirer that fails repeatedly is shown as unavailable, takes nothing, and can be used again
// when it is back.
func TestLongMethodOutOfOrder(t *testing.T) {
	t.Parallel()
	s := newSandboxed(t)
	created := s.ask(t, s.merchant, http.MethodPost, "/payment-intents", order("out-of-order")).data
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
	if !strings.Contains(p.Text, "No payment method is available right now") {
		t.Errorf("with no method that works %+v", p)
	}
	s.checkPage(t, b, "en", "en-out-of-order")

	s.startAcquirer(t)
	b.Await("the methods to be offered again", func(browsertest.Page) bool {
		return b.Count(wallet+":enabled") == 1
	})
	b.Click(wallet)
	b.Fill(phoneField, "0912345678")
	b.Follow(payButton)
	if p = enter(b, rightCode); p.State != "receipt" {
		t.Fatalf("receipt %+v", p)
	}
	s.paidOnce(t, created.UUID)
}
