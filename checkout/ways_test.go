package checkout_test

import (
	"strings"
	"testing"

	"daftar/checkout"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/plutu"
	"daftar/payments/acquirer/registry"
	"daftar/payments/acquirer/sandbox"
)

// rowsOf returns the names on the pay page with these offers.
func rowsOf(t *testing.T, l locale.Lang, offers ...checkout.Offer) (names []string) {
	t.Helper()
	order := checkout.Order{Amount: domain.Money{Minor: 5_000, Currency: domain.LYD}}
	page := checkout.Page{Lang: l, Address: "/pay", State: checkout.Pay{Order: order, Offers: offers}}
	text, err := page.Render()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range parse(t, string(text)).all("label") {
		if row.attr("class") != "way" {
			continue
		}
		names = append(names, row.one(t, "b").text())
		sign := row.one(t, "svg")
		if sign.attr("width") != "40" || sign.attr("height") != "24" || sign.attr("aria-hidden") != "true" {
			t.Errorf("the sign is %v", sign.Attr)
		}
	}
	return names
}

// Whatever methods of whatever acquirers a shop has, no two rows of its page have the same name, and
// each has a sign. The acquirer is named only where it tells two rows apart.
func TestNoTwoWaysAreAlike(t *testing.T) {
	t.Parallel()
	var all []checkout.Offer
	for _, d := range registry.All() {
		for _, m := range d.Methods {
			all = append(all, checkout.Offer{Method: m.Method})
		}
	}
	for _, l := range languages {
		card := map[locale.Lang]string{locale.Arabic: "بطاقة مصرفية", locale.English: "Bank card"}[l]
		for set := 1; set < 1<<len(all); set++ {
			var offers []checkout.Offer
			for n, o := range all {
				if set&(1<<n) != 0 {
					offers = append(offers, o)
				}
			}
			names, cards := rowsOf(t, l, offers...), 0
			seen := make(map[string]bool)
			for _, name := range names {
				if seen[name] {
					t.Errorf("%v: two rows are %q", offers, name)
				}
				seen[name] = true
				if strings.HasPrefix(name, card) {
					cards++
				}
			}
			if len(names) != len(offers) || cards > 0 && (cards == 1) != seen[card] {
				t.Errorf("%v: the rows are %q", offers, names)
			}
		}
	}
}

// A hint that says for whom a method is says the same as the check of what is typed.
func TestHintsSayForWhom(t *testing.T) {
	t.Parallel()
	provider, err := plutu.Description.Open(acquirer.Addresses{"DAFTAR_PLUTU_URL": "https://plutu.example"})
	if err != nil {
		t.Fatal(err)
	}
	_, words, _ := registry.OfMethod(plutu.Sadad)
	can, _ := acquirer.CapabilityOf(provider, plutu.Sadad)
	for _, in := range can.Inputs {
		for _, prefix := range in.Prefixes {
			if !strings.Contains(words.Hint.Arabic, prefix) || !strings.Contains(words.Hint.English, prefix) {
				t.Errorf("%+v does not name %s", words.Hint, prefix)
			}
		}
	}
}

// After a failure the page proposes what its text does: another way where this one would fail again,
// without a code where too many were sent, and otherwise the same way once more.
func TestTheNextTryIsProposed(t *testing.T) {
	t.Parallel()
	phone := []acquirer.Field{acquirer.Phone}
	adfali := checkout.Offer{Method: plutu.Adfali, Needs: phone}
	tlync := checkout.Offer{Method: plutu.TLync, Needs: phone}
	card := checkout.Offer{Method: sandbox.Card}
	for _, row := range []struct {
		failed acquirer.Reason
		by     acquirer.Method
		want   acquirer.Method
	}{
		{"", "", plutu.Adfali},
		{acquirer.CodeExpired, plutu.TLync, plutu.TLync},
		{acquirer.PhoneRefused, plutu.TLync, plutu.TLync},
		{acquirer.Abandoned, sandbox.Card, sandbox.Card},
		{acquirer.InsufficientFunds, plutu.Adfali, plutu.TLync},
		{acquirer.InsufficientFunds, sandbox.Card, plutu.Adfali},
		{acquirer.TooManyCodes, plutu.Adfali, sandbox.Card},
		{acquirer.GenericDecline, plutu.Sadad, plutu.Adfali},
		{acquirer.CodeLocked, plutu.Sadad, plutu.Adfali}, // no longer offered
	} {
		p := checkout.Pay{Offers: []checkout.Offer{adfali, tlync, card}, Failed: row.failed, FailedBy: row.by}
		if got := p.Preselected(); got != row.want {
			t.Errorf("after %q by %s: %s is selected, want %s", row.failed, row.by, got, row.want)
		}
	}
	alone := []checkout.Offer{adfali}
	p := checkout.Pay{Offers: alone, Failed: acquirer.GenericDecline, FailedBy: plutu.Adfali}
	if got := p.Preselected(); got != plutu.Adfali {
		t.Errorf("of one way, %q is selected", got)
	}
}
