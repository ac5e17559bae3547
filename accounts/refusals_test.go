package accounts_test

import (
	"errors"
	"testing"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// A refusal says whose key came with the request, so that its developers can see it,
// and never more than the key itself says.
func TestRefusalsKnowTheKey(t *testing.T) {
	t.Parallel()
	proxy := pgtest.Proxy(t, pgtest.Database(t).ServiceURL())
	a := open(t, pgtest.Open(t, proxy.URL(), postgres.Options{}), nil)
	s, stranger := newShop(t, a), newShop(t, a)
	inactive := shopOf(t, a, s.org)
	if err := a.SetActive(t.Context(), operator, inactive.org, inactive.app.ID, false); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		rule, token, key string
		hasKey           bool
		want             domain.ApplicationID
	}{
		{"no token", "", s.app.APIKey, true, s.app.ID},
		{"unknown token", accounts.NewToken(), s.app.APIKey, true, s.app.ID},
		{"token of another organisation", stranger.value, s.app.APIKey, true, s.app.ID},
		{"inactive application", s.value, inactive.app.APIKey, true, inactive.app.ID},
		{"unknown key", s.value, accounts.NewAPIKey(), true, domain.ApplicationID{}},
		{"unknown key and no token", "", accounts.NewAPIKey(), true, domain.ApplicationID{}},
		{"no key", s.value, "", false, domain.ApplicationID{}},
		{"a known key that was not in the header", "", s.app.APIKey, false, domain.ApplicationID{}},
	} {
		_, err := a.Authenticate(t.Context(), row.token, row.key, row.hasKey, "192.0.2.7")
		if id, known := accounts.RefusedApplication(err); err == nil || id != row.want || known != (row.want != domain.ApplicationID{}) {
			t.Errorf("%s: %v, of the application %s (%t), want %s", row.rule, err, id, known, row.want)
		}
	}
	// Without a token the answer does not depend on the database.
	proxy.Refuse()
	if _, err := a.Authenticate(t.Context(), "", s.app.APIKey, true, "192.0.2.7"); !errors.Is(err, accounts.ErrUnauthenticated) {
		t.Errorf("without a token and a database: %v", err)
	}
}
