package accounts_test

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/internal/postgres/pgtest"
)

// generation is a key of an application and those that came before it.
type generation struct {
	key     string
	retired []string
}

// Servers authenticate and confirm, as they do for each request, while the key is rolled many
// times. A key that was replaced before a request began is never accepted, and the current key
// is refused only if it was rolled meanwhile.
func TestRollingUnderTraffic(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	servers := []*accounts.Accounts{
		accountstest.Open(t, db.Pool(t), nil),
		accountstest.Open(t, db.Pool(t), nil),
	}
	s := accountstest.NewShop(t, servers[0])
	var present atomic.Pointer[generation]
	var rolls atomic.Int64 // counts beginnings and ends: odd while a roll is under way
	present.Store(&generation{key: s.App.APIKey})
	served := make([]atomic.Int64, 8)
	done := make(chan struct{})
	var wg sync.WaitGroup
	for w := range served {
		server := servers[w%len(servers)]
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				begun, g := rolls.Load(), present.Load()
				if err := serve(t, server, s.Value, g.key); err == nil {
					served[w].Add(1)
				} else if begun%2 == 0 && rolls.Load() == begun {
					t.Errorf("the present key is refused: %v", err)
				}
				for _, old := range g.retired[max(0, len(g.retired)-2):] {
					err := serve(t, server, s.Value, old)
					if !errors.Is(err, accounts.ErrInvalidAPIKey) && !errors.Is(err, accounts.ErrStaleCredential) {
						t.Errorf("a retired key is served: %v", err)
					}
				}
			}
		})
	}
	for range 15 {
		before := make([]int64, len(served))
		for w := range served {
			before[w] = served[w].Load()
		}
		pgtest.WaitFor(t, "every server to serve", func() bool {
			for w := range served {
				if served[w].Load() == before[w] {
					return false
				}
			}
			return true
		})
		rolls.Add(1)
		key, err := servers[0].RollAPIKey(t.Context(), operator, s.Org, s.App.ID, time.Time{})
		if err != nil {
			t.Error(err)
			break
		}
		g := present.Load()
		present.Store(&generation{key, append(slices.Clip(g.retired), g.key)})
		rolls.Add(1)
	}
	close(done)
	wg.Wait()
}

// serve does what a server does for a request: authenticate, confirm, and authenticate once
// more where credentials have changed.
func serve(t *testing.T, a *accounts.Accounts, token, key string) error {
	c, err := a.Authenticate(t.Context(), token, key, true, "192.0.2.7")
	if err != nil {
		return err
	}
	if err := a.Confirm(t.Context(), c); !errors.Is(err, accounts.ErrStaleCredential) {
		return err
	}
	if c, err = a.Reauthenticate(t.Context(), token, key, true, "192.0.2.7"); err != nil {
		return err
	}
	return a.Confirm(t.Context(), c)
}

// Of several requests to roll the same key or secret at the same time, one succeeds; a request
// that names no key or secret always succeeds.
func TestRollingOnce(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	pool := db.Pool(t)
	a := accountstest.Open(t, pool, accountstest.NewClock().Now) // it stands still
	s := accountstest.NewShop(t, a)
	other := accountstest.NewShop(t, a)
	key := func(at accounts.Credentials) (string, error) {
		return a.RollAPIKey(t.Context(), operator, s.Org, s.App.ID, at.KeyRolledAt)
	}
	secret := func(at accounts.Credentials) (string, error) {
		return a.RollWebhookSecret(t.Context(), operator, s.Org, s.App.ID, at.SecretRolledAt)
	}
	for name, roll := range map[string]func(accounts.Credentials) (string, error){"key": key, "secret": secret} {
		for range 5 {
			at, err := a.CredentialsOf(t.Context(), operator, s.Org, s.App.ID)
			if err != nil {
				t.Fatal(err)
			}
			const wanting = 8
			var made, late atomic.Int64
			var wg sync.WaitGroup
			start := make(chan struct{})
			for range wanting {
				wg.Go(func() {
					<-start
					switch value, err := roll(at); {
					case err == nil && value != "":
						made.Add(1)
					case errors.Is(err, accounts.ErrRolled) && value == "":
						late.Add(1)
					default:
						t.Errorf("%s: %q, %v", name, value, err)
					}
				})
			}
			close(start)
			wg.Wait()
			if made.Load() != 1 || late.Load() != wanting-1 {
				t.Errorf("%s: rolled %d times, refused %d times", name, made.Load(), late.Load())
			}
		}
		for range 2 {
			if _, err := roll(accounts.Credentials{}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	var recorded int
	actions := []string{string(accounts.ActionRollAPIKey), string(accounts.ActionRollWebhookSecret)}
	err := pool.QueryRow(t.Context(), `SELECT count(*) FROM audit_records WHERE action = ANY($1)`,
		actions).Scan(&recorded)
	if err != nil {
		t.Fatal(err)
	}
	if want := 2 * (5 + 2); recorded != want {
		t.Errorf("%d records of %d changes", recorded, want)
	}
	at, err := a.CredentialsOf(t.Context(), operator, other.Org, other.App.ID)
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.RollAPIKey(t.Context(), operator, s.Org, other.App.ID, at.KeyRolledAt)
	if !errors.Is(err, accounts.ErrNoApplication) || errors.Is(err, accounts.ErrRolled) {
		t.Errorf("another organisation's: %v", err)
	}
}
