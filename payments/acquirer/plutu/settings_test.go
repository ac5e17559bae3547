package plutu_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/plutu"
)

// openOffline opens an account whose address refuses connections.
func openOffline(t testing.TB, settings string) acquirer.Acquirer {
	t.Helper()
	p, err := plutu.New(plutu.Config{URL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	a, err := p.Open([]byte(settings))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestCapabilities(t *testing.T) {
	t.Parallel()
	common := acquirer.Capability{
		Currency: domain.LYD, Decimals: 2, Min: 10, Max: domain.MaxAmount, Timeout: 40 * time.Second,
	}
	adfali, sadad, cards, tlync := common, common, common, common
	adfali.Method, adfali.Flow, adfali.CodeDigits, adfali.OnlyConfirmPays = "adfali", acquirer.OTP, 4, true
	adfali.Inputs = []acquirer.Input{{Field: acquirer.Phone}}
	sadad.Method, sadad.Flow, sadad.CodeDigits, sadad.OnlyConfirmPays = "sadad", acquirer.OTP, 6, true
	sadad.Inputs = []acquirer.Input{
		{Field: acquirer.Phone, Prefixes: []string{"091", "093"}},
		{Field: acquirer.BirthYear, From: 1940, MinAge: 12},
	}
	cards.Method, cards.Flow, cards.SignedReturn = "cards", acquirer.Redirect, true
	tlync.Method, tlync.Flow = "tlync", acquirer.Redirect
	tlync.Notifications, tlync.SignedNotification = true, true
	tlync.Inputs = []acquirer.Input{{Field: acquirer.Phone}}
	cards.Pages, tlync.Pages = []string{"http://127.0.0.1:1"}, []string{"http://127.0.0.1:1"}
	for methods, want := range map[string][]acquirer.Capability{
		``:                              {adfali, sadad, cards, tlync},
		`,"methods":null`:               {adfali, sadad, cards, tlync},
		`,"methods":["tlync","adfali"]`: {tlync, adfali},
		`,"methods":["sadad"]`:          {sadad},
	} {
		a := openOffline(t, strings.TrimSuffix(allSettings, "}")+methods+"}")
		if diff := cmp.Diff(want, a.Capabilities()); diff != "" || a.Name() != "plutu" {
			t.Errorf("%s of %s (-want +got):\n%s", methods, a.Name(), diff)
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	p := newProvider(t, "http://127.0.0.1:1")
	with := func(name, value string) string {
		all := map[string]string{"api_key": `"a-key"`, "access_token": `"a-token"`, "secret_key": `"a-secret"`}
		all[name] = value
		var members []string
		for name, value := range all {
			if value != "" {
				members = append(members, fmt.Sprintf("%q:%s", name, value))
			}
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	for _, tc := range []struct{ settings, setting string }{
		{``, ""}, {`[]`, ""}, {`"hush"`, ""}, {`{`, ""},
		{with("api_key", ""), "api_key"}, {with("api_key", `""`), "api_key"}, {with("api_key", `7`), "api_key"},
		{with("api_key", `"hush\r\nX: y"`), "api_key"},
		{with("access_token", ""), "access_token"}, {with("access_token", `"hush hush"`), "access_token"},
		{with("access_token", `" "`), "access_token"}, {with("access_token", `"سر"`), "access_token"},
		{with("secret_key", ""), "secret_key"}, {with("secret_key", `null`), "secret_key"},
		{with("secret_key", `["hush"]`), "secret_key"}, {with("secret_key", `"hush\n"`), "secret_key"},
		{with("methods", `[]`), "methods"}, {with("methods", `["mpgs"]`), "methods"},
		{with("methods", `["moamalat"]`), "methods"}, {with("methods", `["cards","cards"]`), "methods"},
		{with("methods", `"cards"`), "methods"}, {with("methods", `["Cards"]`), "methods"},
		{with("merchant", `"hush"`), "merchant"},
	} {
		_, err := p.Open([]byte(tc.settings))
		wrong, ok := errors.AsType[*acquirer.SettingsError](err)
		if !ok || wrong.Setting != tc.setting || wrong.Problem == "" {
			t.Errorf("%s: %v, want %q named", tc.settings, err, tc.setting)
		}
		if ok && strings.Contains(wrong.Error(), "hush") {
			t.Errorf("%s: the error repeats a value: %v", tc.settings, err)
		}
	}
}

func TestAddressesThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"", "plutu.example", "ftp://plutu.example", "https://a:b@plutu.example", "https://plutu.example?x=1",
	} {
		if _, err := plutu.New(plutu.Config{URL: url}); err == nil {
			t.Errorf("New takes %q", url)
		}
	}
}
