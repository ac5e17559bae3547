package dashboard_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/internal/browsertest"
	"daftar/internal/web"
)

// Somebody turns on the second step on a telephone without scripts, and signs in
// with it, in both languages.
func TestSecondStepInTheBrowser(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		role  accounts.Role
		query string
	}{{accounts.RoleViewer, ""}, {accounts.RoleDeveloper, "?lang=en"}} {
		t.Run(string(row.role), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			mux := http.NewServeMux()
			mux.Handle("/static/", web.AssetHandler())
			mux.Handle("/", w.server.Config.Handler)
			server := httptest.NewServer(mux)
			t.Cleanup(server.Close)
			b := browsertest.Open(t, browsertest.Options{})
			b.Allow(strings.TrimPrefix(server.URL, "http://"))
			signIn := func() browsertest.Page {
				b.Navigate(server.URL + "/dashboard/sign-in" + row.query)
				b.Fill("#email", w.ours.email(row.role))
				b.Fill("#password", password)
				return b.Follow("main form button")
			}
			signIn()
			b.Navigate(server.URL + "/dashboard/account/second-factor" + row.query)
			b.Follow("main form button")
			secret := b.Attribute("[name=uri]", "value")
			_, secret, _ = strings.Cut(secret, "secret=")
			secret, _, _ = strings.Cut(secret, "&")
			b.MustPassAxe()
			b.Fill("#code", w.totp(t, secret))
			if p := b.Follow("main form button"); b.Count(".codes li") != 10 {
				t.Errorf("no recovery codes: %s", p.Text)
			}
			b.Click(".menu summary")
			b.Follow(".menu form button")
			w.wait(time.Minute)
			if p := signIn(); !strings.Contains(p.Address, "/dashboard/code") {
				t.Fatalf("the second step was not asked for: %s", p.Address)
			}
			b.Fill("#code", w.totp(t, secret))
			if p := b.Follow("main form button"); !strings.Contains(p.Address, w.ours.org.ID.String()) && !strings.HasSuffix(p.Address, "/dashboard"+row.query) {
				t.Errorf("signed in to %s", p.Address)
			}
		})
	}
}
