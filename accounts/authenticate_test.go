package accounts_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// The 401 table of the specification: the token is checked first, then whether
// there is a key, then the key. Each row is sent twice, so that the second time
// the answer may come from the cache.
func TestOrderOfRefusals(t *testing.T) {
	t.Parallel()
	a := accountstest.Open(t, pgtest.Database(t).Pool(t), nil)
	s, stranger := accountstest.NewShop(t, a), accountstest.NewShop(t, a)
	second := accountstest.ShopOf(t, a, s.Org)
	revoked := accountstest.ShopOf(t, a, s.Org)
	inactive := accountstest.ShopOf(t, a, s.Org)
	if err := a.RevokeToken(t.Context(), operator, revoked.Org, revoked.Token.ID); err != nil {
		t.Fatal(err)
	}
	if err := a.SetActive(t.Context(), operator, inactive.Org, inactive.App.ID, false); err != nil {
		t.Fatal(err)
	}
	key, unknown := s.App.APIKey, accounts.NewAPIKey()
	for _, row := range []struct {
		rule, token, key string
		hasKey           bool
		want             error
	}{
		{"both", s.Value, key, true, nil},
		{"a token works with every application of its organisation", s.Value, second.App.APIKey, true, nil},
		{"and every token with an application", second.Value, key, true, nil},
		{"no token", "", key, true, accounts.ErrUnauthenticated},
		{"no token and no key", "", "", false, accounts.ErrUnauthenticated},
		{"unknown token and unknown key", accounts.NewToken(), unknown, true, accounts.ErrUnauthenticated},
		{"revoked token and unknown key", revoked.Value, unknown, true, accounts.ErrUnauthenticated},
		{"revoked token and no key", revoked.Value, "", false, accounts.ErrUnauthenticated},
		{"revoked token", revoked.Value, key, true, accounts.ErrUnauthenticated},
		{"the key as token", key, key, true, accounts.ErrUnauthenticated},
		{"no key", s.Value, "", false, accounts.ErrMissingAPIKey},
		{"a known key that was not in the header", s.Value, key, false, accounts.ErrMissingAPIKey},
		{"empty key", s.Value, "", true, accounts.ErrInvalidAPIKey},
		{"unknown key", s.Value, unknown, true, accounts.ErrInvalidAPIKey},
		{"the token as key", s.Value, s.Value, true, accounts.ErrInvalidAPIKey},
		{"key in capitals", s.Value, "pk_" + strings.ToUpper(key[3:]), true, accounts.ErrInvalidAPIKey},
		{"key and a space", s.Value, key + " ", true, accounts.ErrInvalidAPIKey},
		{"key of another organisation", s.Value, stranger.App.APIKey, true, accounts.ErrInvalidAPIKey},
		{"token of another organisation", stranger.Value, key, true, accounts.ErrInvalidAPIKey},
		{"inactive application", s.Value, inactive.App.APIKey, true, accounts.ErrInvalidAPIKey},
	} {
		for range 2 {
			got, err := a.Authenticate(t.Context(), row.token, row.key, row.hasKey, "192.0.2.7")
			if !errors.Is(err, row.want) {
				t.Errorf("%s: %v, want %v", row.rule, err, row.want)
			}
			if err != nil && !reflect.ValueOf(got).IsZero() {
				t.Errorf("%s: refused, and yet a credential %+v", row.rule, got)
			}
		}
	}
}

func TestCredentialIdentifiesTheClient(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	pool := db.Pool(t)
	a := accountstest.Open(t, pool, nil)
	s := accountstest.NewShop(t, a)
	want := accounts.Credential{
		Organization: s.Org, Application: s.App.ID, Token: s.Token.ID,
		Scopes: []accounts.Scope{accounts.ScopePayments}, Epoch: accountstest.Epoch(t, pool),
	}
	var namespace [16]byte
	if err := pool.QueryRow(t.Context(), `SELECT namespace FROM applications`).Scan(&namespace); err != nil {
		t.Fatal(err)
	}
	want.Namespace = domain.Namespace(namespace)
	for _, how := range []string{"looked up", "remembered"} {
		if diff := cmp.Diff(want, s.Enter(t, a)); diff != "" {
			t.Errorf("credential %s (-want +got):\n%s", how, diff)
		}
	}
	if err := a.Confirm(t.Context(), want); err != nil {
		t.Errorf("confirm: %v", err)
	}
}

// A token works before the instant of its expiry and not at it, cached or not.
func TestTokenExpiry(t *testing.T) {
	t.Parallel()
	pool := pgtest.Database(t).Pool(t)
	now := accountstest.NewClock()
	a := accountstest.Open(t, pool, now.Now)
	s := accountstest.NewShop(t, a)
	end := accountstest.Noon.Add(time.Hour)
	token, value, err := a.CreateToken(t.Context(), operator, s.Org,
		accounts.TokenDraft{Name: "Short", ExpiresAt: &end})
	if err != nil || token.ExpiresAt == nil || !token.ExpiresAt.Equal(end) {
		t.Fatalf("token %+v, %v", token, err)
	}
	for _, row := range []struct {
		rule string
		at   time.Time
		want error
	}{
		{"at once", accountstest.Noon, nil},
		{"a microsecond before", end.Add(-time.Microsecond), nil},
		{"at the instant", end, accounts.ErrUnauthenticated},
		{"a microsecond after", end.Add(time.Microsecond), accounts.ErrUnauthenticated},
		{"a year after", end.AddDate(1, 0, 0), accounts.ErrUnauthenticated},
	} {
		now.Set(row.at)
		_, err := a.Authenticate(t.Context(), value, s.App.APIKey, true, "192.0.2.7")
		if !errors.Is(err, row.want) {
			t.Errorf("%s, remembered: %v, want %v", row.rule, err, row.want)
		}
		_, err = accountstest.Open(t, pool, now.Now).Authenticate(t.Context(), value, s.App.APIKey,
			true, "192.0.2.7")
		if !errors.Is(err, row.want) {
			t.Errorf("%s, looked up: %v, want %v", row.rule, err, row.want)
		}
		s.Enter(t, a) // a token without an expiry still works
	}
	for _, past := range []time.Time{now.Now(), now.Now().Add(-time.Second), now.Now().Add(time.Nanosecond)} {
		_, _, err := a.CreateToken(t.Context(), operator, s.Org,
			accounts.TokenDraft{Name: "Over", ExpiresAt: &past})
		if !errors.Is(err, accounts.ErrInvalid) {
			t.Errorf("token until %v at %v: %v, want ErrInvalid", past, now.Now(), err)
		}
	}
}

// Two servers remember a credential; one of them, or an operator elsewhere,
// stops it. Neither server accepts it after that, and other credentials stay valid.
func TestRememberedCredentialsStopAtOnce(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	pool, owner := db.Pool(t), db.OwnerPool(t)
	here, there := accountstest.Open(t, pool, nil), accountstest.Open(t, db.Pool(t), nil)
	for _, row := range []struct {
		rule string
		stop func(accountstest.Shop) error
		want error
	}{
		{"rolled key", func(s accountstest.Shop) error {
			_, err := here.RollAPIKey(t.Context(), operator, s.Org, s.App.ID, time.Time{})
			return err
		}, accounts.ErrInvalidAPIKey},
		{"revoked token", func(s accountstest.Shop) error {
			return here.RevokeToken(t.Context(), operator, s.Org, s.Token.ID)
		}, accounts.ErrUnauthenticated},
		{"deactivated application", func(s accountstest.Shop) error {
			return here.SetActive(t.Context(), operator, s.Org, s.App.ID, false)
		}, accounts.ErrInvalidAPIKey},
		{"revoked in SQL", func(s accountstest.Shop) error {
			_, err := owner.Exec(t.Context(),
				`UPDATE access_tokens SET revoked_at = now() WHERE uuid = $1`, s.Token.ID)
			return err
		}, accounts.ErrUnauthenticated},
		{"token deleted in SQL", func(s accountstest.Shop) error {
			_, err := owner.Exec(t.Context(), `DELETE FROM access_tokens WHERE uuid = $1`, s.Token.ID)
			return err
		}, accounts.ErrUnauthenticated},
	} {
		s, bystander := accountstest.NewShop(t, here), accountstest.NewShop(t, here)
		for name, server := range map[string]*accounts.Accounts{"here": here, "there": there} {
			s.Enter(t, server)
			bystander.Enter(t, server)
			if err := server.Confirm(t.Context(), s.Enter(t, server)); err != nil {
				t.Errorf("%s, %s: confirm before: %v", row.rule, name, err)
			}
		}
		if err := row.stop(s); err != nil {
			t.Fatal(err)
		}
		for name, server := range map[string]*accounts.Accounts{"here": here, "there": there} {
			remembered := s.Enter(t, server) // from memory, which proves nothing by itself
			if err := server.Confirm(t.Context(), remembered); !errors.Is(err, accounts.ErrStaleCredential) {
				t.Errorf("%s, %s: confirm %v, want ErrStaleCredential", row.rule, name, err)
			}
			_, err := server.Reauthenticate(t.Context(), s.Value, s.App.APIKey, true, "192.0.2.7")
			if !errors.Is(err, row.want) {
				t.Errorf("%s, %s: reauthenticate %v, want %v", row.rule, name, err, row.want)
			}
			_, err = server.Authenticate(t.Context(), s.Value, s.App.APIKey, true, "192.0.2.7")
			if !errors.Is(err, row.want) {
				t.Errorf("%s, %s: still remembered after the refusal: %v, want %v", row.rule, name, err, row.want)
			}
			again, err := server.Reauthenticate(t.Context(), bystander.Value, bystander.App.APIKey,
				true, "192.0.2.7")
			if err != nil {
				t.Errorf("%s, %s: a bystander is refused: %v", row.rule, name, err)
			}
			if err := server.Confirm(t.Context(), again); err != nil {
				t.Errorf("%s, %s: confirm a bystander: %v", row.rule, name, err)
			}
		}
	}
}

func TestRolledKeyAndReactivatedApplicationWork(t *testing.T) {
	t.Parallel()
	a := accountstest.Open(t, pgtest.Database(t).Pool(t), nil)
	s := accountstest.NewShop(t, a)
	before := s.Enter(t, a)
	rolled, err := a.RollAPIKey(t.Context(), operator, s.Org, s.App.ID, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	s.App.APIKey = rolled
	after := s.Enter(t, a)
	if after.Namespace != before.Namespace || after.Application != before.Application ||
		after.Epoch <= before.Epoch {
		t.Errorf("%+v became %+v", before, after)
	}
	for _, active := range []bool{false, true} {
		if err := a.SetActive(t.Context(), operator, s.Org, s.App.ID, active); err != nil {
			t.Fatal(err)
		}
		_, err := a.Reauthenticate(t.Context(), s.Value, rolled, true, "192.0.2.7")
		if active != (err == nil) {
			t.Errorf("active %v: %v", active, err)
		}
	}
}

// An outage is neither a refusal nor a stale credential: a client must not conclude from it
// that its key is invalid.
func TestOutageIsNoRefusal(t *testing.T) {
	t.Parallel()
	proxy := pgtest.Proxy(t, pgtest.Database(t).ServiceURL())
	a := accountstest.Open(t, pgtest.Open(t, proxy.URL(), postgres.Options{}), nil)
	s := accountstest.NewShop(t, a)
	remembered := s.Enter(t, a)
	proxy.Refuse()
	_, known := a.Reauthenticate(t.Context(), s.Value, s.App.APIKey, true, "192.0.2.7")
	_, unknown := a.Authenticate(t.Context(), accounts.NewToken(), "", false, "192.0.2.7")
	for what, err := range map[string]error{
		"look-up": known, "look-up of an unknown token": unknown,
		"confirm": a.Confirm(t.Context(), remembered),
	} {
		if postgres.Classify(err) != postgres.Unavailable {
			t.Errorf("%v: %v, which counts as %s", what, err, postgres.Classify(err))
		}
		for _, refusal := range []error{
			accounts.ErrUnauthenticated, accounts.ErrMissingAPIKey, accounts.ErrInvalidAPIKey,
			accounts.ErrStaleCredential,
		} {
			if errors.Is(err, refusal) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	proxy.Pass()
	pgtest.WaitFor(t, "the database to be reached again", func() bool {
		c, err := a.Reauthenticate(t.Context(), s.Value, s.App.APIKey, true, "192.0.2.7")
		return err == nil && c.Token == remembered.Token
	})
}
