package acceptance_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/browsertest"
)

// A payer enters card and code in the acquirer's form, a frame over our page with its own policy:
// first a wrong code, then the right one. Only the inquiry leads to a receipt.
func TestLightboxInBrowser(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	m := &marketplace{bazaar: &bazaar{search: &search{t: t}, db: db}, gateways: newGateways(t)}
	database := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	env := slices.Concat(database, m.gateways.env)
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
	b.Await("the acquirer's form by itself", func(browsertest.Page) bool {
		return b.Count("iframe.moamalat-lightbox-frame") == 1
	})
	b.Navigate(page) // the second time the button opens it: the form opens by itself only once
	if n := b.Count("iframe.moamalat-lightbox-frame"); n != 0 {
		t.Fatal("the form opens by itself again")
	}
	if b.Click("#open-lightbox"); b.Count("iframe.moamalat-lightbox-frame") != 1 {
		t.Fatal("the button does not open the form")
	}
	formIsReady(b)
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
	b.Press(browsertest.Backspace, browsertest.Backspace, browsertest.Backspace,
		"1", "1", "1", "1", "1", "1", browsertest.Enter)
	b.Await("the receipt", func(p browsertest.Page) bool { return p.State == "receipt" })
	if got := m.served.ask(t, m.who, "GET", "/payment-intents/"+intent, ""); got.data.Status != "succeeded" {
		t.Errorf("the API says %s", got.body)
	}
}

// formIsReady waits until the acquirer's form accepts keys: the last thing that its script does is
// to report that it is open.
func formIsReady(b *browsertest.Tab) {
	b.Await("the form to be ready", func(browsertest.Page) bool {
		return slices.ContainsFunc(b.Requests(), func(r browsertest.Request) bool {
			return strings.HasSuffix(r.URL, "/form")
		})
	})
}

// host is the address of an acquirer's fake.
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
