package moamalat_test

import (
	"errors"
	"strings"
	"testing"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/moamalat"
)

func TestSettingsAreCheckedOneByOne(t *testing.T) {
	t.Parallel()
	p, err := moamalat.New(moamalat.Config{URL: "https://gateway.example"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	if _, err := p.Open([]byte(settings)); err != nil {
		t.Errorf("good settings: %v", err)
	}
	if _, err := p.Open([]byte(strings.ToUpper(strings.ReplaceAll(settings, "key", "KEY")))); err == nil {
		t.Error("names in capitals were taken")
	}
	for name, tc := range map[string]struct{ old, replaced, setting string }{
		"no merchant":                 {merchantID, "", "merchant_id"},
		"a merchant of 19 digits":     {merchantID, "1234567890123456789", "merchant_id"},
		"a merchant that signs":       {merchantID, "1&TerminalId=2", "merchant_id"},
		"no terminal":                 {terminalID, "", "terminal_id"},
		"a terminal of nine digits":   {terminalID, "123456789", "terminal_id"},
		"no key":                      {secureKey, "", "secure_key"},
		"a key that is not hex":       {secureKey, "not-hexadecimal!", "secure_key"},
		"half a byte":                 {secureKey, "abc", "secure_key"},
		"no notification key":         {notificationKey, "", "notification_key"},
		"a notification key in words": {notificationKey, "zz" + notificationKey, "notification_key"},
		"a name that is unknown":      {`{"merchant_id"`, `{"merchant":"1","merchant_id"`, "merchant"},
		"a number":                    {`"` + terminalID + `"`, terminalID, "terminal_id"},
		"a name twice":                {`{"merchant_id"`, `{"merchant_id":"1","merchant_id"`, "merchant_id"},
		"no object":                   {settings, `[]`, ""},
	} {
		given := strings.Replace(settings, tc.old, tc.replaced, 1)
		_, err := p.Open([]byte(given))
		wrong, ok := errors.AsType[*acquirer.SettingsError](err)
		if !ok || wrong.Setting != tc.setting || wrong.Problem == "" {
			t.Errorf("%s: %v, want a problem of %q", name, err, tc.setting)
			continue
		}
		for _, value := range []string{
			merchantID, terminalID, secureKey, notificationKey, "zz", "1&T", "hexadecimal!",
		} {
			if strings.Contains(err.Error(), value) {
				t.Errorf("%s: the error repeats a value: %v", name, err)
			}
		}
	}
}

func TestConfigurationNeedsAddresses(t *testing.T) {
	t.Parallel()
	for _, c := range []moamalat.Config{
		{},
		{URL: "gateway.example"},
		{URL: "https://user:password@gateway.example"},
		{URL: "https://gateway.example", LightboxURL: "javascript:alert(1)"},
	} {
		if _, err := moamalat.New(c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
}
