package acceptance_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daftar/internal/postgres/pgtest"
)

// With a database that accepts every query and answers none, every request that needs it gets 503
// with Retry-After. TestLongTimeLimits measures how soon.
func TestEveryPartGivesUpOnASilentDatabase(t *testing.T) {
	t.Parallel()
	silentDatabase(t)
}

// silentDatabase returns how long the slowest answer took.
func silentDatabase(t *testing.T) time.Duration {
	t.Helper()
	proxy := pgtest.Proxy(t, pgtest.Database(t).ServiceURL())
	s := serve(t, proxy.URL())
	who := newShop(t, s.env)
	callWith(t, s.env, ownersPassword+"\n", "user", "create", "--org", who.org, "--email", "owner@shop.example",
		"--role", "owner", "--password-stdin")
	created := s.ask(t, who, http.MethodPost, "/payment-intents", order("silent")).data
	page := strings.TrimPrefix(created.CheckoutURL, "http://"+s.host())
	// Recently used connections are handed out without a check: a query on one that hangs waits
	// until its timeout.
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() { s.browse(t, who, http.MethodGet, "/transparency/checkpoint", "") })
	}
	all.Wait()
	var slowest atomic.Int64
	proxy.Stall()
	defer proxy.Pass()
	for _, row := range []struct{ method, path, form string }{
		{"POST", "/api/v1/payment-intents", ""},
		{"GET", "/api/v1/payment-intents", ""},
		{"GET", "/api/v1/payment-intents/" + created.UUID, ""},
		{"GET", "/api/v1/payment-intents/" + created.UUID + "/events", ""},
		{"POST", "/api/v1/payment-intents/" + created.UUID + "/expire", ""},
		{"GET", "/api/v1/webhook-deliveries", ""},
		{"GET", page, ""},
		{"GET", page + "/state", ""},
		{"POST", page + "/attempts", "method=card"},
		{"GET", "/dashboard/sign-in", ""}, // with a cookie, which requires a lookup
		{"POST", "/dashboard/sign-in", "email=a%40b.example&password=c"},
		{"GET", "/transparency/checkpoint", ""},
	} {
		all.Go(func() {
			began := time.Now()
			status, header, body := s.browse(t, who, row.method, row.path, row.form)
			took := time.Since(began)
			if status != http.StatusServiceUnavailable || header.Get("Retry-After") == "" {
				t.Errorf("%s %s: %d, Retry-After %q\n%.300s", row.method, row.path, status,
					header.Get("Retry-After"), body)
			}
			for was := slowest.Load(); int64(took) > was &&
				!slowest.CompareAndSwap(was, int64(took)); was = slowest.Load() {
			}
		})
	}
	all.Wait()
	return time.Duration(slowest.Load())
}

// browse sends a request as a browser or a merchant would, with all their credentials.
func (s *service) browse(t *testing.T,
	who shop, method, path, form string,
) (status int, header http.Header, body string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	text, kind := order("x"), "application/json"
	if form != "" {
		text, kind = form, "application/x-www-form-urlencoded"
	}
	if method == http.MethodGet {
		text = ""
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+s.host()+path, bytes.NewBufferString(text))
	if err != nil {
		t.Error(err)
		return 0, nil, ""
	}
	r.Header = http.Header{
		"X-Api-Key": {who.key}, "Authorization": {"Bearer " + who.token}, "Content-Type": {kind},
		"Sec-Fetch-Site": {"same-origin"},
		"Cookie":         {"daftar=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Errorf("%s %s: %v", method, path, err)
		return 0, nil, ""
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Errorf("%s %s: %v", method, path, err)
	}
	return answer.StatusCode, answer.Header, string(read)
}
