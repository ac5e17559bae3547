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

// Confirmations that share a query are as true as those that have their own: after
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
	app, err := a.CreateApplication(t.Context(), by, org.ID, "Web", "")
	if err != nil {
		t.Fatal(err)
	}
	_, token, err := a.CreateToken(t.Context(), by, org.ID, "Server", nil)
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
