package accounts_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/internal/postgres/pgtest"
)

// Anyone can make well-formed tokens. Those from one network cost a bounded number of queries, and
// a client in the same network that was accepted before is not affected.
func TestAFloodOfTokensStaysFromTheDatabase(t *testing.T) {
	t.Parallel()
	const flood = 1000
	for _, row := range []struct {
		network, client string
		of              func(n int) string
	}{
		{"an address", "203.0.113.7", func(int) string { return "203.0.113.7" }},
		{"a network of IPv6", "2001:db8:0:1::7", func(n int) string { return fmt.Sprintf("2001:db8:0:1::%x", n) }},
		{"an address of a trusted proxy's", "::ffff:203.0.113.7", func(int) string { return "203.0.113.7" }},
	} {
		t.Run(row.network, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.Database(t).Pool(t)
			now := accountstest.NewClock()
			a := accountstest.Open(t, pool, now.Now)
			s, other := accountstest.NewShop(t, a), accountstest.NewShop(t, a)
			late := accountstest.NewShop(t, a)
			enter := func(s accountstest.Shop, from string) error {
				_, err := a.Authenticate(t.Context(), s.Value, s.App.APIKey, true, from)
				return err
			}
			if err := enter(s, row.client); err != nil {
				t.Fatal(err)
			}
			asked := pool.Stat().AcquireCount()
			var refused, throttled int
			for n := range flood {
				_, err := a.Authenticate(t.Context(), accounts.NewToken(), s.App.APIKey, true, row.of(n))
				switch limit, is := errors.AsType[accounts.Throttled](err); {
				case errors.Is(err, accounts.ErrUnauthenticated):
					refused++
				case is && limit.RetryAfter > 0 && limit.RetryAfter <= time.Second:
					throttled++
				default:
					t.Fatalf("%d: %v", n, err)
				}
				if id, _ := accounts.RefusedApplication(err); id != s.App.ID {
					t.Fatalf("%d: %v is of the application %s", n, err, id)
				}
				if err := enter(s, row.client); err != nil {
					t.Fatalf("%d: a client that was accepted before: %v", n, err)
				}
			}
			if asked := int(pool.Stat().AcquireCount() - asked); asked != refused || asked > flood/3 ||
				refused+throttled != flood {
				t.Errorf("%d queries; %d are refused and %d throttled of %d", asked, refused, throttled, flood)
			}
			// After a roll the client uses both keys for a while; the new one is accepted.
			rolled, err := a.RollAPIKey(t.Context(), operator, s.Org, s.App.ID, time.Time{})
			if err != nil {
				t.Fatal(err)
			}
			for range flood {
				if _, err := a.Authenticate(t.Context(), s.Value, rolled, true, row.client); err != nil {
					t.Fatalf("the new key: %v", err)
				}
				_, err := a.Reauthenticate(t.Context(), s.Value, s.App.APIKey, true, row.client)
				if !errors.Is(err, accounts.ErrInvalidAPIKey) {
					t.Fatalf("the old key: %v", err)
				}
			}
			s.App.APIKey = rolled
			// A change of credentials makes the server look up the clients that it knows.
			_, err = a.RollAPIKey(t.Context(), operator, other.Org, other.App.ID, time.Time{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := a.Reauthenticate(t.Context(), s.Value, s.App.APIKey, true, row.client); err != nil {
				t.Errorf("a client that was accepted before, looked up again: %v", err)
			}
			if err := enter(late, row.of(1)); !errors.As(err, new(accounts.Throttled)) {
				t.Errorf("a client that was not accepted before: %v, want a short wait", err)
			}
			if err := enter(late, "198.51.100.1"); err != nil {
				t.Errorf("another network: %v", err)
			}
			now.Set(accountstest.Noon.Add(time.Second))
			_, err = a.Authenticate(t.Context(), accounts.NewToken(), s.App.APIKey, true, row.of(1))
			if !errors.Is(err, accounts.ErrUnauthenticated) {
				t.Errorf("a second later: %v", err)
			}
		})
	}
}
