package fake

import (
	"cmp"
	"net/http"
	"sync"
	"time"

	"daftar/payments/acquirer/fake"
)

// Config is what a Fake needs. Zero values mean the default in brackets.
type Config struct {
	Token      string           // of the API (fake-lypay-token)
	WebhookKey string           // signs webhooks (fake-lypay-webhook-key)
	WebhookURL string           // where they go (nowhere)
	Now        func() time.Time // (time.Now)
	HangFor    time.Duration    // how long the fault hang takes (30 s)
}

// Fake is LYPay. It is safe for concurrent use.
type Fake struct {
	http.Handler
	config    Config
	books     fake.Books
	plan      fake.Plan
	messenger *fake.Messenger

	mu        sync.Mutex
	transfers []*transfer // in the order in which they were made
	dialect   Dialect
	endpoints map[string]endpoint // by IBAN
	minute    time.Time           // in which requests are counted
	requests  int
	made      int // counts transfers, for their references
}

// endpoint is the address for webhooks, with the key that signs them.
type endpoint struct{ url, key string }

// New makes a Fake.
func New(c Config) *Fake {
	c.Token = cmp.Or(c.Token, "fake-lypay-token")
	c.WebhookKey = cmp.Or(c.WebhookKey, "fake-lypay-webhook-key")
	if c.Now == nil {
		c.Now = time.Now
	}
	f := &Fake{
		config: c, messenger: fake.NewMessenger(),
		endpoints: map[string]endpoint{"": {c.WebhookURL, c.WebhookKey}},
	}
	f.plan.HangFor = c.HangFor
	f.dialect = f.dialect.complete()
	f.Handler = f.routes()
	return f
}

// Close ends the webhooks that are under way.
func (f *Fake) Close() { f.messenger.Close() }

func (f *Fake) routes() http.Handler {
	mux := http.NewServeMux()
	for pattern, call := range map[string]struct {
		name    string
		handler http.HandlerFunc
	}{
		"GET " + credited + "/by-internal-merchant-reference": {"by_reference", f.byReference},
		"GET " + credited:                      {"list", f.list},
		"GET " + transfers + "/{uuid}":         {"transfer", f.transfer},
		"POST " + transfers + "/{uuid}/refund": {"refund", f.refund},
		"POST /api/v1/payments/details":        {"details", f.details},
		"GET /api/v1/miscs/institutions":       {"institutions", f.institutions},
		"GET /api/v1/miscs/transaction-status": {"transaction_status", f.statuses},
	} {
		mux.HandleFunc(pattern, f.plan.Around(call.name, f.bank(call.handler)))
	}
	mux.HandleFunc("GET /app", f.showApp)
	mux.HandleFunc("POST /app", f.useApp)
	mux.HandleFunc("POST /control/scan", fake.Local(f.controlScan))
	mux.HandleFunc("POST /control/transfers/{reference}", fake.Local(f.controlTransfer))
	mux.HandleFunc("POST /control/webhook", fake.Controlled(f.controlWebhook))
	mux.HandleFunc("GET /control/dialect", fake.Local(f.showDialect))
	mux.HandleFunc("POST /control/dialect", fake.Controlled(func(d Dialect) string {
		f.SetDialect(d)
		return ""
	}))
	fake.Control(mux, &f.books, &f.plan)
	return mux
}
