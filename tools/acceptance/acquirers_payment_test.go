package acceptance_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// With a shifted clock a server refuses to start if it could move real money. With fakes on this
// machine it starts.
func TestShiftedClockIsForPlayMoney(t *testing.T) {
	t.Parallel()
	g := newGateways(t)
	db := pgtest.Database(t)
	base := []string{
		"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey, "DAFTAR_CLOCK_OFFSET=1h",
		"DAFTAR_LISTEN=" + address(t), "DAFTAR_OPS_LISTEN=" + address(t),
	}
	app := newShop(t, base).app
	refuses := func(what, name, at string, extra ...string) {
		t.Helper()
		r := call(t, slices.Concat(base, extra), "serve")
		reason := "DAFTAR_CLOCK_OFFSET: applications have accounts with " + name + " at " + at
		if r.code != 2 || !strings.Contains(r.errors, reason) {
			t.Errorf("%s: exit %d: %s", what, r.code, r.errors)
		}
		g.keepsSecrets(t, what, r.errors)
	}
	serve(t, db.ServiceURL(), "DAFTAR_CLOCK_OFFSET=1h").Stop(t, syscall.SIGTERM) // no application has an account
	g.set(t, base, app, "plutu")
	refuses("Plutu's own address", "plutu", "https://api.plutus.ly/api")
	if r := call(t, base, "acquirer", "disable", "plutu", "--app", app); r.code != 0 {
		t.Fatalf("disable: %s", r.errors)
	}
	refuses("a disabled account", "plutu", "https://api.plutus.ly/api")
	serve(t, db.ServiceURL(), append(g.env, "DAFTAR_CLOCK_OFFSET=1h")...).Stop(t, syscall.SIGTERM)
	g.set(t, base, app, "moamalat")
	refuses("Moamalat's own address", "moamalat", "https://npg.moamalat.net", g.env[0])
	refuses("Moamalat's own form", "moamalat", "https://npg.moamalat.net:6006",
		append(g.env, "DAFTAR_MOAMALAT_LIGHTBOX_URL=https://npg.moamalat.net:6006")...)
	refuses("an address in the office", "moamalat", "http://192.0.2.7", g.env[0],
		"DAFTAR_MOAMALAT_URL=http://192.0.2.7")
	serve(t, db.ServiceURL(), append(g.env, "DAFTAR_CLOCK_OFFSET=1h")...)
}

// marketplace is a shop with accounts, and everything that it and other servers are sent.
type marketplace struct {
	*bazaar
	gateways *gateways
	visitor  *visitor
}

// order makes an intent and opens its page.
func (m *marketplace) order(reference string) (intent, page string) {
	t := m.t
	t.Helper()
	r := m.served.ask(t, m.who, http.MethodPost, "/payment-intents", order(reference))
	if r.status != http.StatusCreated {
		t.Fatalf("create: %d %s", r.status, r.body)
	}
	m.addPlace("API", "create", r.body)
	m.visitor.must(http.StatusOK, http.MethodGet, r.data.CheckoutURL, nil)
	return r.data.UUID, r.data.CheckoutURL
}

// submit posts a form of the page and waits for the page's next state.
func (m *marketplace) submit(page, form, state string, values url.Values) {
	m.t.Helper()
	m.visitor.ask(http.MethodPost, page+"/"+form, values, nil)
	pgtest.WaitFor(m.t, state+" on the page", func() bool {
		body, _, _ := m.visitor.must(http.StatusOK, http.MethodGet, page, nil)
		return strings.Contains(body, `data-state="`+state+`"`)
	})
}

// An application with accounts is paid through the checkout, and each acquirer fails in each way.
// No credential of the accounts appears anywhere afterwards.
func TestAcquirerPaymentEndToEnd(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	m := &marketplace{bazaar: &bazaar{search: &search{t: t}, db: db}, gateways: newGateways(t)}
	for name, value := range m.gateways.secrets {
		m.addSecret(name, value)
	}
	base := []string{
		"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey, "DAFTAR_LOG_LEVEL=trace",
	}
	commands := slices.Concat(base, m.gateways.env)
	m.who, m.visitor = newShop(t, commands), m.search.visitor("checkout")
	for _, name := range []string{"plutu", "moamalat", "lypay"} {
		m.gateways.setByProgram(t, commands, m.who.app, name)
	}
	m.served = serve(t, db.ServiceURL(), append(m.gateways.env, "DAFTAR_LOG_LEVEL=trace")...)

	intent, page := m.order("paid")
	m.submit(page, "attempts", "otp", url.Values{"method": {"adfali"}, "phone": {"0912345678"}})
	m.visitor.ask(http.MethodPost, page+"/code", url.Values{"otp": {"9999"}}, nil)
	m.submit(page, "code", "receipt", url.Values{"otp": {"1111"}})
	got := m.served.ask(t, m.who, http.MethodGet, "/payment-intents/"+intent, "")
	if got.data.Status != "succeeded" {
		t.Errorf("the API says %s", got.body)
	}
	m.addPlace("API", "get", got.body)
	m.payOtherWays()
	m.read(commands, intent)

	m.served.Stop(t, syscall.SIGTERM)
	m.addPlace("log", "serve", m.served.Logged())
	m.dump()
	m.mustShow("database", "COPY public.acquirer_accounts ")
	m.mustShow("database", "acquirer.set")
	m.mustShow("database", "lightbox.js")
	m.mustShow("log", `"level":"debug"`)
	m.mustShow("command", "acquirer.set")
	m.mustShow("command", "attempt_started")
	m.mustShow("metrics", `acquirer="plutu"`)
	m.mustShow("checkout", `data-state="receipt"`)
	m.run()
}

// payOtherWays pay with the other methods, or fail to.
func (m *marketplace) payOtherWays() {
	m.t.Helper()
	for method, state := range map[string]string{"moamalat": "lightbox", "lypay": "qr", "cards": "processing"} {
		_, page := m.order(method)
		m.submit(page, "attempts", state, url.Values{"method": {method}})
		m.visitor.ask(http.MethodGet, page+"/return?gateway=localbankcards&approved=1&hashed=00", nil, nil)
	}
	_, page := m.order("unknown")
	m.submit(page, "attempts", "otp", url.Values{"method": {"adfali"}, "phone": {"0910000010"}}) // empty answer
	m.submit(page, "code", "processing", url.Values{"otp": {"1111"}})
	root := strings.TrimSuffix(m.served.base, "/api/v1")
	for _, name := range []string{"plutu", "moamalat", "lypay"} {
		m.visitor.ask(http.MethodPost, root+"/acquirers/"+name+"/"+m.who.app+"/notifications",
			url.Values{"x": {"1"}}, nil)
	}
}

// read runs every command that shows accounts or payments.
func (m *marketplace) read(env []string, intent string) {
	m.t.Helper()
	const wrong = "an-access-token-of-nobody"
	m.addSecret("access token that Plutu refuses", wrong)
	m.gateways.set(m.t, env, m.who.app, "plutu", "access_token", wrong)
	for _, args := range []string{
		"acquirer check plutu --app " + m.who.app, "acquirer check lypay --app " + m.who.app,
		"acquirer list --app " + m.who.app,
		"org audit-trail " + m.who.org, "events history " + intent, "events history " + intent + " --json",
		"attempts list --state all --json", "doctor", "acquirer disable lypay --app " + m.who.app,
		"acquirer remove moamalat --app " + m.who.app,
	} {
		r := call(m.t, env, strings.Fields(args)...)
		m.addPlace("command", args, r.out+r.errors)
	}
	m.addPlace("metrics", "operators' address", fetch(m.t, m.served.ops+"/metrics"))
}
