package accounts_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/accounts/people"
	"daftar/accounts/settings"
)

func rekey(t *testing.T, pool *pgxpool.Pool, by accounts.Actor, key accounts.SecretKey) (n int, err error) {
	t.Helper()
	err = pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		n, err = accounts.Rekey(t.Context(), tx, by, key, accountstest.Sealed)
		return err
	})
	return n, err
}

// Under a new key every secret is unchanged, and the old key opens none.
func TestRekey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.Shop
	u := w.Person("salma", s.Org, accounts.RoleOwner)
	app, _ := w.Enrol(u)
	begun := w.Person("huda", s.Org, accounts.RoleOwner)
	uri, err := w.People.BeginSecondFactor(t.Context(), by(begun))
	if err != nil {
		t.Fatal(err)
	}
	fresh := accountstest.SecretKey(t, "7b")
	both := fresh.AndOld(accountstest.SecretKey(t, "5a"))
	next := accounts.New(w.Pool, accounts.Options{SecretKey: fresh, Now: w.Now.Now})
	between := accounts.New(w.Pool, accounts.Options{SecretKey: both, Now: w.Now.Now})
	if got, err := between.WebhookSecret(t.Context(), s.App.ID); err != nil || got != s.App.WebhookSecret {
		t.Errorf("before, with both keys: %q, %v", got, err)
	}
	if _, err := next.WebhookSecret(t.Context(), s.App.ID); err == nil {
		t.Error("the new key opens before anything was sealed under it")
	}
	during := accountstest.ShopOf(t, between, s.Org) // made while servers have both keys

	if _, err := rekey(t, w.Pool, by(u), both); !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("by an owner: %v", err)
	}
	n, err := rekey(t, w.Pool, operator, fresh.AndOld(accountstest.SecretKey(t, "00")))
	if err == nil || n != 0 || !strings.Contains(err.Error(), s.App.ID.String()) {
		t.Errorf("with a wrong old key: %d, %v; want the application named", n, err)
	}
	if n, err := rekey(t, w.Pool, operator, both); err != nil || n != 3 {
		t.Fatalf("%d sealed again, %v; want 3: a webhook secret, a second factor, one begun", n, err)
	}
	if n, err := rekey(t, w.Pool, operator, both); err != nil || n != 0 {
		t.Errorf("again: %d, %v", n, err)
	}
	for _, each := range []accountstest.Shop{s, during} {
		got, err := next.WebhookSecret(t.Context(), each.App.ID)
		if err != nil || got != each.App.WebhookSecret {
			t.Errorf("afterwards: %q, %v; want %q", got, err, each.App.WebhookSecret)
		}
		if got, err := w.Accounts.WebhookSecret(t.Context(), each.App.ID); err == nil {
			t.Errorf("the old key still opens %q", got)
		}
	}
	w.Later(time.Minute)
	people := people.New(w.Pool, next, people.Options{SecretKey: fresh, Now: w.Now.Now, CheapPasswords: true})
	if _, err := people.CheckSecondFactor(t.Context(), by(u), app.Code(w.Now.Now())); err != nil {
		t.Errorf("the second factor under the new key: %v", err)
	}
	_, err = people.ConfirmSecondFactor(t.Context(), by(begun), w.Scan(uri).Code(w.Now.Now()))
	if err != nil {
		t.Errorf("the one that was begun, under the new key: %v", err)
	}
	n = w.Count(`
SELECT count(*)
FROM audit_records
WHERE action = 'secret_key.replace'
  AND organization_uuid IS NULL
  AND actor = $1`, operator.Name)
	if n != 2 {
		t.Errorf("%d records, want one of each run that succeeded", n)
	}
}

// Settings of accounts with acquirers are sealed again with the rest, and a damaged one is
// named, not skipped.
func TestRekeySealsSettingsOfAcquirers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Acquirer("plutu", "adfali")
	w.Acquirer("lypay", "lypay")
	if n, err := w.Check(accountstest.SecretKey(t, "5a")); err != nil || n != 3 {
		t.Errorf("%d secrets open, %v; want a webhook secret and two settings", n, err)
	}
	fresh := accountstest.SecretKey(t, "7b")
	both := fresh.AndOld(accountstest.SecretKey(t, "5a"))
	var kept []byte
	err := w.Pool.QueryRow(t.Context(),
		`SELECT settings FROM acquirer_accounts WHERE acquirer = 'lypay'`).Scan(&kept)
	if err != nil {
		t.Fatal(err)
	}
	store := func(settings []byte) {
		t.Helper()
		_, err := w.Pool.Exec(t.Context(),
			`UPDATE acquirer_accounts SET settings = $1 WHERE acquirer = 'lypay'`, settings)
		if err != nil {
			t.Fatal(err)
		}
	}
	named := "settings of acquirer " + w.App.ID.String() + "/lypay"
	store(append([]byte{kept[0], kept[1] ^ 1}, kept[2:]...))
	_, err = w.Check(accountstest.SecretKey(t, "5a"))
	if err == nil || !strings.Contains(err.Error(), named) {
		t.Errorf("a damaged one is not named: %v", err)
	}
	n, err := rekey(t, w.Pool, operator, both)
	if err == nil || n != 0 || !strings.Contains(err.Error(), named) {
		t.Errorf("with a damaged one: %d, %v", n, err)
	}
	store(kept)
	w.WantAcquirers(`plutu [adfali] true {"secret_key":"value-of-a-setting-plutu"}`,
		`lypay [lypay] true {"secret_key":"value-of-a-setting-lypay"}`)

	if n, err := rekey(t, w.Pool, operator, both); err != nil || n != 3 {
		t.Fatalf("%d sealed again, %v; want 3: a webhook secret, two settings", n, err)
	}
	if n, err := rekey(t, w.Pool, operator, both); err != nil || n != 0 {
		t.Errorf("again: %d, %v", n, err)
	}
	next := settings.New(w.Pool, w.Accounts, fresh, w.Now.Now)
	for _, s := range w.Acquirers(w.App.ID) {
		got, err := next.AcquirerSettings(s)
		if err != nil || !bytes.Equal(got, accountstest.SettingsOf(accountstest.SettingValue+"-"+s.Acquirer)) {
			t.Errorf("%s under the new key: %q, %v", s.Acquirer, got, err)
		}
		if got, err := w.Settings.AcquirerSettings(s); err == nil {
			t.Errorf("the old key still opens %q", got)
		}
	}
	if n, err := w.Check(fresh); err != nil || n != 3 {
		t.Errorf("%d secrets open under the new key, %v", n, err)
	}
}
