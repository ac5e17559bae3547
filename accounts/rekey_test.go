package accounts_test

import (
	"bytes"
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

// Settings of accounts with acquirers are sealed again with the rest, and a damaged one is
// named, not skipped.
func TestRekeySealsSettingsOfAcquirers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.acquirer("plutu", "adfali")
	w.acquirer("lypay", "lypay")
	if n, err := w.a.CheckSecretKey(t.Context()); err != nil || n != 3 {
		t.Errorf("%d secrets open, %v; want a webhook secret and two settings", n, err)
	}
	fresh := secretKey(t, "7b")
	both := fresh.AndOld(secretKey(t, "5a"))
	var kept []byte
	if err := w.pool.QueryRow(t.Context(), `SELECT settings FROM acquirer_accounts WHERE acquirer = 'lypay'`).Scan(&kept); err != nil {
		t.Fatal(err)
	}
	put := func(settings []byte) {
		t.Helper()
		if _, err := w.pool.Exec(t.Context(), `UPDATE acquirer_accounts SET settings = $1 WHERE acquirer = 'lypay'`, settings); err != nil {
			t.Fatal(err)
		}
	}
	named := "settings of acquirer " + w.app.ID.String() + "/lypay"
	put(append([]byte{kept[0], kept[1] ^ 1}, kept[2:]...))
	if _, err := w.a.CheckSecretKey(t.Context()); err == nil || !strings.Contains(err.Error(), named) {
		t.Errorf("a damaged one is not named: %v", err)
	}
	if n, err := rekey(t, w.pool, operator, both); err == nil || n != 0 || !strings.Contains(err.Error(), named) {
		t.Errorf("with a damaged one: %d, %v", n, err)
	}
	put(kept)
	w.wantAcquirers(`plutu [adfali] true {"secret_key":"value-of-a-setting-plutu"}`, `lypay [lypay] true {"secret_key":"value-of-a-setting-lypay"}`)

	if n, err := rekey(t, w.pool, operator, both); err != nil || n != 3 {
		t.Fatalf("%d sealed anew, %v; want 3: a webhook secret, two settings", n, err)
	}
	if n, err := rekey(t, w.pool, operator, both); err != nil || n != 0 {
		t.Errorf("again: %d, %v", n, err)
	}
	next := accounts.New(w.pool, accounts.Options{SecretKey: fresh, Now: w.now.Now, CheapPasswords: true})
	for _, s := range w.acquirers(w.app.ID) {
		if got, err := next.AcquirerSettings(s); err != nil || !bytes.Equal(got, settingsOf(settingValue+"-"+s.Acquirer)) {
			t.Errorf("%s under the new key: %q, %v", s.Acquirer, got, err)
		}
		if got, err := w.a.AcquirerSettings(s); err == nil {
			t.Errorf("the old key still opens %q", got)
		}
	}
	if n, err := next.CheckSecretKey(t.Context()); err != nil || n != 3 {
		t.Errorf("%d secrets open under the new key, %v", n, err)
	}
}
