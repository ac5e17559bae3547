//go:build long

package acceptance_test

import (
	"slices"
	"testing"

	"daftar/tools/acceptance/browsertest"
)

// The checkout in every language, width and kind of browser, with each page checked for
// accessibility.
func TestLongCheckoutInBrowser(t *testing.T) { //nolint:tparallel // as TestCheckoutInBrowser
	t.Parallel()
	s := openStorefront(t, demo(t, t.TempDir()))
	s.closely = true
	for _, lang := range []string{"ar", "en"} {
		for _, scripts := range []bool{false, true} {
			s.ways = append(s.ways, way{lang, scripts, 320}, way{lang, scripts, 1280})
			s.bankWays = append(s.bankWays, way{lang, scripts, 320})
		}
	}
	s.more = map[string]func(*testing.T, *storefront){
		"to an app": theWayToAnApp, "the proof": theProof, "stale forms": staleForms, "codes": codes,
	}
	s.keyboardWays = []way{{"ar", true, 390}, {"en", false, 390}}
	s.payers(t)
}

// A merchant's app gets its customer back through its own URL scheme: by the link, and by the page
// itself with or without a script, in the exact bytes that the merchant sent.
func theWayToAnApp(t *testing.T, s *storefront) {
	for name, o := range map[string]browsertest.Options{"link": {Scripts: true},
		"scripts": {Scripts: true}, "plain": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			link := "lyshop://orders/'(" + name + ")'"
			uuid, checkoutURL := s.sellWithReturn(t, "app-"+name, link)
			b := s.visitor(t, o)
			b.Allow("orders")
			b.Navigate(checkoutURL)
			b.Click(wallet)
			b.Fill(phoneField, newPhone())
			b.Follow(payButton)
			if p := enter(b, rightCode); p.State != "receipt" {
				t.Fatalf("receipt %+v", p)
			}
			if href := b.Attribute(wayBack, "href"); href != link {
				t.Errorf("the way back leads to %q", href)
			}
			if name == "link" {
				b.Click(wayBack)
			}
			b.Await("the browser to open "+link, func(browsertest.Page) bool {
				return slices.ContainsFunc(b.Requests(), func(r browsertest.Request) bool { return r.URL == link })
			})
			s.paidOnce(t, uuid)
		})
	}
}

// A window that still shows an earlier page learns the order's outcome: by itself if scripts run,
// and otherwise when its form is sent.
func staleForms(t *testing.T, s *storefront) {
	uuid, checkoutURL := s.sell(t, "stale")
	checkoutURL += "?lang=en"
	watching := s.visitor(t, browsertest.Options{Scripts: true})
	watching.Navigate(checkoutURL)
	atPay := s.visitor(t, browsertest.Options{})
	atPay.Navigate(checkoutURL)
	atPay.Click(wallet)
	atPay.Fill(phoneField, newPhone())
	b := s.visitor(t, browsertest.Options{})
	toCode(t, b, checkoutURL, newPhone())
	atCode := s.visitor(t, browsertest.Options{})
	if p := atCode.Navigate(checkoutURL); p.State != "otp" {
		t.Fatalf("the second window shows %+v", p)
	}
	watching.Await("the page for the code", code)
	atCode.Fill(codeField, rightCode)
	if p := enter(b, rightCode); p.State != "receipt" {
		t.Fatalf("receipt %+v", p)
	}
	watching.Await("the receipt", receipt)
	if p := atPay.Follow(payButton); p.State != "receipt" {
		t.Errorf("the stale pay form leads to %+v", p)
	}
	if p := atCode.Follow(codeButton); p.State != "receipt" {
		t.Errorf("the stale code form leads to %+v", p)
	}
	if n := s.opened(t, uuid); n != 1 {
		t.Errorf("%d payments were opened", n)
	}
	s.paidOnce(t, uuid)
}
