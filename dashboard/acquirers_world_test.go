package dashboard_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"daftar/accounts/settings"
	"daftar/dashboard"
	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/lypay"
	lypayfake "daftar/payments/acquirer/lypay/fake"
	"daftar/payments/acquirer/moamalat"
	moamalatfake "daftar/payments/acquirer/moamalat/fake"
	"daftar/payments/acquirer/plutu"
	plutufake "daftar/payments/acquirer/plutu/fake"
)

// The credentials that the fakes accept. No page shows them after they were given.
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

// credentialsOf are the fields of the forms.
var credentialsOf = map[string][]string{
	"plutu": {"api_key", plutuAPIKey, "access_token", plutuAccessToken, "secret_key", plutuSecretKey},
	"moamalat": {"merchant_id", moamalatMerchant.MerchantID, "terminal_id", moamalatMerchant.TerminalID,
		"secure_key", moamalatMerchant.SecureKey, "notification_key", moamalatMerchant.NotificationKey},
	"lypay": {"token", lypayToken, "webhook_key", lypayWebhookKey, "iban", "LY68 0990 0100 0000 0000 1234 5",
		"merchant_name", "TEST SHOP"},
}

// acquirerSecrets are the secrets that no page may show.
var acquirerSecrets = []string{
	plutuAPIKey, plutuAccessToken, plutuSecretKey, lypayToken, lypayWebhookKey, moamalatMerchant.SecureKey,
	moamalatMerchant.NotificationKey,
}

// withAcquirers connects a dashboard with the fakes of all acquirers, across HTTP.
func withAcquirers(t *testing.T) func(*dashboard.Config) {
	t.Helper()
	plutuAPI := plutufake.New(plutufake.Config{
		APIKey: plutuAPIKey, AccessToken: plutuAccessToken, SecretKey: plutuSecretKey,
	})
	p, err := plutu.New(plutu.Config{URL: startFake(t, plutuAPI)})
	if err != nil {
		t.Fatal(err)
	}
	merchants := []moamalatfake.Merchant{moamalatMerchant}
	moamalatAPI := moamalatfake.New(moamalatfake.Config{Merchants: merchants})
	m, err := moamalat.New(moamalat.Config{URL: startFake(t, moamalatAPI)})
	if err != nil {
		t.Fatal(err)
	}
	lypayAPI := lypayfake.New(lypayfake.Config{Token: lypayToken, WebhookKey: lypayWebhookKey})
	l, err := lypay.New(lypay.Config{URL: startFake(t, lypayAPI)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Close()
		m.Close()
		l.Close()
	})
	return func(c *dashboard.Config) {
		c.Providers = []acquirer.Provider{p, m, l}
		c.NotifyURL = func(acquirer string, of domain.ApplicationID) string {
			return c.PublicURL + "/notify/" + acquirer + "/" + of.String()
		}
	}
}

// fakeAPI is the fake of an acquirer's API.
type fakeAPI interface {
	http.Handler
	Close()
}

func startFake(t *testing.T, fake fakeAPI) string {
	t.Helper()
	server := httptest.NewServer(fake)
	t.Cleanup(func() {
		fake.Close()
		server.Close()
	})
	return server.URL
}

// set stores an application's account, as the command line does.
func (w *world) set(t *testing.T, b business, app int, name string, methods ...string) {
	t.Helper()
	given := map[string]string{}
	for n := 0; n+1 < len(credentialsOf[name]); n += 2 {
		given[credentialsOf[name][n]] = credentialsOf[name][n+1]
	}
	settings, err := json.Marshal(given)
	if err == nil {
		err = w.settings.SetAcquirer(t.Context(), operator, b.org.ID, b.apps[app].ID, name, settings, methods)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// anAccount is a request about an application's account with Plutu, which is made new.
func anAccount(path string, fields ...string) func(*asking) request {
	return func(r *asking) request {
		r.secret(plutuAPIKey, plutuAccessToken, plutuSecretKey)
		r.w.set(r.t, r.of, r.app, "plutu", "adfali", "cards")
		return anApplication("/acquirers"+path, fields...)(r)
	}
}

// givingCredentials replaces the credentials by others, which are secret as well.
func givingCredentials(r *asking) request {
	var fields []string
	for _, name := range []string{"api_key", "access_token", "secret_key"} {
		value := "given-" + strings.ReplaceAll(uuid.NewString(), "-", "")
		r.secret(value)
		fields = append(fields, name, value)
	}
	return anAccount("/plutu/credentials", fields...)(r)
}

// account is one of our first application.
func (w *world) account(t *testing.T, name string) settings.AcquirerAccount {
	t.Helper()
	all, err := w.settings.AcquirerAccounts(t.Context(), w.ours.apps[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if a.Acquirer == name {
			return a
		}
	}
	t.Fatalf("there is no account with %s", name)
	return settings.AcquirerAccount{}
}
