package accounts_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

const digits62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// A token with a wrong letter, or with two neighbours exchanged, is refused without a query:
// here there is no database.
func TestMistypedTokensStayFromTheDatabase(t *testing.T) {
	t.Parallel()
	pool := pgtest.Database(t).Pool(t)
	pool.Close()
	a := accountstest.Open(t, pool, nil)
	token := accounts.NewToken()
	_, err := a.Authenticate(t.Context(), token, accounts.NewAPIKey(), true, "192.0.2.7")
	if err == nil || errors.Is(err, accounts.ErrUnauthenticated) {
		t.Fatalf("a well-formed token gives %v: there was no query", err)
	}
	mistyped := []string{
		"", "at_", token + "0", token[1:], token[:len(token)-1], " " + token, token + "\n",
		"AT_" + token[3:], "pk_" + token[3:],
	}
	for n := len("at_"); n < len(token); n++ {
		for _, d := range digits62 {
			if other := token[:n] + string(d) + token[n+1:]; other != token {
				mistyped = append(mistyped, other)
			}
		}
		if n > len("at_") && n != len(token)-6 && token[n] != token[n-1] {
			mistyped = append(mistyped, token[:n-1]+string(token[n])+string(token[n-1])+token[n+1:])
		}
	}
	for _, m := range mistyped {
		_, err := a.Authenticate(t.Context(), m, accounts.NewAPIKey(), true, "192.0.2.7")
		if !errors.Is(err, accounts.ErrUnauthenticated) {
			t.Errorf("%q for %q: %v, want ErrUnauthenticated", m, token, err)
		}
	}
}

// No table holds a credential in a form that can be read. The test also finds the hashes, which
// shows that its search works.
func TestNothingReadableIsStored(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	a := accountstest.Open(t, db.Pool(t), nil)
	s := accountstest.NewShop(t, a)
	s.Enter(t, a)
	if err := a.FlushLastUsed(t.Context()); err != nil {
		t.Fatal(err)
	}
	rolledKey, err := a.RollAPIKey(t.Context(), operator, s.Org, s.App.ID, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	rolledSecret, err := a.RollWebhookSecret(t.Context(), operator, s.Org, s.App.ID, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	all := everything(t, pgtest.Open(t, db.SuperuserURL(), postgres.Options{}))
	for what, value := range map[string]string{
		"API key": s.App.APIKey, "rolled API key": rolledKey, "access token": s.Value,
		"webhook secret": s.App.WebhookSecret, "rolled webhook secret": rolledSecret,
	} {
		for _, form := range formsOf(t, value) {
			if strings.Contains(all, form) || strings.Contains(strings.ToLower(all), strings.ToLower(form)) {
				t.Errorf("the %s %s is stored as %s", what, value, form)
			}
		}
	}
	for what, value := range map[string]string{"rolled API key": rolledKey, "access token": s.Value} {
		if sum := sha256.Sum256([]byte(value)); !strings.Contains(all, hex.EncodeToString(sum[:])) {
			t.Errorf("the hash of the %s is not found: the search shows nothing", what)
		}
	}
}

// formsOf are the forms in which a credential could be stored: whole and without its prefix,
// as text, hex or base64, and the bytes that it encodes.
func formsOf(t *testing.T, value string) []string {
	t.Helper()
	_, random, _ := strings.Cut(value, "_")
	forms := []string{random}
	for _, s := range []string{value, random} {
		forms = append(forms, hex.EncodeToString([]byte(s)),
			base64.RawStdEncoding.EncodeToString([]byte(s)), base64.RawURLEncoding.EncodeToString([]byte(s)))
	}
	if raw, err := hex.DecodeString(random); err == nil {
		forms = append(forms, base64.RawStdEncoding.EncodeToString(raw), base64.RawURLEncoding.EncodeToString(raw))
	}
	if strings.HasPrefix(value, "whsec_") {
		raw, err := base64.StdEncoding.DecodeString(random)
		if err != nil {
			t.Fatal(err)
		}
		forms = append(forms, hex.EncodeToString(raw))
	}
	return forms
}

// everything is all rows of all tables as text; bytes are in hex.
func everything(t *testing.T, superuser *pgxpool.Pool) string {
	t.Helper()
	rows, err := superuser.Query(t.Context(),
		`SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(tables) < 5 {
		t.Fatalf("tables %v, %v", tables, err)
	}
	var all strings.Builder
	for _, table := range tables {
		rows, err := superuser.Query(t.Context(), `SELECT t::text FROM `+pgx.Identifier{table}.Sanitize()+` t`)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(strings.Join(lines, "\n"))
	}
	return all.String()
}

func TestWebhookSecretOpensUnderItsKeyAndForItsApplicationOnly(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	pool := db.Pool(t)
	a := accountstest.Open(t, pool, nil)
	s, other := accountstest.NewShop(t, a), accountstest.NewShop(t, a)
	if got, err := a.WebhookSecret(t.Context(), s.App.ID); err != nil || got != s.App.WebhookSecret {
		t.Errorf("secret %q, %v; want %q", got, err, s.App.WebhookSecret)
	}
	rolled, err := a.RollWebhookSecret(t.Context(), operator, s.Org, s.App.ID, time.Time{})
	if err != nil || rolled == s.App.WebhookSecret {
		t.Fatalf("rolled to %q, %v", rolled, err)
	}
	if got, err := a.WebhookSecret(t.Context(), s.App.ID); err != nil || got != rolled {
		t.Errorf("secret after the roll %q, %v; want %q", got, err, rolled)
	}
	if got, err := a.WebhookSecret(t.Context(), other.App.ID); err != nil || got != other.App.WebhookSecret {
		t.Errorf("the other's secret %q, %v; want %q", got, err, other.App.WebhookSecret)
	}
	under := accounts.New(pool, accounts.Options{SecretKey: accountstest.SecretKey(t, "5b")})
	if got, err := under.WebhookSecret(t.Context(), s.App.ID); err == nil {
		t.Errorf("another key opens %q", got)
	}
	for what, sql := range map[string]string{
		"another application's": `
UPDATE applications
SET webhook_secret = (SELECT webhook_secret FROM applications WHERE uuid <> $1)
WHERE uuid = $1`,
		"one with a bit changed": `
UPDATE applications
SET webhook_secret = set_bit(webhook_secret, 300, 1 - get_bit(webhook_secret, 300))
WHERE uuid = $1`,
		"one cut short": `
UPDATE applications
SET webhook_secret = substr(webhook_secret, 1, 9)
WHERE uuid = $1`,
		"one of an unknown version": `
UPDATE applications
SET webhook_secret = set_byte(webhook_secret, 0, 2)
WHERE uuid = $1`,
		"an empty one": `UPDATE applications SET webhook_secret = '' WHERE uuid = $1`,
	} {
		if _, err := a.RollWebhookSecret(t.Context(), operator, s.Org, s.App.ID, time.Time{}); err != nil {
			t.Fatal(err)
		}
		if _, err := pool.Exec(t.Context(), sql, s.App.ID); err != nil {
			t.Fatal(err)
		}
		if got, err := a.WebhookSecret(t.Context(), s.App.ID); err == nil {
			t.Errorf("%s opens as %q", what, got)
		}
		_, err := accounts.CheckSecretKey(t.Context(), pool, accountstest.SecretKey(t, "5a"), accountstest.Sealed)
		if err == nil {
			t.Errorf("%s passes the check", what)
		}
	}
}

func TestCheckSecretKey(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	pool := db.Pool(t)
	a := accountstest.Open(t, pool, nil)
	check := func(key accounts.SecretKey) (int, error) {
		return accounts.CheckSecretKey(t.Context(), pool, key, accountstest.Sealed)
	}
	right, other := accountstest.SecretKey(t, "5a"), accountstest.SecretKey(t, "00")
	none := accounts.SecretKey{}
	for name, key := range map[string]accounts.SecretKey{"right": right, "other": other, "none": none} {
		if n, err := check(key); n != 0 || err != nil {
			t.Errorf("%s key, no secrets: %d, %v", name, n, err)
		}
	}
	for range 3 {
		accountstest.NewShop(t, a)
	}
	if n, err := check(right); n != 3 || err != nil {
		t.Errorf("right key: %d, %v; want 3", n, err)
	}
	if _, err := check(other); err == nil || errors.Is(err, accounts.ErrNoSecretKey) {
		t.Errorf("other key: %v, want another error", err)
	}
	if _, err := check(none); !errors.Is(err, accounts.ErrNoSecretKey) {
		t.Errorf("no key: %v, want ErrNoSecretKey", err)
	}
}

// Without the key, methods that need it fail and change nothing; the others work.
func TestWithoutSecretKey(t *testing.T) {
	t.Parallel()
	pool := pgtest.Database(t).Pool(t)
	a := accountstest.Open(t, pool, nil)
	s := accountstest.NewShop(t, a)
	none := accounts.New(pool, accounts.Options{})
	_, err := none.CreateApplication(t.Context(), operator, s.Org, accounts.Draft{Name: "Web"})
	if !errors.Is(err, accounts.ErrNoSecretKey) {
		t.Errorf("create application: %v, want ErrNoSecretKey", err)
	}
	_, err = none.RollWebhookSecret(t.Context(), operator, s.Org, s.App.ID, time.Time{})
	if !errors.Is(err, accounts.ErrNoSecretKey) {
		t.Errorf("roll webhook secret: %v, want ErrNoSecretKey", err)
	}
	if _, err := none.WebhookSecret(t.Context(), s.App.ID); !errors.Is(err, accounts.ErrNoSecretKey) {
		t.Errorf("webhook secret: %v, want ErrNoSecretKey", err)
	}
	if got, err := a.WebhookSecret(t.Context(), s.App.ID); err != nil || got != s.App.WebhookSecret {
		t.Errorf("the secret has become %q, %v", got, err)
	}
	var applications int
	err = pool.QueryRow(t.Context(), `SELECT count(*) FROM applications`).Scan(&applications)
	if err != nil || applications != 1 {
		t.Errorf("%d applications, %v; want 1", applications, err)
	}
	s.Enter(t, none)
	if _, err := none.RollAPIKey(t.Context(), operator, s.Org, s.App.ID, time.Time{}); err != nil {
		t.Errorf("roll API key: %v", err)
	}
}

func TestParseSecretKeyRepeatsNothing(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "5a", strings.Repeat("5a", 31), strings.Repeat("5a", 33), strings.Repeat("5g", 32),
		strings.Repeat("5a", 32) + "\n",
	} {
		_, err := accounts.ParseSecretKey(s)
		if err == nil {
			t.Errorf("%q is taken", s)
			continue
		}
		if s != "" && strings.Contains(err.Error(), s) {
			t.Errorf("the error repeats the key: %v", err)
		}
	}
	if _, err := accounts.ParseSecretKey(strings.Repeat("5A", 32)); err != nil {
		t.Errorf("capitals: %v", err)
	}
}
