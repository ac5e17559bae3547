package accountstest

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
)

// Clock stands still until the test moves it.
type Clock struct{ now atomic.Pointer[time.Time] }

// Now is the time of the clock.
func (c *Clock) Now() time.Time { return *c.now.Load() }

// Set moves the clock.
func (c *Clock) Set(t time.Time) { c.now.Store(&t) }

// Noon is when tests with a clock begin.
var Noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Site is the public address of the dashboard.
const Site = "https://pay.example"

// Operator may do everything.
var Operator = accounts.Operator("test")

// NewClock stands at Noon.
func NewClock() *Clock {
	c := &Clock{}
	c.Set(Noon)
	return c
}

// SecretKey is a key of the two digits, repeated.
func SecretKey(t *testing.T, digits string) accounts.SecretKey {
	t.Helper()
	key, err := accounts.ParseSecretKey(strings.Repeat(digits, 32))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// Open is the Accounts of a server.
func Open(t *testing.T, pool *pgxpool.Pool, now func() time.Time) *accounts.Accounts {
	t.Helper()
	return accounts.New(pool, accounts.Options{SecretKey: SecretKey(t, "5a"), Now: now})
}

// Shop is an organisation with one application and one token.
type Shop struct {
	Org   accounts.OrganizationID
	App   accounts.NewApplication
	Token accounts.Token
	Value string // of the token
}

// NewShop creates an organisation with an application and a token.
func NewShop(t *testing.T, a *accounts.Accounts) Shop {
	t.Helper()
	org, err := a.CreateOrganization(t.Context(), Operator, "Shop")
	if err != nil {
		t.Fatal(err)
	}
	return ShopOf(t, a, org.ID)
}

// ShopOf adds an application and a token to an organisation.
func ShopOf(t *testing.T, a *accounts.Accounts, org accounts.OrganizationID) Shop {
	t.Helper()
	app, err := a.CreateApplication(t.Context(), Operator, org, accounts.Draft{Name: "Web"})
	if err != nil {
		t.Fatal(err)
	}
	token, value, err := a.CreateToken(t.Context(), Operator, org, accounts.TokenDraft{Name: "Server"})
	if err != nil {
		t.Fatal(err)
	}
	return Shop{org, app, token, value}
}

// Enter authenticates with the shop's own credentials.
func (s Shop) Enter(t *testing.T, a *accounts.Accounts) accounts.Credential {
	t.Helper()
	c, err := a.Authenticate(t.Context(), s.Value, s.App.APIKey, true, "192.0.2.7")
	if err != nil {
		t.Fatalf("authenticate: %v", err)
	}
	return c
}

// Epoch is the credential epoch.
func Epoch(t *testing.T, pool *pgxpool.Pool) int64 {
	t.Helper()
	var n int64
	if err := pool.QueryRow(t.Context(), `SELECT epoch FROM credential_epoch`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Uses are the times of last use of a shop's token and key; nil is never.
func (s Shop) Uses(t *testing.T, pool *pgxpool.Pool) (token, key *time.Time) {
	t.Helper()
	err := pool.QueryRow(context.Background(), `
SELECT t.last_used_at, a.api_key_last_used_at
FROM access_tokens t, applications a
WHERE t.uuid = $1
  AND a.uuid = $2`, s.Token.ID, s.App.ID).Scan(&token, &key)
	if err != nil {
		t.Fatal(err)
	}
	return token, key
}
