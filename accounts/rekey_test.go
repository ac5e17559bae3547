package accounts_test

import (
	"encoding/base32"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
)

func rekey(t *testing.T, pool *pgxpool.Pool, by accounts.Actor, key accounts.SecretKey) (n int, err error) {
	t.Helper()
	err = pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		n, err = accounts.Rekey(t.Context(), tx, by, key)
		return err
	})
	return n, err
}

// Under a new key every secret is what it was, and the old key opens none.
func TestRekey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.shop
	u := w.person("salma", s.org, accounts.RoleOwner)
	app, _ := w.enrol(u)
	begun := w.person("huda", s.org, accounts.RoleOwner)
	e, err := w.a.BeginSecondFactor(t.Context(), by(begun))
	if err != nil {
		t.Fatal(err)
	}
	fresh := secretKey(t, "7b")
	both := fresh.AndOld(secretKey(t, "5a"))
	next := accounts.New(w.pool, accounts.Options{SecretKey: fresh, Now: w.now.Now, CheapPasswords: true})
	between := accounts.New(w.pool, accounts.Options{SecretKey: both, Now: w.now.Now, CheapPasswords: true})
	if got, err := between.WebhookSecret(t.Context(), s.app.ID); err != nil || got != s.app.WebhookSecret {
		t.Errorf("before, with both keys: %q, %v", got, err)
	}
	if _, err := next.WebhookSecret(t.Context(), s.app.ID); err == nil {
		t.Error("the new key opens before anything was sealed under it")
	}
	during := shopOf(t, between, s.org) // made while servers have both keys

	if _, err := rekey(t, w.pool, by(u), both); !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("by an owner: %v", err)
	}
	if n, err := rekey(t, w.pool, operator, fresh.AndOld(secretKey(t, "00"))); err == nil || n != 0 || !strings.Contains(err.Error(), s.app.ID.String()) {
		t.Errorf("with a wrong old key: %d, %v; want the application named", n, err)
	}
	if n, err := rekey(t, w.pool, operator, both); err != nil || n != 3 {
		t.Fatalf("%d sealed anew, %v; want 3: a webhook secret, a second factor, one begun", n, err)
	}
	if n, err := rekey(t, w.pool, operator, both); err != nil || n != 0 {
		t.Errorf("again: %d, %v", n, err)
	}
	for _, each := range []shop{s, during} {
		if got, err := next.WebhookSecret(t.Context(), each.app.ID); err != nil || got != each.app.WebhookSecret {
			t.Errorf("afterwards: %q, %v; want %q", got, err, each.app.WebhookSecret)
		}
		if got, err := w.a.WebhookSecret(t.Context(), each.app.ID); err == nil {
			t.Errorf("the old key still opens %q", got)
		}
	}
	w.later(time.Minute)
	if _, err := next.CheckSecondFactor(t.Context(), by(u), app.code(w.now.Now())); err != nil {
		t.Errorf("the second factor under the new key: %v", err)
	}
	pending, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(e.Secret)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := next.ConfirmSecondFactor(t.Context(), by(begun), authenticator(pending).code(w.now.Now())); err != nil {
		t.Errorf("the one that was begun, under the new key: %v", err)
	}
	if n := w.count(`SELECT count(*) FROM audit_records WHERE action = 'secret_key.replace' AND organization_uuid IS NULL AND actor = $1`, operator.Name); n != 2 {
		t.Errorf("%d records, want one of each run that ended well", n)
	}
}
