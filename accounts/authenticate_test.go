package accounts_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// The 401 table of the specification: the token is judged first, then whether
// there is a key, then the key. Each row is asked twice, so that the second time
// whatever can be remembered is.
func TestOrderOfRefusals(t *testing.T) {
	t.Parallel()
	a := open(t, pgtest.Database(t).Pool(t), nil)
	s, stranger := newShop(t, a), newShop(t, a)
	second, revoked, inactive := shopOf(t, a, s.org), shopOf(t, a, s.org), shopOf(t, a, s.org)
	if err := a.RevokeToken(t.Context(), operator, revoked.org, revoked.token.ID); err != nil {
		t.Fatal(err)
	}
	if err := a.SetActive(t.Context(), operator, inactive.org, inactive.app.ID, false); err != nil {
		t.Fatal(err)
	}
	key, unknown := s.app.APIKey, accounts.NewAPIKey()
	for _, row := range []struct {
		rule, token, key string
		hasKey           bool
		want             error
	}{
		{"both", s.value, key, true, nil},
		{"a token works with every application of its organisation", s.value, second.app.APIKey, true, nil},
		{"and every token with an application", second.value, key, true, nil},
		{"no token", "", key, true, accounts.ErrUnauthenticated},
		{"no token and no key", "", "", false, accounts.ErrUnauthenticated},
		{"unknown token and unknown key", accounts.NewToken(), unknown, true, accounts.ErrUnauthenticated},
		{"revoked token and unknown key", revoked.value, unknown, true, accounts.ErrUnauthenticated},
		{"revoked token and no key", revoked.value, "", false, accounts.ErrUnauthenticated},
		{"revoked token", revoked.value, key, true, accounts.ErrUnauthenticated},
		{"the key as token", key, key, true, accounts.ErrUnauthenticated},
		{"no key", s.value, "", false, accounts.ErrMissingAPIKey},
		{"a known key that was not in the header", s.value, key, false, accounts.ErrMissingAPIKey},
		{"empty key", s.value, "", true, accounts.ErrInvalidAPIKey},
		{"unknown key", s.value, unknown, true, accounts.ErrInvalidAPIKey},
		{"the token as key", s.value, s.value, true, accounts.ErrInvalidAPIKey},
		{"key in capitals", s.value, "pk_" + strings.ToUpper(key[3:]), true, accounts.ErrInvalidAPIKey},
		{"key and a space", s.value, key + " ", true, accounts.ErrInvalidAPIKey},
		{"key of another organisation", s.value, stranger.app.APIKey, true, accounts.ErrInvalidAPIKey},
		{"token of another organisation", stranger.value, key, true, accounts.ErrInvalidAPIKey},
		{"inactive application", s.value, inactive.app.APIKey, true, accounts.ErrInvalidAPIKey},
	} {
		for range 2 {
			got, err := a.Authenticate(t.Context(), row.token, row.key, row.hasKey, "192.0.2.7")
			if !errors.Is(err, row.want) {
				t.Errorf("%s: %v, want %v", row.rule, err, row.want)
			}
			if err != nil && got != (accounts.Credential{}) {
				t.Errorf("%s: refused, and yet a credential %+v", row.rule, got)
			}
		}
	}
}

func TestCredentialSaysWhoAsks(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	pool := db.Pool(t)
	a := open(t, pool, nil)
	s := newShop(t, a)
	want := accounts.Credential{Organization: s.org, Application: s.app.ID, Token: s.token.ID, Epoch: epoch(t, pool)}
	var namespace [16]byte
	if err := pool.QueryRow(t.Context(), `SELECT namespace FROM applications`).Scan(&namespace); err != nil {
		t.Fatal(err)
	}
	want.Namespace = domain.Namespace(namespace)
	for _, how := range []string{"looked up", "remembered"} {
		if diff := cmp.Diff(want, s.enter(t, a)); diff != "" {
			t.Errorf("credential %s (-want +got):\n%s", how, diff)
		}
	}
	if err := a.Confirm(t.Context(), want); err != nil {
		t.Errorf("confirm: %v", err)
	}
}

// A token works until the instant it expires at and not at it, remembered or
// not.
func TestTokenExpiry(t *testing.T) {
	t.Parallel()
	pool := pgtest.Database(t).Pool(t)
	now := newClock()
	a := open(t, pool, now.Now)
	s := newShop(t, a)
	end := noon.Add(time.Hour)
	token, value, err := a.CreateToken(t.Context(), operator, s.org, "Short", &end)
	if err != nil || token.ExpiresAt == nil || !token.ExpiresAt.Equal(end) {
		t.Fatalf("token %+v, %v", token, err)
	}
	for _, row := range []struct {
		rule string
		at   time.Time
		want error
	}{
		{"at once", noon, nil},
		{"a microsecond before", end.Add(-time.Microsecond), nil},
		{"at the instant", end, accounts.ErrUnauthenticated},
		{"a microsecond after", end.Add(time.Microsecond), accounts.ErrUnauthenticated},
		{"a year after", end.AddDate(1, 0, 0), accounts.ErrUnauthenticated},
	} {
		now.Set(row.at)
		if _, err := a.Authenticate(t.Context(), value, s.app.APIKey, true, "192.0.2.7"); !errors.Is(err, row.want) {
			t.Errorf("%s, remembered: %v, want %v", row.rule, err, row.want)
		}
		if _, err := open(t, pool, now.Now).Authenticate(t.Context(), value, s.app.APIKey, true, "192.0.2.7"); !errors.Is(err, row.want) {
			t.Errorf("%s, looked up: %v, want %v", row.rule, err, row.want)
		}
		s.enter(t, a) // a token without an end goes on
	}
	for _, past := range []time.Time{now.Now(), now.Now().Add(-time.Second), now.Now().Add(time.Nanosecond)} {
		if _, _, err := a.CreateToken(t.Context(), operator, s.org, "Over", &past); !errors.Is(err, accounts.ErrInvalid) {
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
	here, there := open(t, pool, nil), open(t, db.Pool(t), nil)
	for _, row := range []struct {
		rule string
		stop func(shop) error
		want error
	}{
		{"rolled key", func(s shop) error {
			_, err := here.RollAPIKey(t.Context(), operator, s.org, s.app.ID, time.Time{})
			return err
		}, accounts.ErrInvalidAPIKey},
		{"revoked token", func(s shop) error { return here.RevokeToken(t.Context(), operator, s.org, s.token.ID) }, accounts.ErrUnauthenticated},
		{"deactivated application", func(s shop) error { return here.SetActive(t.Context(), operator, s.org, s.app.ID, false) }, accounts.ErrInvalidAPIKey},
		{"revoked in SQL", func(s shop) error {
			_, err := owner.Exec(t.Context(), `UPDATE access_tokens SET revoked_at = now() WHERE uuid = $1`, s.token.ID)
			return err
		}, accounts.ErrUnauthenticated},
		{"token deleted in SQL", func(s shop) error {
			_, err := owner.Exec(t.Context(), `DELETE FROM access_tokens WHERE uuid = $1`, s.token.ID)
			return err
		}, accounts.ErrUnauthenticated},
	} {
		s, bystander := newShop(t, here), newShop(t, here)
		for name, server := range map[string]*accounts.Accounts{"here": here, "there": there} {
			s.enter(t, server)
			bystander.enter(t, server)
			if err := server.Confirm(t.Context(), s.enter(t, server)); err != nil {
				t.Errorf("%s, %s: confirm before: %v", row.rule, name, err)
			}
		}
		if err := row.stop(s); err != nil {
			t.Fatal(err)
		}
		for name, server := range map[string]*accounts.Accounts{"here": here, "there": there} {
			remembered := s.enter(t, server) // from memory, which proves nothing by itself
			if err := server.Confirm(t.Context(), remembered); !errors.Is(err, accounts.ErrStaleCredential) {
				t.Errorf("%s, %s: confirm %v, want ErrStaleCredential", row.rule, name, err)
			}
			if _, err := server.Reauthenticate(t.Context(), s.value, s.app.APIKey, true, "192.0.2.7"); !errors.Is(err, row.want) {
				t.Errorf("%s, %s: reauthenticate %v, want %v", row.rule, name, err, row.want)
			}
			if _, err := server.Authenticate(t.Context(), s.value, s.app.APIKey, true, "192.0.2.7"); !errors.Is(err, row.want) {
				t.Errorf("%s, %s: still remembered after the refusal: %v, want %v", row.rule, name, err, row.want)
			}
			again, err := server.Reauthenticate(t.Context(), bystander.value, bystander.app.APIKey, true, "192.0.2.7")
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
	a := open(t, pgtest.Database(t).Pool(t), nil)
	s := newShop(t, a)
	before := s.enter(t, a)
	rolled, err := a.RollAPIKey(t.Context(), operator, s.org, s.app.ID, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	s.app.APIKey = rolled
	after := s.enter(t, a)
	if after.Namespace != before.Namespace || after.Application != before.Application || after.Epoch <= before.Epoch {
		t.Errorf("%+v became %+v", before, after)
	}
	for _, active := range []bool{false, true} {
		if err := a.SetActive(t.Context(), operator, s.org, s.app.ID, active); err != nil {
			t.Fatal(err)
		}
		_, err := a.Reauthenticate(t.Context(), s.value, rolled, true, "192.0.2.7")
		if active != (err == nil) {
			t.Errorf("active %v: %v", active, err)
		}
	}
}

// The epoch is the database's own doing, so that no way of changing a credential
// forgets it; and writing down a use, or creating what nobody remembers yet,
// must not make every server ask again.
func TestWhatAdvancesTheEpoch(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	owner := db.OwnerPool(t)
	a := open(t, db.Pool(t), nil)
	s := newShop(t, a)
	run := func(sql string) func() error {
		return func() error { _, err := owner.Exec(t.Context(), sql); return err }
	}
	for _, row := range []struct {
		what     string
		do       func() error
		advances bool
	}{
		{"roll key", func() error { _, err := a.RollAPIKey(t.Context(), operator, s.org, s.app.ID, time.Time{}); return err }, true},
		{"deactivate", func() error { return a.SetActive(t.Context(), operator, s.org, s.app.ID, false) }, true},
		{"activate", func() error { return a.SetActive(t.Context(), operator, s.org, s.app.ID, true) }, true},
		{"revoke", func() error { return a.RevokeToken(t.Context(), operator, s.org, s.token.ID) }, true},
		{"SQL: key", run(`UPDATE applications SET api_key_hash = sha256('x')`), true},
		{"SQL: inactive", run(`UPDATE applications SET active = false`), true},
		{"SQL: namespace", run(`UPDATE applications SET namespace = gen_random_uuid()`), true},
		{"SQL: application's organisation", run(`UPDATE applications SET organization_uuid = organization_uuid`), true},
		{"SQL: revoked", run(`UPDATE access_tokens SET revoked_at = now()`), true},
		{"SQL: expiry", run(`UPDATE access_tokens SET expires_at = now()`), true},
		{"SQL: token", run(`UPDATE access_tokens SET token_hash = sha256('y')`), true},
		{"SQL: token's organisation", run(`UPDATE access_tokens SET organization_uuid = organization_uuid`), true},
		{"SQL: another column beside it", run(`UPDATE access_tokens SET last_used_at = now(), revoked_at = now()`), true},
		{"SQL: delete token", run(`DELETE FROM access_tokens`), true},
		{"SQL: delete application", run(`DELETE FROM applications`), true},
		{"SQL: truncate tokens", run(`TRUNCATE access_tokens`), true},
		{"SQL: truncate applications", run(`TRUNCATE applications CASCADE`), true},
		{"new shop, let in", func() error { s = newShop(t, a); s.enter(t, a); return nil }, false},
		{"last use", func() error { s.enter(t, a); return a.FlushLastUsed(t.Context()) }, false},
		{"SQL: last use", run(`UPDATE applications SET api_key_last_used_at = now()`), false},
		{"SQL: last use of a token", run(`UPDATE access_tokens SET last_used_at = now()`), false},
		{"webhook secret", func() error {
			_, err := a.RollWebhookSecret(t.Context(), operator, s.org, s.app.ID, time.Time{})
			return err
		}, false},
		{"webhook URL", func() error {
			return a.SetWebhookURL(t.Context(), operator, s.org, s.app.ID, "https://shop.example/hook")
		}, false},
	} {
		before := epoch(t, owner)
		if err := row.do(); err != nil {
			t.Fatalf("%s: %v", row.what, err)
		}
		if after := epoch(t, owner); (after > before) != row.advances || after < before {
			t.Errorf("%s: epoch went from %d to %d; want it to advance: %v", row.what, before, after, row.advances)
		}
	}
}

// An outage is neither a refusal nor a stale credential: nobody may conclude
// from it that a key is bad.
func TestOutageIsNoRefusal(t *testing.T) {
	t.Parallel()
	proxy := pgtest.Proxy(t, pgtest.Database(t).ServiceURL())
	a := open(t, pgtest.Open(t, proxy.URL(), postgres.Options{}), nil)
	s := newShop(t, a)
	remembered := s.enter(t, a)
	proxy.Refuse()
	_, looked := a.Reauthenticate(t.Context(), s.value, s.app.APIKey, true, "192.0.2.7")
	_, unknown := a.Authenticate(t.Context(), accounts.NewToken(), "", false, "192.0.2.7")
	for what, err := range map[string]error{
		"look-up": looked, "look-up of an unknown token": unknown, "confirm": a.Confirm(t.Context(), remembered),
	} {
		if postgres.Classify(err) != postgres.Unavailable {
			t.Errorf("%v: %v, which counts as %s", what, err, postgres.Classify(err))
		}
		for _, refusal := range []error{accounts.ErrUnauthenticated, accounts.ErrMissingAPIKey, accounts.ErrInvalidAPIKey, accounts.ErrStaleCredential} {
			if errors.Is(err, refusal) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	proxy.Pass()
	pgtest.WaitFor(t, "the database to be reached again", func() bool {
		c, err := a.Reauthenticate(t.Context(), s.value, s.app.APIKey, true, "192.0.2.7")
		return err == nil && c == remembered
	})
}

// The cache stays within its bound, and a credential that was dropped from it is
// still valid.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	a := open(t, pgtest.Database(t).Pool(t), nil)
	s := newShop(t, a)
	s.enter(t, a)
	if n := a.Remembered(); n != 1 {
		t.Errorf("%d remembered, want 1", n)
	}
	a.Fill(accounts.MaxRemembered - 1)
	if n := a.Remembered(); n != accounts.MaxRemembered {
		t.Errorf("%d remembered, want %d", n, accounts.MaxRemembered)
	}
	for range 10 {
		shopOf(t, a, s.org).enter(t, a)
		if n := a.Remembered(); n > accounts.MaxRemembered {
			t.Fatalf("%d remembered, more than %d", n, accounts.MaxRemembered)
		}
	}
	if n := a.Remembered(); n != 10 {
		t.Errorf("%d remembered after forgetting, want 10", n)
	}
	s.enter(t, a)
}
