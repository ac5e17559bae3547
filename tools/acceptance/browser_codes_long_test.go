//go:build long

package acceptance_test

import (
	"strings"
	"testing"

	"daftar/tools/acceptance/browsertest"
)

const (
	resendButton = `form[action*="/resend"] button`
	giveUpButton = `form[action*="/give-up"] button`
)

// codes tests what can happen between the code page and the payment.
func codes(t *testing.T, s *storefront) {
	t.Run("too many wrong", func(t *testing.T) {
		t.Parallel()
		tooManyCodes(t, s)
	})
	t.Run("sent again", func(t *testing.T) {
		t.Parallel()
		sentAgain(t, s)
	})
	t.Run("given up", func(t *testing.T) {
		t.Parallel()
		s.plainAndScripted(t, "plain", func(t *testing.T, name string, scripts bool) {
			givenUp(t, s, name, scripts)
		})
	})
}

// Five wrong codes end the attempt without taking money. The order can be paid with another
// attempt.
func tooManyCodes(t *testing.T, s *storefront) {
	uuid, checkoutURL := s.sell(t, "wrong-codes")
	b := s.visitor(t, browsertest.Options{})
	toCode(t, b, checkoutURL+"?lang=en", newPhone())
	for n := range 4 {
		p := enter(b, wrongCode)
		if p.State != "otp" || !strings.HasPrefix(p.Title, "Error: ") {
			t.Fatalf("after %d wrong codes %+v", n+1, p)
		}
		awaitField(b, "otp")
		if n == 0 {
			s.checkPage(t, b, "en", "en-wrong-code")
			s.checkAccessibility(b)
		}
	}
	p := enter(b, wrongCode)
	if p.State != "pay" || p.Detail != "failed" || !strings.Contains(p.Text, "No money was taken") {
		t.Fatalf("after the fifth wrong code %+v", p)
	}
	s.checkPage(t, b, "en", "en-code-locked")
	s.checkAccessibility(b)
	s.unpaid(t, uuid, "requires_payment_method")
	toCode(t, b, checkoutURL+"?lang=en", newPhone())
	if p := enter(b, rightCode); p.State != "receipt" {
		t.Fatalf("receipt %+v", p)
	}
	s.paidOnce(t, uuid)
}

// A new code can be requested, but not at once. Without scripts, a payer who asks too early is
// asked to wait; with scripts, the button is disabled until then.
func sentAgain(t *testing.T, s *storefront) {
	uuid, checkoutURL := s.sell(t, "sent-again")
	b := s.visitor(t, browsertest.Options{Scripts: true})
	toCode(t, b, checkoutURL, newPhone())
	disabled := browsertest.Evaluate[bool](b, "document.querySelector('"+resendButton+"').disabled")
	if !disabled {
		t.Error("a new code can be asked for at once")
	}
	early := s.visitor(t, browsertest.Options{})
	early.Navigate(checkoutURL)
	if p := early.Follow(resendButton); p.State != "otp" {
		t.Errorf("a payer who asks too early sees %+v", p)
	}
	s.checkPage(t, early, "ar", "ar-resend-early")
	s.checkAccessibility(early)
	before := b.Page()
	p := b.Follow(resendButton) // waits until the button is enabled
	if p.State != "otp" || p.Title == before.Title {
		t.Errorf("after a new code was sent %+v", p)
	}
	s.checkPage(t, b, "ar", "ar-resent")
	s.checkAccessibility(b)
	if p := enter(b, rightCode); p.State != "receipt" {
		t.Fatalf("receipt %+v", p)
	}
	if n := s.opened(t, uuid); n != 1 {
		t.Errorf("%d payments were opened", n)
	}
	s.paidOnce(t, uuid)
}

// A payer without a code gives up the attempt and pays with another method.
func givenUp(t *testing.T, s *storefront, name string, scripts bool) {
	uuid, checkoutURL := s.sell(t, "given-up-"+name)
	checkoutURL += "?lang=en"
	b := s.visitor(t, browsertest.Options{Scripts: scripts})
	toCode(t, b, checkoutURL, newPhone())
	b.Click(giveUpButton)
	p := b.Await("the choice of methods", func(p browsertest.Page) bool { return p.State == "pay" })
	if !strings.Contains(p.Text, "No money was taken") {
		t.Errorf("after giving up %+v", p)
	}
	s.unpaid(t, uuid, "requires_payment_method")
	w := way{"en", scripts, 390}
	s.toBank(t, b, w, checkoutURL)
	b.Follow("#pay")
	w.fromBank(b, "receipt")
	s.paidOnce(t, uuid)
}
