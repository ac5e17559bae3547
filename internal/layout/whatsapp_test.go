package layout_test

import (
	"net/url"
	"testing"

	"daftar/internal/layout"
)

func TestWhatsAppURL(t *testing.T) {
	t.Parallel()
	for _, message := range []string{
		"", "7K3QX0M2TD", "شاي & قهوة + تمر\nhttps://pay.example/r?a=1&b=2#c", "50 % = half; done?",
	} {
		for number, path := range map[string]string{"": "/", "+218912345678": "/218912345678"} {
			got, err := url.Parse(string(layout.WhatsAppURL(number, message)))
			if err != nil {
				t.Fatal(err)
			}
			if got.Host != "wa.me" || got.Path != path || got.Fragment != "" || len(got.Query()) != 1 ||
				got.Query().Get("text") != message {
				t.Errorf("%q to %q is %s", message, number, got)
			}
		}
	}
}
