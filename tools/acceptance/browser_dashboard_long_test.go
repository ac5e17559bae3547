//go:build long

package acceptance_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/browsertest"
)

// The controls of the dashboard.
const (
	formButton = `main form button:not([type=button])`
	menu       = `.menu summary`
	signOut    = `.menu form button`
	apiKeyBox  = `#api-key`
	tokenBox   = `#token`
	enrolForm  = `form[action*="/account/second-factor"]:not([action*="disable"])`
	rollKey    = `form[action*="/roll-key"]`
)

// merchant is a person who uses the dashboard of a demo.
type merchant struct {
	way
	*demonstration
	t *testing.T
	b *browsertest.Tab
}

// at returns an address below the dashboard, in the merchant's language.
func (m *merchant) at(path string) string { return localised(m.dashboard+path, m.lang) }

// checkView checks what every page must satisfy.
func (m *merchant) checkView(p browsertest.Page, name string) browsertest.Page {
	m.t.Helper()
	dir := map[string]string{"ar": "rtl", "en": "ltr"}[m.lang]
	if p.Status != http.StatusOK || p.Lang != m.lang || p.Dir != dir || p.Overflow > 0 {
		m.t.Errorf("%s: %+v", name, p)
	}
	if n := m.b.Count("h1"); n != 1 {
		m.t.Errorf("%s: %d elements h1", name, n)
	}
	if m.closely {
		m.b.MustPassAxe()
	}
	return p
}

func (m *merchant) open(path, name string) browsertest.Page {
	m.t.Helper()
	return m.checkView(m.b.Navigate(m.at(path)), name)
}

// value is the value of a form field.
func (m *merchant) value(selector string) string {
	m.t.Helper()
	return browsertest.Evaluate[string](m.b, fmt.Sprintf("document.querySelector(%q).value", selector))
}

// enter signs in. If a code is required, it is computed at the last moment, because an
// authenticator's code expires soon.
func (m *merchant) enter(code func() string) {
	m.t.Helper()
	m.open("/sign-in", "sign-in")
	m.b.Fill("#email", m.email)
	m.b.Fill("#password", m.password)
	p := m.b.Follow(formButton)
	if code != nil {
		m.checkView(p, "code")
		m.b.Fill("#code", code())
		p = m.b.Follow(formButton)
	}
	if !strings.Contains(p.Address, "/overview") {
		m.t.Fatalf("signed in to %+v", p)
	}
}

func (m *merchant) leave() {
	m.t.Helper()
	m.b.Click(menu)
	p := m.checkView(m.b.Follow(signOut), "signed-out")
	if !strings.Contains(p.Address, "/sign-in?done=signed-out") {
		m.t.Errorf("signed out to %s", p.Address)
	}
	if p := m.b.Navigate(m.at("/account")); !strings.Contains(p.Address, "/sign-in") {
		m.t.Errorf("after signing out, the page is %s", p.Address)
	}
}

// enrol turns on the second factor, or moves it to another phone.
func (m *merchant) enrol() (secret string, recovery []string) {
	m.t.Helper()
	m.open("/account/second-factor", "second-step")
	if m.b.Count("details "+enrolForm) > 0 {
		m.b.Click("details:has(" + enrolForm + ") > summary")
	}
	m.checkView(m.b.Follow(enrolForm+" button"), "enrol")
	uri, err := url.Parse(m.b.Attribute("[name=uri]", "value"))
	if err != nil {
		m.t.Fatal(err)
	}
	secret = uri.Query().Get("secret")
	m.b.Fill("#code", authenticator(m.t, secret, 0))
	m.checkView(m.b.Follow(formButton), "recovery-codes")
	recovery = browsertest.Evaluate[[]string](m.b,
		`[...document.querySelectorAll(".codes li")].map(e => e.innerText)`)
	if len(recovery) != 10 {
		m.t.Fatalf("%d recovery codes", len(recovery))
	}
	return secret, recovery
}

// create creates an intent with a key and a token.
func (m *merchant) create(key, token, order string) (int, made) {
	m.t.Helper()
	body := fmt.Sprintf(`{"merchant_reference":%q,"amount":12500,"currency":"LYD","description":"Dates"}`, order)
	request, err := http.NewRequestWithContext(m.t.Context(), http.MethodPost, m.base+"/payment-intents",
		strings.NewReader(body))
	if err != nil {
		m.t.Fatal(err)
	}
	request.Header = http.Header{
		"X-Api-Key": {key}, "Authorization": {"Bearer " + token}, "Accept": {"application/json"},
		"Content-Type": {"application/json"},
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		m.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct{ Data made }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		m.t.Fatal(err)
	}
	return response.StatusCode, answer.Data
}

// A merchant's first day: from the printed login to a payment for the merchant's own application,
// and to a new key for it. Each page is checked for accessibility.
func TestLongDashboardInBrowser(t *testing.T) {
	t.Parallel()
	d := demo(t, t.TempDir())
	d.closely = true
	var code func() string
	for _, w := range []way{{"ar", false, 390}, {"en", true, 390}} {
		m := &merchant{
			way: w, demonstration: d, t: t,
			b: browsertest.Open(t, browsertest.Options{Width: w.width, Height: 844, Scripts: w.scripts}),
		}
		m.enter(code)
		secret, recovery := m.enrol()
		m.leave()
		// The code of the next time step: the current one is used up.
		m.enter(func() string { return authenticator(t, secret, 1) })
		secrets := append(m.sell(), append(recovery, secret, m.password)...)
		m.leave()
		for _, s := range secrets {
			if strings.Contains(d.Logged(), s) {
				t.Errorf("%s: a secret that begins with %s is in the log", w, s[:4])
			}
		}
		code = func() string { return recovery[0] }
	}
}

// sell creates an application, pays one of its orders and rolls its key. It returns the secrets.
func (m *merchant) sell() (secrets []string) {
	m.t.Helper()
	name := map[string]string{"ar": "متجر التمور", "en": "The date shop"}[m.lang]
	m.open("", "payments")
	home, _, _ := strings.Cut(strings.TrimPrefix(m.b.Page().Address, m.dashboard), "/overview")
	m.open(home+"/applications/new", "new-application")
	m.b.Fill("#name", name)
	m.checkView(m.b.Follow(formButton), "application-made")
	key := m.value(apiKeyBox)
	application, _, _ := strings.Cut(strings.TrimPrefix(m.b.Attribute("main a.btn", "href"), "/dashboard"), "?")
	m.open(home+"/tokens/new", "new-token")
	m.b.Fill("#name", name)
	m.checkView(m.b.Follow(formButton), "token-made")
	token := m.value(tokenBox)

	status, order := m.create(key, token, "dates-1")
	if status != http.StatusCreated {
		m.t.Fatalf("the shown key and token get %d", status)
	}
	m.watch(home, application, order)
	m.open(application, "application")
	m.b.Click(`section[aria-labelledby="key"] details summary`)
	m.checkAccessibility(m.b)
	m.checkView(m.b.Follow(rollKey+" button"), "key-rolled")
	rolled := m.value(apiKeyBox)
	if status, _ := m.create(key, token, "dates-2"); status != http.StatusUnauthorized {
		m.t.Errorf("the old key gets %d", status)
	}
	if status, _ := m.create(rolled, token, "dates-2"); status != http.StatusCreated {
		m.t.Errorf("the new key gets %d", status)
	}
	return []string{key, rolled, token}
}

// watch follows an order from the list to its history, and pays it meanwhile.
func (m *merchant) watch(home, application string, order made) {
	m.t.Helper()
	id := application[strings.LastIndex(application, "/")+1:]
	waiting := map[string]string{"ar": "بانتظار الدفع", "en": "Awaiting payment"}[m.lang]
	paid := map[string]string{"ar": "مدفوعة", "en": "Paid"}[m.lang]
	list := home + "/payments"
	// Read models are updated a moment later. A phone shows no reference in the list.
	lists := func(status string) {
		m.t.Helper()
		row := fmt.Sprintf(`document.querySelector("main a[href*='%s']")
			?.closest("tr, li")
			?.innerText ?? ""`, order.UUID)
		pgtest.WaitFor(m.t, "the list to say "+status, func() bool {
			m.b.Navigate(m.at(list))
			return strings.Contains(browsertest.Evaluate[string](m.b, row), status)
		})
	}
	lists(waiting)
	m.checkView(m.b.Page(), "list-waiting")
	toCode(m.t, m.b, localised(order.CheckoutURL, m.lang), newPhone())
	if p := enter(m.b, rightCode); p.State != "receipt" {
		m.t.Fatalf("the payer sees %+v", p)
	}
	lists(paid)
	m.checkView(m.b.Page(), "list-paid")
	m.checkView(m.b.Follow(`main a[href*="`+order.UUID+`"]`), "history")
	if n := m.b.Count("ol.line > li"); n < 3 {
		m.t.Errorf("the history has %d steps", n)
	}
	money := home + "/money?application=" + id + "&span=7"
	if m.lang == "en" {
		money += "&lang=en"
	}
	pgtest.WaitFor(m.t, "the money to be counted", func() bool {
		return strings.Contains(m.b.Navigate(m.dashboard+money).Text, "12.500")
	})
	m.checkView(m.b.Page(), "money")
}
