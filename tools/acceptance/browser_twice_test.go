package acceptance_test

import (
	"testing"

	"daftar/tools/acceptance/browsertest"
)

// Whatever a payer presses, in any number of windows, an order is paid once, and every window shows
// that at the end.

func code(p browsertest.Page) bool { return p.State == "otp" }

// receipt reports whether the receipt is or was shown: after some seconds it leads back to the
// shop.
func receipt(p browsertest.Page) bool { return p.State == "receipt" || p.State == "shop" }

// plainAndScripted runs a test in a browser without scripts and in one with them. If pages are not
// checked closely, it runs only the given one.
func (s *storefront) plainAndScripted(t *testing.T, one string,
	run func(t *testing.T, name string, scripts bool),
) {
	for name, scripts := range map[string]bool{"plain": false, "scripts": true} {
		if name != one && !s.closely {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, name, scripts)
		})
	}
}

func twoTabs(t *testing.T, s *storefront) {
	s.plainAndScripted(t, "scripts", func(t *testing.T, name string, scripts bool) {
		uuid, checkoutURL := s.sell(t, "tabs-"+name)
		phone := newPhone()
		var tabs [2]*browsertest.Tab
		for n := range tabs {
			tabs[n] = s.visitor(t, browsertest.Options{Scripts: scripts})
			tabs[n].Navigate(checkoutURL + "?lang=en")
			tabs[n].Click(wallet)
			tabs[n].Fill(phoneField, phone)
		}
		tabs[0].Click(payButton) // does not wait for the next page
		tabs[1].ClickWhereShown(payButton)
		for _, b := range tabs {
			b.Await("the page for the code", code)
		}
		if n := s.opened(t, uuid); n != 1 {
			t.Errorf("%d payments were opened", n)
		}
		for _, b := range tabs {
			b.Fill(codeField, rightCode)
		}
		tabs[0].Click(codeButton)
		tabs[1].ClickWhereShown(codeButton)
		for _, b := range tabs {
			b.Await("the receipt", receipt)
		}
		s.paidOnce(t, uuid)
	})
}

func doubleClick(t *testing.T, s *storefront) {
	s.plainAndScripted(t, "plain", func(t *testing.T, name string, scripts bool) {
		uuid, checkoutURL := s.sell(t, "double-"+name)
		b := s.visitor(t, browsertest.Options{Scripts: scripts})
		b.Navigate(checkoutURL)
		b.Click(wallet)
		b.Fill(phoneField, newPhone())
		b.DoubleClick(payButton)
		b.Await("the page for the code", code)
		if n := s.opened(t, uuid); n != 1 {
			t.Errorf("%d payments were opened", n)
		}
		b.Fill(codeField, rightCode)
		b.DoubleClick(codeButton)
		b.Await("the receipt", receipt)
		s.paidOnce(t, uuid)
	})
}

// The previous page shows the current state, not the one at its first display.
func theBackButton(t *testing.T, s *storefront) {
	s.plainAndScripted(t, "plain", func(t *testing.T, name string, scripts bool) {
		uuid, checkoutURL := s.sell(t, "back-"+name)
		b := s.visitor(t, browsertest.Options{Scripts: scripts})
		toCode(t, b, checkoutURL, newPhone())
		b.Back()
		b.Await("the page for the code", code)
		if n := s.opened(t, uuid); n != 1 {
			t.Errorf("%d payments were opened", n)
		}
		if p := enter(b, rightCode); p.State != "receipt" {
			t.Fatalf("receipt %+v", p)
		}
		b.Back()
		b.Await("the receipt", receipt)
		s.paidOnce(t, uuid)
	})
}
