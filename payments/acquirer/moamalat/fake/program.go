package fake

import (
	"fmt"
	"net/http"

	fakes "daftar/payments/acquirer/fake"
)

// Program runs the fake, with the merchant of Example.
var Program = fakes.Program{
	Acquirer: "moamalat", Variable: "DAFTAR_MOAMALAT_URL",
	Settings: fmt.Sprintf(`{"merchant_id":%q,"terminal_id":%q,"secure_key":%q,"notification_key":%q}`,
		Example().MerchantID, Example().TerminalID, Example().SecureKey, Example().NotificationKey),
	Methods: []string{"moamalat"},
	Open: func(notifyURL string) (http.Handler, func()) {
		merchant := Example()
		merchant.NotifyURL = notifyURL
		f := New(Config{Merchants: []Merchant{merchant}})
		return f, f.Close
	},
}
