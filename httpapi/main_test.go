package httpapi_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/eventstore"
	"daftar/httpapi"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/payments/refunds"
	"daftar/projections"
	"daftar/webhooks"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const publicURL = "https://pay.example"

//go:embed openapi.yaml
var openAPI string

// maxBody is the size limit of a request.
const maxBody = 128 << 10

var operator = accounts.Operator("test")

// service is a running API with its own database.
type service struct {
	accounts *accounts.Accounts
	ledger   *ledger.Ledger
	refunds  *refunds.Operations
	store    *eventstore.Store
	server   *httptest.Server
	merchant merchant
}

// merchant is an application and its credentials.
type merchant struct {
	app   accounts.NewApplication
	token string
	id    accounts.TokenID
}

// serve starts the API. change may alter the Config; databaseURL may be that of a proxy.
func serve(t *testing.T, databaseURL string, change func(*httpapi.Config)) *service {
	t.Helper()
	pool := pgtest.Open(t, databaseURL, postgres.Options{})
	key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	s := &service{accounts: accounts.New(pool, accounts.Options{SecretKey: key, EpochLimit: time.Minute})}
	s.store = eventstore.New(pool, pool, eventstore.Options{Inline: projections.Inline()})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := s.store.Close(ctx); err != nil {
			t.Errorf("close store: %v", err)
		}
	})
	intents := projections.NewIntents(pool)
	t.Cleanup(intents.Close)
	s.ledger = ledger.New(s.store, intents)
	can := func(acquirer, _ string) bool { return acquirer == "bank" }
	s.refunds = refunds.NewOperations(pool, s.ledger, s.accounts, can)
	c := httpapi.Config{
		Refunds: s.refunds, Books: projections.NewBooks(pool),
		Ledger: s.ledger, Accounts: s.accounts, Deliveries: webhooks.NewDeliveries(pool, s.accounts, nil),
		PublicURL: publicURL + "/", Log: zerolog.Nop(), Now: time.Now,
		Deadline: time.Minute, // long, so that a busy machine is not taken for an outage
	}
	if change != nil {
		change(&c)
	}
	s.server = httptest.NewServer(httpapi.New(c))
	t.Cleanup(s.server.Close)
	s.merchant = s.newMerchant(t)
	return s
}

// newMerchant makes an organisation with an application.
func (s *service) newMerchant(t *testing.T) merchant {
	t.Helper()
	org, err := s.accounts.CreateOrganization(t.Context(), operator, "Shop")
	if err != nil {
		t.Fatal(err)
	}
	return s.newApplication(t, org.ID)
}

func (s *service) newApplication(t *testing.T, of accounts.OrganizationID) merchant {
	t.Helper()
	app, err := s.accounts.CreateApplication(t.Context(), operator, of, accounts.Draft{Name: "Web"})
	if err != nil {
		t.Fatal(err)
	}
	token, value, err := s.accounts.CreateToken(t.Context(), operator, of, accounts.TokenDraft{Name: "Server"})
	if err != nil {
		t.Fatal(err)
	}
	return merchant{app, value, token.ID}
}

// reply is an answer that was read to its end.
type reply struct {
	status int
	header http.Header
	body   string
}

// field reads a field of the intent in the answer.
func (r reply) field(t *testing.T, name string) any {
	t.Helper()
	var answer struct {
		Data map[string]any `json:"data"`
	}
	if err := json.Unmarshal([]byte(r.body), &answer); err != nil {
		t.Fatalf("%d %s: %v", r.status, r.body, err)
	}
	value, ok := answer.Data[name]
	if !ok {
		t.Fatalf("no %s in %d %s", name, r.status, r.body)
	}
	return value
}

func (m merchant) request(t *testing.T, method, url, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Authorization", "Bearer "+m.token)
	r.Header.Set("X-API-Key", m.app.APIKey)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

func (s *service) do(t *testing.T, r *http.Request) reply {
	t.Helper()
	answer, err := s.server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if id := answer.Header.Get("X-Request-Id"); id == "" {
		t.Errorf("%s %s is answered with %d without X-Request-Id", r.Method, r.URL.Path, answer.StatusCode)
	}
	return reply{answer.StatusCode, answer.Header, string(body)}
}

func (s *service) create(t *testing.T, m merchant, body string) reply {
	t.Helper()
	return s.do(t, m.request(t, http.MethodPost, s.server.URL+httpapi.Prefix+"/payment-intents", body))
}

func (s *service) retrieve(t *testing.T, m merchant, id string) reply {
	t.Helper()
	return s.do(t, m.request(t, http.MethodGet, s.server.URL+httpapi.Prefix+"/payment-intents/"+id, ""))
}
