package checkout_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/rs/zerolog"

	"daftar/accounts/settings"
	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/payments"
	"daftar/payments/acquirer"
	"daftar/projections"
)

// instance is one more server on the world's database and bank. It shares
// nothing else with the first, like a server on a second machine.
type instance struct {
	url    string
	ledger *ledger.Ledger
	client *http.Client
}

// newInstance starts a server; it ends before the world's final check.
func (w *world) newInstance(level zerolog.Level) *instance {
	w.t.Helper()
	pool := pgtest.Open(w.t, w.db.ServiceURL(), postgres.Options{SetServiceRole: true, MaxConns: 8})
	store := eventstore.New(pool, pool, eventstore.Options{Inline: projections.Inline()})
	intents := projections.NewIntents(pool)
	in := &instance{
		ledger: ledger.New(store, intents),
		client: &http.Client{
			Transport:     &http.Transport{MaxIdleConnsPerHost: 64},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	c := serverOf(payments.Config{
		Ledger:    in.ledger,
		Settings:  settings.New(pool, nil, secretKey(w.t), nil),
		Pool:      pool,
		SecretKey: secretKey(w.t),
		Acquirers: []acquirer.Acquirer{w.acquirer},
		PublicURL: w.url,
		Log:       zerolog.New(w.log).Level(level),
	})
	server := httptest.NewServer(c.Handler())
	in.url = server.URL
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { c.Run(ctx) })
	w.t.Cleanup(func() {
		in.client.CloseIdleConnections()
		server.Close()
		cancel()
		running.Wait()
		if err := store.Close(context.Background()); err != nil {
			w.t.Errorf("close store: %v", err)
		}
		intents.Close()
	})
	return in
}

// ask sends a request and returns the answer with its body. Unlike world.send it
// may be called on any goroutine.
func (in *instance) ask(t *testing.T, method, path string, form url.Values) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, in.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		t.Error(err)
		return &http.Response{}, ""
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := in.client.Do(req)
	if err != nil {
		t.Error(err)
		return &http.Response{}, ""
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Error(err)
	}
	return res, string(body)
}
