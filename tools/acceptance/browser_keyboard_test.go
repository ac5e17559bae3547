package acceptance_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/tools/acceptance/browsertest"
)

// A payer without a mouse reaches every control, sees where the focus is, and after a mistake is
// led to the faulty field.
func keyboardOnly(t *testing.T, s *storefront) {
	eachWay(t, s.keyboardWays, func(t *testing.T, w way) {
		uuid, checkoutURL := s.sell(t, "keys-"+w.String())
		b := s.visitor(t, browsertest.Options{Scripts: w.scripts})
		b.Navigate(localised(checkoutURL, w.lang))
		want := []string{"a", "input method", "input phone", "button", "a.back"}
		if diff := cmp.Diff(want, tabStops(t, b, s.shop)); diff != "" {
			t.Errorf("stops of the Tab key (-want +got)\n%s", diff)
		}
		payWithKeys(t, b)
		s.unpaid(t, uuid, "processing")
		tabTo(t, b, func(f browsertest.Focus) bool { return f.Name == "otp" })
		p := b.Load("Enter", func() { b.Press(wrongCode, browsertest.Enter) })
		if p.State != "otp" {
			t.Errorf("after a wrong code %+v", p)
		}
		awaitField(b, "otp")
		p = b.Load("Enter", func() { b.Press(rightCode, browsertest.Enter) })
		if p.State != "receipt" {
			t.Fatalf("receipt %+v", p)
		}
		tabTo(t, b, func(f browsertest.Focus) bool { return f.Href == s.returnURL("keys-"+w.String()) })
		if p = b.Load("Enter", func() { b.Press(browsertest.Enter) }); p.State != "shop" {
			t.Errorf("the way back led to %+v", p)
		}
		s.paidOnce(t, uuid)
	})
}

// payWithKeys chooses the wallet and gives a number, at first a wrong one.
func payWithKeys(t *testing.T, b *browsertest.Tab) {
	t.Helper()
	tabTo(t, b, func(f browsertest.Focus) bool { return f.Name == "method" })
	first := b.Focus().Value
	b.Press(browsertest.Down)
	if f := b.Focus(); f.Name != "method" || f.Value == first || !f.Visible {
		t.Errorf("the arrow leads from %s to %+v", first, f)
	}
	for n := 0; n < 10 && b.Focus().Value != "wallet"; n++ {
		b.Press(browsertest.Down)
	}
	b.Press(browsertest.Space)
	chosen := browsertest.Evaluate[string](b, `document.querySelector("[name=method]:checked").value`)
	if chosen != "wallet" {
		t.Errorf("chosen is %q", chosen)
	}
	tabTo(t, b, func(f browsertest.Focus) bool { return f.Name == "phone" })
	p := b.Load("Enter", func() { b.Press("123", browsertest.Enter) })
	if p.State != "pay" || p.Status != 422 {
		t.Fatalf("after a wrong number %+v", p)
	}
	awaitField(b, "phone")
	if !strings.Contains(p.Title, ": ") {
		t.Errorf("the title does not begin with the mistake: %q", p.Title)
	}
	b.Press(browsertest.End, browsertest.Backspace, browsertest.Backspace, browsertest.Backspace)
	p = b.Load("Enter", func() { b.Press(newPhone(), browsertest.Enter) })
	if p.State != "otp" {
		t.Fatalf("code page %+v", p)
	}
}

// awaitField waits until the focus is on the one field that is to be corrected.
func awaitField(b *browsertest.Tab, name string) {
	b.Await("the focus on the field", func(browsertest.Page) bool { return b.Focus().Name == name })
}

// tabStops are where the Tab key leads on the pay page, one after the other.
func tabStops(t *testing.T, b *browsertest.Tab, shop string) []string {
	t.Helper()
	var names []string
	for range 20 {
		b.Press(browsertest.TabKey)
		f := b.Focus()
		if f.Tag == "body" {
			return names
		}
		if !f.Visible {
			t.Errorf("no ring around %+v", f)
		}
		switch {
		case f.Name != "":
			names = append(names, f.Tag+" "+f.Name)
		case strings.HasPrefix(f.Href, shop):
			names = append(names, "a.back")
		default:
			names = append(names, f.Tag)
		}
		if len(names) > 1 && names[len(names)-1] == names[0] {
			return names[:len(names)-1]
		}
	}
	t.Fatalf("the Tab key does not come round: %q", names)
	return nil
}

// tabTo presses Tab until the focus is where it should be.
func tabTo(t *testing.T, b *browsertest.Tab, there func(browsertest.Focus) bool) {
	t.Helper()
	for range 20 {
		if f := b.Focus(); there(f) {
			if !f.Visible {
				t.Errorf("no ring around %+v", f)
			}
			return
		}
		b.Press(browsertest.TabKey)
	}
	t.Fatalf("the Tab key does not lead there; the focus is on %+v", b.Focus())
}
