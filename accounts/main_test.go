package accounts_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/internal/postgres/pgtest"
)

func TestMain(m *testing.M) {
	// httptest.Server.Close cuts the idle connections of all tests; a request of another
	// that is about to use one fails.
	http.DefaultTransport.(*http.Transport).DisableKeepAlives = true
	pgtest.Main(m)
}

// clock stands still until the test moves it.
type clock struct{ now atomic.Pointer[time.Time] }

func (c *clock) Now() time.Time { return *c.now.Load() }

func (c *clock) Set(t time.Time) { c.now.Store(&t) }

// noon is when tests with a clock begin.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// site is where people open the dashboard.
const site = "https://pay.example"

// operator may do everything.
var operator = accounts.Operator("test")

func newClock() *clock {
	c := &clock{}
	c.Set(noon)
	return c
}

func secretKey(t *testing.T, digits string) accounts.SecretKey {
	t.Helper()
	key, err := accounts.ParseSecretKey(strings.Repeat(digits, 32))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// open makes an Accounts, as each server has its own.
func open(t *testing.T, pool *pgxpool.Pool, now func() time.Time) *accounts.Accounts {
	t.Helper()
	return accounts.New(pool, accounts.Options{SecretKey: secretKey(t, "5a"), Now: now, CheapPasswords: true, PublicURL: site})
}

// shop is an organisation with one application and one token.
type shop struct {
	org   accounts.OrganizationID
	app   accounts.NewApplication
	token accounts.Token
	value string // of the token
}

func newShop(t *testing.T, a *accounts.Accounts) shop {
	t.Helper()
	org, err := a.CreateOrganization(t.Context(), operator, "Shop")
	if err != nil {
		t.Fatal(err)
	}
	return shopOf(t, a, org.ID)
}

// shopOf adds an application and a token to an organisation.
func shopOf(t *testing.T, a *accounts.Accounts, org accounts.OrganizationID) shop {
	t.Helper()
	app, err := a.CreateApplication(t.Context(), operator, org, "Web", "")
	if err != nil {
		t.Fatal(err)
	}
	token, value, err := a.CreateToken(t.Context(), operator, org, "Server", nil)
	if err != nil {
		t.Fatal(err)
	}
	return shop{org, app, token, value}
}

// enter authenticates with the shop's own credentials.
func (s shop) enter(t *testing.T, a *accounts.Accounts) accounts.Credential {
	t.Helper()
	c, err := a.Authenticate(t.Context(), s.value, s.app.APIKey, true, "192.0.2.7")
	if err != nil {
		t.Fatalf("authenticate: %v", err)
	}
	return c
}

func epoch(t *testing.T, pool *pgxpool.Pool) int64 {
	t.Helper()
	var n int64
	if err := pool.QueryRow(t.Context(), `SELECT epoch FROM credential_epoch`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// uses are the times of last use of a shop's token and key; nil is never.
func (s shop) uses(t *testing.T, pool *pgxpool.Pool) (token, key *time.Time) {
	t.Helper()
	err := pool.QueryRow(context.Background(), `
		SELECT t.last_used_at, a.api_key_last_used_at FROM access_tokens t, applications a
		WHERE t.uuid = $1 AND a.uuid = $2`, s.token.ID, s.app.ID).Scan(&token, &key)
	if err != nil {
		t.Fatal(err)
	}
	return token, key
}
