package accounts_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

func checkUses(t *testing.T, when string, s accountstest.Shop, db *pgtest.DB, wantToken, wantKey *time.Time) {
	t.Helper()
	token, key := s.Uses(t, db.Pool(t))
	same := func(a, b *time.Time) bool { return a == nil && b == nil || a != nil && b != nil && a.Equal(*b) }
	if !same(token, wantToken) || !same(key, wantKey) {
		t.Errorf("%s: token last used at %v, want %v; key at %v, want %v", when, token, wantToken, key, wantKey)
	}
}

func TestLastUseIsWrittenAndNeverGoesBack(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	now := accountstest.NewClock()
	fast, slow := accountstest.Open(t, db.Pool(t), now.Now), accountstest.Open(t, db.Pool(t), now.Now)
	s, idle := accountstest.NewShop(t, fast), accountstest.NewShop(t, fast)
	at := func(d time.Duration) *time.Time { m := accountstest.Noon.Add(d); return &m }
	enter := func(a *accounts.Accounts, at *time.Time) {
		now.Set(*at)
		s.Enter(t, a)
	}
	flush := func(a *accounts.Accounts) {
		if err := a.FlushLastUsed(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	enter(fast, at(time.Minute))
	checkUses(t, "before it is stored", s, db, nil, nil)
	flush(fast)
	checkUses(t, "looked up", s, db, at(time.Minute), at(time.Minute))
	enter(fast, at(2*time.Minute))
	flush(fast)
	checkUses(t, "remembered", s, db, at(2*time.Minute), at(2*time.Minute))

	// The slow server noted its use first and stores it last.
	enter(slow, at(3*time.Minute))
	enter(fast, at(4*time.Minute))
	flush(fast)
	flush(slow)
	checkUses(t, "stored late", s, db, at(4*time.Minute), at(4*time.Minute))
	flush(fast)
	checkUses(t, "nothing new", s, db, at(4*time.Minute), at(4*time.Minute))
	checkUses(t, "of another shop", idle, db, nil, nil)

	// A refused request is no use.
	now.Set(*at(5 * time.Minute))
	if _, err := fast.Authenticate(t.Context(), s.Value, idle.App.APIKey, true, "192.0.2.7"); err == nil {
		t.Fatal("the key of another organisation is accepted")
	}
	flush(fast)
	checkUses(t, "refused", s, db, at(4*time.Minute), at(4*time.Minute))
	checkUses(t, "refused", idle, db, nil, nil)
}

// A new key has not been used, whatever uses of the old one servers have noted or still
// accept from the cache.
func TestLastUseBelongsToTheKeyThatWasUsed(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	now := accountstest.NewClock()
	a := accountstest.Open(t, db.Pool(t), now.Now)
	s := accountstest.NewShop(t, a)
	flush := func() {
		if err := a.FlushLastUsed(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	s.Enter(t, a)
	flush()
	first := accountstest.Noon
	checkUses(t, "before the roll", s, db, &first, &first)
	s.Enter(t, a) // noted, not stored

	now.Set(accountstest.Noon.Add(time.Minute))
	rolled, err := a.RollAPIKey(t.Context(), operator, s.Org, s.App.ID, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	checkUses(t, "after the roll", s, db, &first, nil)
	flush()
	checkUses(t, "after an earlier use was stored", s, db, &first, nil)

	second := accountstest.Noon.Add(2 * time.Minute)
	now.Set(second)
	s.Enter(t, a) // cached: the old key, which Confirm would find stale
	flush()
	checkUses(t, "after the old key was tried", s, db, &second, nil)

	third := accountstest.Noon.Add(3 * time.Minute)
	now.Set(third)
	s.App.APIKey = rolled
	s.Enter(t, a)
	flush()
	checkUses(t, "after the new key was used", s, db, &third, &third)
}

// All servers lock the rows in the order of their ids, so two that store uses of the same
// credentials cannot deadlock: while another transaction holds the first row, a flush that
// waits for it holds none of the others.
func TestLastUseLocksInOrder(t *testing.T) {
	t.Parallel()
	const credentials = 20
	for table, first := range map[string]string{
		"access_tokens": `SELECT FROM access_tokens ORDER BY uuid LIMIT 1 FOR UPDATE`,
		"applications":  `SELECT FROM applications ORDER BY uuid LIMIT 1 FOR UPDATE`,
	} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			db := pgtest.Database(t)
			pool := db.Pool(t)
			a := accountstest.Open(t, pool, accountstest.NewClock().Now)
			s := accountstest.NewShop(t, a)
			s.Enter(t, a)
			for n := range credentials - 1 {
				_, token, noToken := a.CreateToken(t.Context(), operator, s.Org, accounts.TokenDraft{Name: "Server"})
				app, noApplication := a.CreateApplication(t.Context(), operator, s.Org,
					accounts.Draft{Name: fmt.Sprint(n)})
				_, refused := a.Authenticate(t.Context(), token, app.APIKey, true, "192.0.2.7")
				if err := errors.Join(noToken, noApplication, refused); err != nil {
					t.Fatal(err)
				}
			}
			holder, err := pool.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = holder.Rollback(context.Background()) }()
			if _, err := holder.Exec(t.Context(), first); err != nil {
				t.Fatal(err)
			}
			flushed := make(chan error, 1)
			go func() { flushed <- a.FlushLastUsed(context.Background()) }()
			pgtest.WaitFor(t, "the flush to wait for the row", func() bool {
				var waits bool
				err := pool.QueryRow(t.Context(), `
SELECT EXISTS (
    SELECT FROM pg_locks
    WHERE NOT granted
      AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database()))`).Scan(&waits)
				return err == nil && waits
			})
			free := 0
			err = pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
				return tx.QueryRow(t.Context(),
					`SELECT count(*) FROM (SELECT FROM `+table+` FOR UPDATE SKIP LOCKED) f`).Scan(&free)
			})
			if err != nil {
				t.Fatal(err)
			}
			if free != credentials-1 {
				t.Errorf("while the flush waits for the first row, %d of the other %d are free", free, credentials-1)
			}
			if err := holder.Rollback(t.Context()); err != nil {
				t.Error(err)
			}
			if err := <-flushed; err != nil {
				t.Error(err)
			}
		})
	}
}

// In an outage FlushLastUsed returns an error, and the uses that it should have stored are lost:
// they are a hint for people, and the next use corrects it. Nothing else waits for it.
func TestLastUseInAnOutage(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	proxy := pgtest.Proxy(t, db.ServiceURL())
	now := accountstest.NewClock()
	a := accountstest.Open(t, pgtest.Open(t, proxy.URL(), postgres.Options{}), now.Now)
	s := accountstest.NewShop(t, a)
	s.Enter(t, a)
	proxy.Refuse()
	if err := a.FlushLastUsed(t.Context()); postgres.Classify(err) != postgres.Unavailable {
		t.Errorf("flush in an outage: %v, which counts as %s", err, postgres.Classify(err))
	}
	s.Enter(t, a) // remembered
	if err := a.FlushLastUsed(t.Context()); err == nil {
		t.Error("flush in an outage returns no error")
	}
	proxy.Pass()
	pgtest.WaitFor(t, "the flush to work again", func() bool { return a.FlushLastUsed(t.Context()) == nil })
	checkUses(t, "after the outage", s, db, nil, nil)
	later := accountstest.Noon.Add(time.Hour)
	now.Set(later)
	s.Enter(t, a)
	if err := a.FlushLastUsed(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkUses(t, "after the next use", s, db, &later, &later)
}

func TestRunWritesOnceMoreAtItsEnd(t *testing.T) {
	t.Parallel()
	db, now := pgtest.Database(t), accountstest.NewClock()
	a := accountstest.Open(t, db.Pool(t), now.Now)
	s := accountstest.NewShop(t, a)
	s.Enter(t, a)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); a.Run(ctx) }()
	// It writes first as soon as it begins.
	at, pool := accountstest.Noon, db.OwnerPool(t)
	pgtest.WaitFor(t, "the first write", func() bool {
		var written bool
		err := pool.QueryRow(t.Context(), `
			SELECT EXISTS (SELECT FROM applications WHERE api_key_last_used_at IS NOT NULL)`).Scan(&written)
		if err != nil {
			t.Fatal(err)
		}
		return written
	})
	later := at.Add(time.Hour)
	now.Set(later)
	s.Enter(t, a)
	checkUses(t, "while it runs", s, db, &at, &at)
	cancel()
	<-ended
	checkUses(t, "at its end", s, db, &later, &later)
}

// The last use of a credential, and the client's address, show what will break when it is
// replaced.
func TestWhereCredentialsWereLastUsed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("developer", w.Org, accounts.RoleDeveloper)
	slow := accountstest.Open(t, w.Pool, w.Now.Now)
	use := func(a *accounts.Accounts, from string) {
		t.Helper()
		if _, err := a.Authenticate(t.Context(), w.Value, w.App.APIKey, true, from); err != nil {
			t.Fatal(err)
		}
	}
	check := func(what, from string, at *time.Time) {
		t.Helper()
		c, err := w.Accounts.CredentialsOf(t.Context(), by(u), w.Org, w.App.ID)
		if err != nil || c.KeyLastUsedFrom != from || (c.KeyLastUsedAt == nil) != (at == nil) ||
			at != nil && !at.Equal(*c.KeyLastUsedAt) {
			t.Errorf("%s: key last used %v from %q, %v", what, c.KeyLastUsedAt, c.KeyLastUsedFrom, err)
		}
		if c.KeyEnding != w.App.APIKey[len(w.App.APIKey)-4:] || c.Name != "Web" {
			t.Errorf("%s: %+v", what, c)
		}
	}
	flush := func(a *accounts.Accounts) {
		t.Helper()
		if err := a.FlushLastUsed(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	check("unused", "", nil)
	use(slow, "192.0.2.1")
	w.Later(time.Minute)
	at := w.Now.Now()
	use(w.Accounts, "192.0.2.2")
	flush(w.Accounts)
	flush(slow)
	check("used", "192.0.2.2", &at)
	tokens, err := w.Accounts.Tokens(t.Context(), by(u), w.Org)
	if err != nil || len(tokens) != 1 || tokens[0].LastUsedFrom != "192.0.2.2" ||
		tokens[0].LastUsedAt == nil || !tokens[0].LastUsedAt.Equal(at) ||
		tokens[0].Ending != w.Value[len(w.Value)-4:] || tokens[0].RevokedAt != nil {
		t.Errorf("tokens %+v, %v", tokens, err)
	}
	key, err := w.Accounts.RollAPIKey(t.Context(), by(u), w.Org, w.App.ID, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	w.App.APIKey = key
	check("rolled", "", nil)
	if err := w.Accounts.RevokeToken(t.Context(), by(u), w.Org, w.Token.ID); err != nil {
		t.Fatal(err)
	}
	if tokens, err := w.Accounts.Tokens(t.Context(), by(u), w.Org); err != nil || tokens[0].RevokedAt == nil {
		t.Errorf("after revoking: %+v, %v", tokens, err)
	}
}
