package accounts_test

import (
	"errors"
	"testing"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// A refusal has the application whose key came with the request, so that its developers can see
// it, and shows nothing more than the key itself.
func TestRefusalsKnowTheKey(t *testing.T) {
	t.Parallel()
	proxy := pgtest.Proxy(t, pgtest.Database(t).ServiceURL())
	a := accountstest.Open(t, pgtest.Open(t, proxy.URL(), postgres.Options{}), nil)
	s, stranger := accountstest.NewShop(t, a), accountstest.NewShop(t, a)
	inactive := accountstest.ShopOf(t, a, s.Org)
	if err := a.SetActive(t.Context(), operator, inactive.Org, inactive.App.ID, false); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		rule, token, key string
		hasKey           bool
		want             domain.ApplicationID
	}{
		{"no token", "", s.App.APIKey, true, s.App.ID},
		{"unknown token", accounts.NewToken(), s.App.APIKey, true, s.App.ID},
		{"token of another organisation", stranger.Value, s.App.APIKey, true, s.App.ID},
		{"inactive application", s.Value, inactive.App.APIKey, true, inactive.App.ID},
		{"unknown key", s.Value, accounts.NewAPIKey(), true, domain.ApplicationID{}},
		{"unknown key and no token", "", accounts.NewAPIKey(), true, domain.ApplicationID{}},
		{"no key", s.Value, "", false, domain.ApplicationID{}},
		{"a known key that was not in the header", "", s.App.APIKey, false, domain.ApplicationID{}},
	} {
		_, err := a.Authenticate(t.Context(), row.token, row.key, row.hasKey, "192.0.2.7")
		id, known := accounts.RefusedApplication(err)
		if err == nil || id != row.want || known != (row.want != domain.ApplicationID{}) {
			t.Errorf("%s: %v, of the application %s (%t), want %s", row.rule, err, id, known, row.want)
		}
	}
	// Without a token the answer does not depend on the database.
	proxy.Refuse()
	_, err := a.Authenticate(t.Context(), "", s.App.APIKey, true, "192.0.2.7")
	if !errors.Is(err, accounts.ErrUnauthenticated) {
		t.Errorf("without a token and a database: %v", err)
	}
}
