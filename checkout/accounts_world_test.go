package checkout_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/lypay"
	lypayfake "daftar/payments/acquirer/lypay/fake"
	"daftar/payments/acquirer/moamalat"
	moamalatfake "daftar/payments/acquirer/moamalat/fake"
	"daftar/payments/acquirer/plutu"
	plutufake "daftar/payments/acquirer/plutu/fake"
)

// The credentials of the application's accounts. None may appear in a page, a log or in clear in
// the database.
const (
	plutuAPIKey      = "plutu-api-key-of-a-test"
	plutuAccessToken = "plutu-access-token-of-a-test"
	plutuSecretKey   = "plutu-secret-key-of-a-test"
	lypayToken       = "lypay-token-of-a-test"
	lypayWebhookKey  = "lypay-webhook-key-of-a-test"
)

var moamalatMerchant = moamalatfake.Merchant{
	MerchantID: "80000000002", TerminalID: "80000002",
	SecureKey:       "7365637572652d6b65792d6f662d612d74657374",
	NotificationKey: "6e6f74696669636174696f6e2d6b65792d6f662d612d74657374",
}

// accountSettings are the settings of the accounts, by acquirer.
var accountSettings = map[string]string{
	"plutu": fmt.Sprintf(`{"api_key":%q,"access_token":%q,"secret_key":%q}`,
		plutuAPIKey, plutuAccessToken, plutuSecretKey),
	"moamalat": fmt.Sprintf(`{"merchant_id":%q,"terminal_id":%q,"secure_key":%q,"notification_key":%q}`,
		moamalatMerchant.MerchantID, moamalatMerchant.TerminalID, moamalatMerchant.SecureKey,
		moamalatMerchant.NotificationKey),
	"lypay": fmt.Sprintf(`{"token":%q,"webhook_key":%q,`+
		`"iban":"LY68099001000000000012345","merchant_name":"TEST SHOP"}`, lypayToken, lypayWebhookKey),
}

// shop is a world whose application has accounts with the fakes of real acquirers, over HTTP.
type shop struct {
	*world
	settings *settings.Settings
	fakes    map[string]*httptest.Server
}

// newShop gives the application accounts with the acquirers of these names.
func newShop(t *testing.T, with ...string) *shop {
	t.Helper()
	s := &shop{fakes: make(map[string]*httptest.Server)}
	s.world = newWorld(t, s.prepare)
	s.settings = settings.New(s.db.Pool(t), accounts.New(s.db.Pool(t), accounts.Options{}), secretKey(t), nil)
	for _, name := range with {
		s.set(name, accountSettings[name])
	}
	s.command("moamalat", "/control/merchant",
		map[string]any{"merchant_id": moamalatMerchant.MerchantID, "notify_url": s.notifyURL("moamalat")})
	s.command("lypay", "/control/webhook", map[string]any{"url": s.notifyURL("lypay"), "key": lypayWebhookKey})
	return s
}

// prepare starts the fakes before the server.
func (s *shop) prepare(w *world) {
	t := w.t
	start := func(name string, h http.Handler, end func()) string {
		server := httptest.NewServer(h)
		t.Cleanup(func() {
			end()
			server.Close()
		})
		s.fakes[name] = server
		return server.URL
	}
	p := plutufake.New(plutufake.Config{
		APIKey: plutuAPIKey, AccessToken: plutuAccessToken, SecretKey: plutuSecretKey, Clock: w.bankTime,
	})
	m := moamalatfake.New(moamalatfake.Config{
		Merchants: []moamalatfake.Merchant{moamalatMerchant}, Clock: w.bankTime,
	})
	l := lypayfake.New(lypayfake.Config{Token: lypayToken, WebhookKey: lypayWebhookKey, Now: w.bankTime})
	pp, err := plutu.New(plutu.Config{URL: start("plutu", p, p.Close)})
	if err != nil {
		t.Fatal(err)
	}
	mp, err := moamalat.New(moamalat.Config{URL: start("moamalat", m, m.Close), Now: w.bankTime})
	if err != nil {
		t.Fatal(err)
	}
	lp, err := lypay.New(lypay.Config{URL: start("lypay", l, l.Close), Now: w.bankTime})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		pp.Close()
		mp.Close()
		lp.Close()
	})
	w.providers = []acquirer.Provider{pp, mp, lp}
	w.elsewhere = s.taken
}

// set stores the settings of an account, as a command does.
func (s *shop) set(name, settings string) {
	s.t.Helper()
	for _, p := range s.providers {
		if p.Name() != name {
			continue
		}
		opened, err := p.Open([]byte(settings))
		if err != nil {
			s.t.Fatal(err)
		}
		var methods []string
		for _, can := range opened.Capabilities() {
			methods = append(methods, string(can.Method))
		}
		err = s.settings.SetAcquirer(s.t.Context(), operator, s.app.Organization, s.app.ID,
			name, []byte(settings), methods)
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

// offered are the methods on the pay page, in its order.
func (s *shop) offered(i domain.Intent) string {
	s.t.Helper()
	var methods []string
	for _, input := range s.visit(path(i)).document.all("input") {
		if input.attr("name") == "method" {
			methods = append(methods, input.attr("value"))
		}
	}
	return strings.Join(methods, " ")
}

func (s *shop) notifyURL(name string) string {
	return s.url + "/acquirers/" + name + "/" + s.app.ID.String() + "/notifications"
}

// taken is what the fakes took: each payment once. A second payment under the same reference
// waits for a decision.
func (s *shop) taken() []taking {
	var all []taking
	for _, server := range s.fakes {
		var books struct {
			Payments []struct {
				Reference string `json:"reference"`
				Amount    int64  `json:"amount"`
				Taken     int    `json:"taken"`
			} `json:"payments"`
		}
		s.getJSON(server.URL+"/control/ledger", &books)
		for _, p := range books.Payments {
			var intent string
			err := s.pool.QueryRow(context.Background(), `
				SELECT stream_id::text
				FROM events
				WHERE type = 'intent.attempt_started'
				  AND starts_with(payload::json->>'attempt', $1)`, p.Reference).Scan(&intent)
			if err == nil && p.Taken > 0 {
				all = append(all, taking{intent, p.Amount})
			}
		}
	}
	return all
}

func (s *shop) getJSON(address string, into any) {
	s.t.Helper()
	res, err := http.Get(address)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(into); err != nil {
		s.t.Fatal(err)
	}
}

// fault makes the next such call to the fake of Plutu go wrong.
func (s *shop) fault(call, kind string) {
	s.t.Helper()
	s.command("plutu", "/control/faults", map[string]any{"call": call, "faults": []string{kind}})
}

// command sends a command to a fake's control interface, and returns the answer.
func (s *shop) command(name, path string, body map[string]any) map[string]any {
	s.t.Helper()
	sent, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	res, err := http.Post(s.fakes[name].URL+path, "application/json", strings.NewReader(string(sent)))
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	received, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 300 {
		s.t.Fatalf("%s%s: %d %s, %v", name, path, res.StatusCode, received, err)
	}
	var answer map[string]any
	if len(received) > 0 {
		if err := json.Unmarshal(received, &answer); err != nil {
			s.t.Fatal(err)
		}
	}
	return answer
}

// chooses fills in the pay page and submits it.
func (s *shop) chooses(i domain.Intent, method string, fields ...string) shown {
	s.t.Helper()
	form := url.Values{"method": {method}}
	for n := 0; n+1 < len(fields); n += 2 {
		form.Set(fields[n], fields[n+1])
	}
	return s.submit(s.want(s.visit(path(i)), 200, "pay"), form)
}

// pressed presses a button on the fake's page to which a page links, and returns the address to
// which that leads.
func (s *shop) pressed(waiting shown, button string) string {
	s.t.Helper()
	for _, a := range waiting.document.all("a") {
		if !strings.HasPrefix(a.attr("href"), s.fakes["plutu"].URL) {
			continue
		}
		client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}}
		res, err := client.PostForm(a.attr("href"), url.Values{"action": {button}})
		if err != nil {
			s.t.Fatal(err)
		}
		res.Body.Close()
		back, err := url.Parse(res.Header.Get("Location"))
		if err != nil || res.StatusCode != http.StatusSeeOther && res.StatusCode != http.StatusFound {
			s.t.Fatalf("the acquirer's page answers %d, %v", res.StatusCode, err)
		}
		return back.RequestURI()
	}
	s.t.Fatal("the page does not lead to the acquirer")
	return ""
}
