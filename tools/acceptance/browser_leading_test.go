package acceptance_test

import (
	"slices"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/browsertest"
)

// Each of Plutu's hosted methods leads to its page with one tap, under our page's content security
// policy, with scripts and without, and from there back to the receipt.
func TestOneTapToPlutuInBrowser(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	m := &marketplace{bazaar: &bazaar{search: &search{t: t}, db: db}, gateways: newGateways(t)}
	database := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	env := slices.Concat(database, m.gateways.env)
	m.who, m.visitor = newShop(t, env), m.search.visitor("checkout")
	m.gateways.set(t, env, m.who.app, "plutu", "methods", []string{"cards", "tlync"})
	m.served = serve(t, db.ServiceURL(), m.gateways.env...)
	host := m.gateways.host(t, "plutu")
	for name, o := range map[string]browsertest.Options{"cards": {Scripts: true}, "tlync": {}} {
		intent, page := m.order(name)
		b := browsertest.Open(t, o)
		b.Allow(host)
		b.Navigate(page)
		b.Click(`input[name=method][value=` + name + `]`)
		if name == "tlync" {
			b.Fill(phoneField, "0912345678")
		}
		if p := b.Follow(payButton); !strings.HasPrefix(p.Address, "http://"+host+"/pay/") {
			t.Fatalf("%s: one tap leads to %+v", name, p)
		}
		b.Follow("button[value=pay]")
		b.Await("the receipt", func(p browsertest.Page) bool { return p.State == "receipt" })
		if got := m.served.ask(t, m.who, "GET", "/payment-intents/"+intent, ""); got.data.Status != "succeeded" {
			t.Errorf("%s: the API says %s", name, got.body)
		}
	}
}
