package fake

import (
	"net/http"

	"daftar/payments/acquirer/fake"
)

// Program runs the fake, with its defaults.
var Program = fake.Program{
	Acquirer: "lypay", Variable: "DAFTAR_LYPAY_URL",
	Settings: `{"token":"fake-lypay-token","webhook_key":"fake-lypay-webhook-key",` +
		`"iban":"LY68099001000000000012345","merchant_name":"TEST SHOP"}`,
	Methods: []string{"lypay"},
	Note:    "LYPay's code is paid in the payer's app:", NotePath: "/app",
	Open: func(notifyURL string) (http.Handler, func()) {
		f := New(Config{WebhookURL: notifyURL})
		return f, f.Close
	},
}
