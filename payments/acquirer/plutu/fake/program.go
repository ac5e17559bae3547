package fake

import (
	"net/http"

	"daftar/payments/acquirer/fake"
)

// Program runs the fake; Plutu gets the address of its messages with each payment.
var Program = fake.Program{
	Acquirer: "plutu", Variable: "DAFTAR_PLUTU_URL",
	Settings: `{"api_key":"fake-plutu-api-key","access_token":"fake-plutu-access-token",` +
		`"secret_key":"fake-plutu-secret-key"}`,
	Methods: []string{"adfali", "sadad"},
	Open: func(string) (http.Handler, func()) {
		f := New(Config{
			APIKey: "fake-plutu-api-key", AccessToken: "fake-plutu-access-token",
			SecretKey: "fake-plutu-secret-key",
		})
		return f, f.Close
	},
}
