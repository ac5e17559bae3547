package openapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/eventstore"
	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/payments/refunds"
	"daftar/projections"
	"daftar/webhooks"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// documentFile is the description of the API, which the API serves.
const documentFile = "../../../httpapi/openapi.yaml"

// service is the API with a separate database.
type service struct {
	pool     *pgxpool.Pool
	accounts *accounts.Accounts
	ledger   *ledger.Ledger
	refunds  *refunds.Operations
	store    *eventstore.Store
	intents  *projections.Intents
	server   *httptest.Server
	merchant merchant
}

// merchant is an application and its credentials.
type merchant struct {
	organization  accounts.OrganizationID
	token, apiKey string
}

// setup is the difference between a service and the usual one.
type setup struct {
	store  eventstore.Options
	config func(*httpapi.Config)
	around func(http.Handler) http.Handler
}

// serve starts the API and creates a merchant.
func serve(t *testing.T, pool *pgxpool.Pool, o setup) *service {
	t.Helper()
	key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	s := &service{pool: pool}
	s.accounts = accounts.New(pool, accounts.Options{SecretKey: key, EpochLimit: time.Minute})
	o.store.Inline = projections.Inline()
	s.store = eventstore.New(pool, pool, o.store)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := s.store.Close(ctx); err != nil {
			t.Errorf("close store: %v", err)
		}
	})
	s.intents = projections.NewIntents(pool)
	t.Cleanup(s.intents.Close)
	s.ledger = ledger.New(s.store, s.intents)
	s.refunds = refunds.NewOperations(pool, s.ledger, s.accounts, func(acquirer, _ string) bool {
		return acquirer == refunding
	})
	c := httpapi.Config{
		Ledger: s.ledger, Accounts: s.accounts, Deliveries: webhooks.NewDeliveries(pool, s.accounts, nil),
		Refunds: s.refunds, Books: projections.NewBooks(pool),
		PublicURL: "https://pay.example", Log: zerolog.Nop(), Now: time.Now, Deadline: time.Minute,
	}
	if o.config != nil {
		o.config(&c)
	}
	handler := httpapi.New(c)
	if o.around != nil {
		handler = o.around(handler)
	}
	s.server = httptest.NewServer(handler)
	t.Cleanup(s.server.Close)
	s.merchant = s.newMerchant(t)
	return s
}

// newMerchant creates an organisation with an application.
func (s *service) newMerchant(t *testing.T) merchant {
	t.Helper()
	org, err := s.accounts.CreateOrganization(t.Context(), accounts.Operator("test"), "Shop")
	if err != nil {
		t.Fatal(err)
	}
	return s.newApplication(t, org.ID)
}

func (s *service) newApplication(t *testing.T, of accounts.OrganizationID) merchant {
	t.Helper()
	app, err := s.accounts.CreateApplication(t.Context(), accounts.Operator("test"), of,
		accounts.Draft{Name: "Web"})
	if err != nil {
		t.Fatal(err)
	}
	token := s.newToken(t, of, accounts.ScopePayments, accounts.ScopeRefunds, accounts.ScopeBooks)
	return merchant{of, token, app.APIKey}
}

func (s *service) newToken(t *testing.T, of accounts.OrganizationID, scopes ...accounts.Scope) string {
	t.Helper()
	_, token, err := s.accounts.CreateToken(t.Context(), accounts.Operator("test"), of,
		accounts.TokenDraft{Name: "Server", Scopes: scopes})
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// bodyWith is a request with some fields replaced: pairs of a name and its JSON, or "" to leave the
// field out.
func bodyWith(pairs ...string) string {
	names := []string{"merchant_reference", "amount", "currency", "description"}
	sent := map[string]string{
		"merchant_reference": `"order-1"`, "amount": "5000", "currency": `"LYD"`, "description": `"Order 1"`,
	}
	for n := 0; n < len(pairs); n += 2 {
		if _, there := sent[pairs[n]]; !there {
			names = append(names, pairs[n])
		}
		sent[pairs[n]] = pairs[n+1]
	}
	var fields []string
	for _, name := range names {
		if sent[name] != "" {
			fields = append(fields, fmt.Sprintf("%q:%s", name, sent[name]))
		}
	}
	return "{" + strings.Join(fields, ",") + "}"
}
