package accounts_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// Confirmations that share a query are as current as those with a separate one: after
// a roll has returned, no request finds the old key valid.
func TestSharedConfirmationsAreNeverOld(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, pgtest.Database(t).ServiceURL(), postgres.Options{SetServiceRole: true, MaxConns: 8})
	a := accounts.New(pool, accounts.Options{SecretKey: accountstest.SecretKey(t, "5a")})
	by := accounts.Operator("test")
	org, err := a.CreateOrganization(t.Context(), by, "Shop")
	if err != nil {
		t.Fatal(err)
	}
	app, err := a.CreateApplication(t.Context(), by, org.ID, accounts.Draft{Name: "Web"})
	if err != nil {
		t.Fatal(err)
	}
	_, token, err := a.CreateToken(t.Context(), by, org.ID, accounts.TokenDraft{Name: "Server"})
	if err != nil {
		t.Fatal(err)
	}
	current, err := a.Authenticate(t.Context(), token, app.APIKey, true, "")
	if err != nil {
		t.Fatal(err)
	}
	var crowd sync.WaitGroup
	var asked atomic.Int64
	stop := make(chan struct{})
	for range 32 {
		crowd.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := a.Confirm(t.Context(), current); err != nil && !errors.Is(err, accounts.ErrStaleCredential) {
					t.Error(err)
					return
				}
				asked.Add(1)
			}
		})
	}
	key := app.APIKey
	for deadline := time.Now().Add(20 * time.Second); asked.Load() < 500 && time.Now().Before(deadline); {
		c, err := a.Reauthenticate(t.Context(), token, key, true, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Confirm(t.Context(), c); err != nil {
			t.Errorf("a credential that was read a moment ago: %v", err)
		}
		if key, err = a.RollAPIKey(t.Context(), by, org.ID, app.ID, time.Time{}); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			if err := a.Confirm(t.Context(), c); !errors.Is(err, accounts.ErrStaleCredential) {
				t.Fatalf("after the roll the old one is answered with %v", err)
			}
		}
	}
	close(stop)
	crowd.Wait()
	if asked.Load() < 500 {
		t.Errorf("the crowd asked %d times only", asked.Load())
	}
}

// The database advances the epoch, so that no change of a credential can leave it out. Storing
// a use, or creating a credential that no server has cached, must not advance it: every server
// would look up all its credentials again.
func TestWhatAdvancesTheEpoch(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	owner := db.OwnerPool(t)
	a := accountstest.Open(t, db.Pool(t), nil)
	s := accountstest.NewShop(t, a)
	run := func(sql string) func() error {
		return func() error { _, err := owner.Exec(t.Context(), sql); return err }
	}
	for _, row := range []struct {
		what     string
		do       func() error
		advances bool
	}{
		{"roll key", func() error {
			_, err := a.RollAPIKey(t.Context(), operator, s.Org, s.App.ID, time.Time{})
			return err
		}, true},
		{"deactivate", func() error { return a.SetActive(t.Context(), operator, s.Org, s.App.ID, false) }, true},
		{"activate", func() error { return a.SetActive(t.Context(), operator, s.Org, s.App.ID, true) }, true},
		{"revoke", func() error { return a.RevokeToken(t.Context(), operator, s.Org, s.Token.ID) }, true},
		{"SQL: key", run(`UPDATE applications SET api_key_hash = sha256('x')`), true},
		{"SQL: inactive", run(`UPDATE applications SET active = false`), true},
		{"SQL: namespace", run(`UPDATE applications SET namespace = gen_random_uuid()`), true},
		{"SQL: application's organisation",
			run(`UPDATE applications SET organization_uuid = organization_uuid`), true},
		{"SQL: revoked", run(`UPDATE access_tokens SET revoked_at = now()`), true},
		{"SQL: expiry", run(`UPDATE access_tokens SET expires_at = now()`), true},
		{"SQL: token", run(`UPDATE access_tokens SET token_hash = sha256('y')`), true},
		{"SQL: token's organisation", run(`UPDATE access_tokens SET organization_uuid = organization_uuid`), true},
		{"SQL: another column too",
			run(`UPDATE access_tokens SET last_used_at = now(), revoked_at = now()`), true},
		{"SQL: delete token", run(`DELETE FROM access_tokens`), true},
		{"SQL: delete application", run(`DELETE FROM applications`), true},
		{"SQL: truncate tokens", run(`TRUNCATE access_tokens`), true},
		{"SQL: truncate applications", run(`TRUNCATE applications CASCADE`), true},
		{"new shop, authenticated", func() error {
			s = accountstest.NewShop(t, a)
			s.Enter(t, a)
			return nil
		}, false},
		{"last use", func() error { s.Enter(t, a); return a.FlushLastUsed(t.Context()) }, false},
		{"SQL: last use", run(`UPDATE applications SET api_key_last_used_at = now()`), false},
		{"SQL: last use of a token", run(`UPDATE access_tokens SET last_used_at = now()`), false},
		{"webhook secret", func() error {
			_, err := a.RollWebhookSecret(t.Context(), operator, s.Org, s.App.ID, time.Time{})
			return err
		}, false},
		{"webhook URL", func() error {
			return a.SetWebhookURL(t.Context(), operator, s.Org, s.App.ID, "https://shop.example/hook")
		}, false},
	} {
		before := accountstest.Epoch(t, owner)
		if err := row.do(); err != nil {
			t.Fatalf("%s: %v", row.what, err)
		}
		if after := accountstest.Epoch(t, owner); (after > before) != row.advances || after < before {
			t.Errorf("%s: epoch went from %d to %d; want it to advance: %v", row.what, before, after, row.advances)
		}
	}
}
