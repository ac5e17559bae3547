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

// codes is what can happen between the code page and the payment.
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

// Five wrong codes end the attempt without taking money, and the order can be paid
// in another one.
func tooManyCodes(t *testing.T, s *storefront) {
	uuid, checkoutURL := s.sell(t, "wrong-codes")
	b := s.visitor(t, browsertest.Options{})
	toCode(t, b, checkoutURL+"?lang=en", newPhone())
	for n := range 4 {
		p := enter(b, wrongCode)
		if p.State != "otp" || !strings.HasPrefix(p.Title, "Error: ") {
			t.Fatalf("after %d wrong codes %+v", n+1, p)
		}
		atCode(b)
		if n == 0 {
			s.proper(t, b, "en", "en-wrong-code")
			s.judge(b)
		}
	}
	p := enter(b, wrongCode)
	if p.State != "pay" || p.Detail != "failed" || !strings.Contains(p.Text, "No money was taken") {
		t.Fatalf("after the fifth wrong code %+v", p)
	}
	s.proper(t, b, "en", "en-code-locked")
	s.judge(b)
	s.unpaid(t, uuid, "requires_payment_method")
	toCode(t, b, checkoutURL+"?lang=en", newPhone())
	if p := enter(b, rightCode); p.State != "receipt" {
		t.Fatalf("receipt %+v", p)
	}
	s.paidOnce(t, uuid)
}

// A new code can be had, but not at once. Who asks too early without a script is
// told to wait; where scripts run the button waits.
func sentAgain(t *testing.T, s *storefront) {
	uuid, checkoutURL := s.sell(t, "sent-again")
	b := s.visitor(t, browsertest.Options{Scripts: true})
	toCode(t, b, checkoutURL, newPhone())
	if disabled := browsertest.Evaluate[bool](b,
		"document.querySelector('"+resendButton+"').disabled"); !disabled {
		t.Error("a new code can be asked for at once")
	}
	early := s.visitor(t, browsertest.Options{})
	early.Navigate(checkoutURL)
	if p := early.Follow(resendButton); p.State != "otp" {
		t.Errorf("who asks too early sees %+v", p)
	}
	s.proper(t, early, "ar", "ar-resend-early")
	s.judge(early)
	before := b.Page()
	p := b.Follow(resendButton) // waits for the button
	if p.State != "otp" || p.Title == before.Title {
		t.Errorf("after a new code was sent %+v", p)
	}
	s.proper(t, b, "ar", "ar-resent")
	s.judge(b)
	if p := enter(b, rightCode); p.State != "receipt" {
		t.Fatalf("receipt %+v", p)
	}
	if n := s.opened(t, uuid); n != 1 {
		t.Errorf("%d payments were opened", n)
	}
	s.paidOnce(t, uuid)
}

// Who has no code gives the attempt up and pays another way.
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
