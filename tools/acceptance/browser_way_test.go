package acceptance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/browsertest"
)

// way is one kind of visitor.
type way struct {
	lang    string
	scripts bool
	width   int
}

func (w way) String() string {
	return fmt.Sprintf("%s-%d-%s", w.lang, w.width, map[bool]string{true: "scripts", false: "plain"}[w.scripts])
}

// localised is the checkout's address in a language.
func localised(checkoutURL, lang string) string {
	if lang == "en" {
		return checkoutURL + "?lang=en"
	}
	return checkoutURL
}

func eachWay(t *testing.T, ways []way, run func(*testing.T, way)) {
	for _, w := range ways {
		t.Run(w.String(), func(t *testing.T) {
			t.Parallel()
			run(t, w)
		})
	}
}

// A newcomer's first payment: the printed curl, the page, phone and code, the receipt, `succeeded`
// from GET, and the way back to the shop.
func theWholeWay(t *testing.T, s *storefront) {
	eachWay(t, s.ways, func(t *testing.T, w way) {
		order := "way-" + w.String()
		uuid, checkoutURL := s.sell(t, order)
		b := s.visitor(t, browsertest.Options{Width: w.width, Scripts: w.scripts})
		p := b.Navigate(localised(checkoutURL, w.lang))
		amount := map[string]string{"ar": "5.000 د.ل", "en": "5.000 LYD"}[w.lang]
		if p.State != "pay" || p.Status != 200 || !strings.Contains(p.Text, amount) {
			t.Fatalf("pay page %+v", p)
		}
		checkSize(t, b.Requests())
		s.checkView(t, b, w, "1-pay")
		b.Click(wallet)
		b.Fill(phoneField, "٠٩١ ٢٣٤ ٥٦٧٨")
		if p = b.Follow(payButton); p.State != "otp" || !strings.Contains(p.Text, "091•••5678") {
			t.Fatalf("code page %+v", p)
		}
		s.checkView(t, b, w, "2-code")
		s.unpaid(t, uuid, "processing")
		if p = enter(b, rightCode); p.State != "receipt" {
			t.Fatalf("receipt %+v", p)
		}
		s.checkView(t, b, w, "3-receipt")
		var body struct{ Data struct{ Reference string } }
		s.fetch(t, s.base+"/payment-intents/"+uuid, &body)
		shown := strings.TrimSpace(browsertest.Evaluate[string](b, `document.querySelector(".ref").innerText`))
		if shown == "" || !strings.EqualFold(shown, body.Data.Reference) {
			t.Errorf("the receipt shows %q for %q", shown, body.Data.Reference)
		}
		if link := b.Attribute(wayBack, "href"); link != s.returnURL(order) {
			t.Errorf("the way back leads to %q", link)
		}
		w.goBack(t, b, s.returnURL(order))
		pgtest.WaitFor(t, "the payer at the shop", func() bool { return len(s.returned(order)) > 0 })
		if came := s.returned(order); len(came) != 1 || came[0].Referer() != "" {
			t.Errorf("%d arrivals at the shop, with the referrer %q", len(came), came[0].Referer())
		}
		s.paidOnce(t, uuid)
	})
}

// goBack takes the payer to the shop. One payer with scripts and one without only wait; the others
// choose to stay and leave later.
func (w way) goBack(t *testing.T, b *browsertest.Tab, returnURL string) {
	t.Helper()
	if w == (way{"ar", false, 320}) || w == (way{"en", true, 320}) {
		b.Await("the page to lead to the shop", func(p browsertest.Page) bool { return p.Address == returnURL })
		return
	}
	b.Click(`main a[href*="stay"]`)
	p := b.Await("the payer to stay", func(p browsertest.Page) bool {
		return strings.Contains(p.Address, "stay")
	})
	if moves := b.Count("meta[http-equiv=refresh]"); p.State != "receipt" || moves != 0 {
		t.Errorf("%d moves on the page of a payer who stays: %+v", moves, p)
	}
	shown := browsertest.Evaluate[bool](b, `[...document.querySelectorAll("[data-moves]")].some(e => !e.hidden)`)
	if shown {
		t.Error("the page still announces the move")
	}
	if p := b.Follow(wayBack); p.Address != returnURL {
		t.Errorf("the way back led to %+v", p)
	}
}

// checkView checks a page against what every page must satisfy.
func (s *storefront) checkView(t *testing.T, b *browsertest.Tab, w way, name string) {
	t.Helper()
	s.checkPage(t, b, w.lang, w.String()+"/"+name)
	// A page that reloads itself breaks a rule; this is the cost of working without scripts.
	if w.width == 320 && w.scripts {
		s.checkAccessibility(b)
	}
}

// checkSize checks that a page is small enough for a slow connection.
func checkSize(t *testing.T, requests []browsertest.Request) {
	t.Helper()
	bytes := 0
	// The request for the state comes two seconds later.
	requests = slices.DeleteFunc(requests, func(r browsertest.Request) bool { return r.Type == "Fetch" })
	for _, r := range requests {
		bytes += r.Bytes
		if r.Type == "Image" || r.Status != 200 {
			t.Errorf("the page fetched %+v", r)
		}
	}
	if len(requests) == 0 || len(requests) > 4 || bytes > 60_000 {
		t.Errorf("%d requests, %d bytes: %+v", len(requests), bytes, requests)
	}
}

// A payer who chooses the card gets to the bank's page, which is not ours, and from there back to
// the outcome of the payment.
func theBanksPage(t *testing.T, s *storefront) {
	eachWay(t, s.bankWays, func(t *testing.T, w way) {
		uuid, checkoutURL := s.sell(t, "card-"+w.String())
		b := s.visitor(t, browsertest.Options{Width: w.width, Scripts: w.scripts})
		s.toBank(t, b, w, localised(checkoutURL, w.lang))
		if p := b.Follow("#decline"); p.State != "declined" {
			t.Fatalf("at the bank %+v", p)
		}
		p := w.fromBank(b, "pay")
		if p.Detail != "failed" {
			t.Errorf("after a declined card %+v", p)
		}
		s.checkView(t, b, w, "7-declined")
		s.unpaid(t, uuid, "requires_payment_method")
		s.toBank(t, b, w, localised(checkoutURL, w.lang))
		if p := b.Follow("#pay"); p.State != "paid" {
			t.Fatalf("at the bank %+v", p)
		}
		w.fromBank(b, "receipt")
		s.checkView(t, b, w, "9-receipt-card")
		s.paidOnce(t, uuid)
	})
}

// toBank chooses the card, which leads to the bank's page with one tap. A payer who goes back finds
// the link again.
func (s *storefront) toBank(t *testing.T, b *browsertest.Tab, w way, checkoutURL string) {
	t.Helper()
	b.Navigate(checkoutURL)
	b.Click(card)
	p := b.Follow(payButton)
	if p.State != "choose" || !strings.HasPrefix(p.Address, s.sandbox+"/bank/") {
		t.Fatalf("one tap leads to %+v", p)
	}
	b.Back()
	p = b.Await("the page in between", func(p browsertest.Page) bool { return p.State == "processing" })
	if p.Detail != "bank" {
		t.Fatalf("page before the bank's %+v", p)
	}
	s.checkView(t, b, w, "5-to-bank")
	p = b.Follow(`a.btn[href*="/bank/"]`)
	if p.State != "choose" || p.Lang != w.lang || !strings.Contains(p.Text, "5.000") {
		t.Fatalf("the bank's page %+v", p)
	}
	s.checkView(t, b, w, "6-bank")
}

// fromBank follows the link back and waits until the page shows the outcome.
func (w way) fromBank(b *browsertest.Tab, state string) browsertest.Page {
	b.Follow("#back")
	return b.Await(state+" after the bank", func(p browsertest.Page) bool { return p.State == state })
}
