package accounts_test

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"daftar/accounts"
	"daftar/internal/postgres/pgtest"
)

// generation is a key of an application and those that came before it.
type generation struct {
	key     string
	retired []string
}

// Servers authenticate and confirm, as they do for each request, while the key
// is rolled again and again. A key that was retired before a request began is
// never served, and the present key is refused only if it was rolled meanwhile.
func TestRollingUnderTraffic(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	servers := []*accounts.Accounts{open(t, db.Pool(t), nil), open(t, db.Pool(t), nil)}
	s := newShop(t, servers[0])
	var present atomic.Pointer[generation]
	var rolls atomic.Int64 // begun and ended: odd while one is under way
	present.Store(&generation{key: s.app.APIKey})
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
				if err := serve(t, server, s.value, g.key); err == nil {
					served[w].Add(1)
				} else if begun%2 == 0 && rolls.Load() == begun {
					t.Errorf("the present key is refused: %v", err)
				}
				for _, old := range g.retired[max(0, len(g.retired)-2):] {
					if err := serve(t, server, s.value, old); !errors.Is(err, accounts.ErrInvalidAPIKey) && !errors.Is(err, accounts.ErrStaleCredential) {
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
		key, err := servers[0].RollAPIKey(t.Context(), s.app.ID)
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

// serve is what a server does for a request: remember, confirm, and look again
// once where credentials have changed.
func serve(t *testing.T, a *accounts.Accounts, token, key string) error {
	c, err := a.Authenticate(t.Context(), token, key, true)
	if err != nil {
		return err
	}
	if err := a.Confirm(t.Context(), c); !errors.Is(err, accounts.ErrStaleCredential) {
		return err
	}
	if c, err = a.Reauthenticate(t.Context(), token, key, true); err != nil {
		return err
	}
	return a.Confirm(t.Context(), c)
}
