package fakes

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"daftar/cmd/daftar/config"
	lypayfake "daftar/payments/acquirer/lypay/fake"
	moamalatfake "daftar/payments/acquirer/moamalat/fake"
	plutufake "daftar/payments/acquirer/plutu/fake"
)

// Fake is a running fake of an acquirer, with play money.
type Fake struct {
	Acquirer string `json:"acquirer" label:"fake of"`
	URL      string `json:"url"      label:"address"`
	Variable string `json:"variable" label:"set in the server"` // with the address
	Settings string `json:"settings" label:"settings"`          // JSON that opens an account with it
	// Methods are those that the demo offers of it.
	Methods []string `json:"-"`
}

// Acquirers are those that there are fakes of, in the order in which the demo's page offers them.
func Acquirers() []string { return []string{"plutu", "moamalat", "lypay"} }

// All are the fakes that there are, without an address: none runs.
func All() []Fake {
	var all []Fake
	for _, name := range Acquirers() {
		f := fakeAcquirers[name]
		all = append(all, Fake{
			Acquirer: name, Variable: f.variable, Settings: f.settings, Methods: f.methods,
		})
	}
	return all
}

// fakeAcquirer is a fake that does not listen yet.
type fakeAcquirer struct {
	variable, settings string
	methods            []string
	open               func(notifyURL string) (http.Handler, func())
}

var fakeAcquirers = map[string]fakeAcquirer{
	"plutu": {
		"DAFTAR_PLUTU_URL", `{"api_key":"fake-plutu-api-key","access_token":"fake-plutu-access-token","secret_key":"fake-plutu-secret-key"}`,
		[]string{"adfali", "sadad"},
		func(string) (http.Handler, func()) {
			f := plutufake.New(plutufake.Config{
				APIKey: "fake-plutu-api-key", AccessToken: "fake-plutu-access-token",
				SecretKey: "fake-plutu-secret-key",
			})
			return f, f.Close
		},
	},
	"moamalat": {
		"DAFTAR_MOAMALAT_URL", fmt.Sprintf(`{"merchant_id":%q,"terminal_id":%q,"secure_key":%q,"notification_key":%q}`,
			moamalatfake.Example().MerchantID, moamalatfake.Example().TerminalID,
			moamalatfake.Example().SecureKey, moamalatfake.Example().NotificationKey),
		[]string{"moamalat"},
		func(notifyURL string) (http.Handler, func()) {
			merchant := moamalatfake.Example()
			merchant.NotifyURL = notifyURL
			f := moamalatfake.New(moamalatfake.Config{Merchants: []moamalatfake.Merchant{merchant}})
			return f, f.Close
		},
	},
	"lypay": {
		"DAFTAR_LYPAY_URL", `{"token":"fake-lypay-token","webhook_key":"fake-lypay-webhook-key","iban":"LY68099001000000000012345","merchant_name":"TEST SHOP"}`,
		[]string{"lypay"},
		func(notifyURL string) (http.Handler, func()) {
			f := lypayfake.New(lypayfake.Config{WebhookURL: notifyURL})
			return f, f.Close
		},
	},
}

// readLimit bounds a request's header. An answer has no limit: fakes do not answer some payments on
// purpose.
const readLimit = 10 * time.Second

// Run runs a fake of the acquirer until ctx ends, at an address of this machine, and
// says when it listens. It notifies the address, if there is one.
func Run(ctx context.Context, name, address, notifyURL string, listening func(Fake) error) error {
	fake, known := fakeAcquirers[name]
	if !known {
		return config.Errorf("there is no fake of %q: %s; the sandbox is run by sandbox-acquirer", name,
			strings.Join(Acquirers(), ", "))
	}
	if !config.IsLocal("http://" + address) {
		return config.Errorf("--listen %q is no HOST:PORT of this machine: a fake stays on it", address)
	}
	var listener net.ListenConfig
	l, err := listener.Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("listen at %s: %w", address, err)
	}
	handler, end := fake.open(notifyURL)
	hs := &http.Server{Handler: handler, ReadHeaderTimeout: readLimit}
	stopped := make(chan error, 1)
	go func() { stopped <- hs.Serve(l) }()
	if err := listening(Fake{name, "http://" + l.Addr().String(), fake.variable, fake.settings,
		fake.methods}); err != nil {
		end()
		return errors.Join(err, hs.Close())
	}
	select {
	case err = <-stopped:
		end()
		return fmt.Errorf("serve the fake: %w", err)
	case <-ctx.Done():
	}
	end()
	return hs.Close()
}
