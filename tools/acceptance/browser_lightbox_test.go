package acceptance_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/browsertest"
)

// A payer types card and code in the form of the acquirer, which lies over our page under a
// policy of its own: first a wrong code, then the right one. Only the inquiry makes a receipt.
func TestLightboxInBrowser(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	m := &marketplace{bazaar: &bazaar{search: &search{t: t}, db: db}, gateways: newGateways(t)}
	env := slices.Concat([]string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}, m.gateways.env)
	m.who, m.visitor = newShop(t, env), m.search.visitor("checkout")
	for _, name := range []string{"plutu", "moamalat"} {
		m.gateways.set(t, env, m.who.app, name)
	}
	m.served = serve(t, db.ServiceURL(), m.gateways.env...)
	intent, page := m.order("lightbox")

	b := browsertest.Open(t, browsertest.Options{Scripts: true})
	b.Allow(m.gateways.host(t, "moamalat"))
	b.Navigate(page)
	b.Click(`input[name=method][value=moamalat]`)
	if p := b.Follow("main form button"); p.State != "lightbox" {
		t.Fatalf("the form is on %+v", p)
	}
	b.Await("the acquirer's form", func(browsertest.Page) bool { return b.Count("iframe.moamalat-lightbox-frame") == 1 })

	// The bank of the card has its page at another origin, to which the frame moves on.
	bank := strings.Replace(m.gateways.host(t, "moamalat"), "127.0.0.1", "localhost", 1)
	b.Allow(bank)
	browsertest.Evaluate[string](b, `document.querySelector("iframe").src = "http://`+bank+`/form"`)
	b.Await("the bank's page in the frame", func(browsertest.Page) bool {
		return slices.ContainsFunc(b.Requests(), func(r browsertest.Request) bool { return r.URL == "http://"+bank+"/js/form.js" })
	})
	if p := b.Navigate(page); p.State != "lightbox" {
		t.Fatalf("who opens the link again is at %+v", p)
	}
	b.Await("the form again", func(browsertest.Page) bool { return b.Count("iframe.moamalat-lightbox-frame") == 1 })
	for n := 0; n < 30 && b.Focus().Tag != "iframe"; n++ { // to the card's number
		b.Press(browsertest.TabKey)
	}
	if b.Focus().Tag != "iframe" {
		t.Fatal("the keyboard does not come to the form")
	}
	b.Press(browsertest.TabKey, "1", "2", "3", browsertest.Enter)
	if got := m.served.ask(t, m.who, "GET", "/payment-intents/"+intent, ""); got.data.Status != "processing" {
		t.Errorf("after a wrong code the intent is %s", got.body)
	}
	b.Press(browsertest.Backspace, browsertest.Backspace, browsertest.Backspace, "1", "1", "1", "1", "1", "1", browsertest.Enter)
	b.Await("the receipt", func(p browsertest.Page) bool { return p.State == "receipt" })
	if got := m.served.ask(t, m.who, "GET", "/payment-intents/"+intent, ""); got.data.Status != "succeeded" {
		t.Errorf("the API says %s", got.body)
	}
}

// Who chooses a card of Plutu is at its page by one tap, also without scripts: the policy of our
// page lets the form lead there.
func TestOneTapInBrowser(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	m := &marketplace{bazaar: &bazaar{search: &search{t: t}, db: db}, gateways: newGateways(t)}
	env := slices.Concat([]string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}, m.gateways.env)
	m.who, m.visitor = newShop(t, env), m.search.visitor("checkout")
	m.gateways.set(t, env, m.who.app, "plutu")
	m.served = serve(t, db.ServiceURL(), m.gateways.env...)
	host := m.gateways.host(t, "plutu")
	for _, scripts := range []bool{false, true} {
		_, page := m.order(fmt.Sprintf("tap-%t", scripts))
		b := browsertest.Open(t, browsertest.Options{Scripts: scripts})
		b.Allow(host)
		b.Navigate(page)
		b.Click(`input[name=method][value=cards]`)
		if p := b.Follow("main form button"); !strings.HasPrefix(p.Address, "http://"+host+"/pay/") {
			t.Errorf("scripts %t: after one tap at %+v", scripts, p)
		}
		if p := b.Navigate(page); p.State != "processing" {
			t.Errorf("scripts %t: who opens the link again is at %+v", scripts, p)
		}
	}
}

// host is where the fake of an acquirer listens.
func (g *gateways) host(t *testing.T, name string) string {
	t.Helper()
	for _, variable := range g.env {
		if at, is := strings.CutPrefix(variable, "DAFTAR_"+strings.ToUpper(name)+"_URL="); is {
			address, err := url.Parse(at)
			if err != nil {
				t.Fatal(err)
			}
			return address.Host
		}
	}
	t.Fatalf("there is no fake of %s", name)
	return ""
}
