//go:build long

package dashboard_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/dashboard"
)

// Three hundred connections of one /48 give wrong passwords, at their real cost; of
// the others who sign in meanwhile, 99 of 100 have their answer within two seconds.
// Not parallel: this measures.
func TestLongSignInsUnderAFlood(t *testing.T) {
	const connections, signIns, limit = 300, 100, 2 * time.Second
	w := newWorld(t, func(c *dashboard.Config) {
		key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
		if err != nil {
			t.Fatal(err)
		}
		c.Accounts = accounts.New(c.Pool, accounts.Options{SecretKey: key})
	})
	transport := &http.Transport{MaxIdleConnsPerHost: connections + 1}
	defer transport.CloseIdleConnections()
	signIn := func(ctx context.Context, from, email, password string) (int, error) {
		jar, err := cookiejar.New(nil)
		if err != nil {
			return 0, err
		}
		browser := http.Client{Transport: transport, Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		form := url.Values{"email": {email}, "password": {password}}.Encode()
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.server.URL+"/dashboard/sign-in", strings.NewReader(form))
		if err != nil {
			return 0, err
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("X-Forwarded-For", from)
		response, err := browser.Do(request)
		if err != nil {
			return 0, err
		}
		defer func() { _ = response.Body.Close() }()
		_, err = io.Copy(io.Discard, response.Body) // or the connection is not used again
		return response.StatusCode, err
	}
	ctx, stop := context.WithCancel(t.Context())
	var flood sync.WaitGroup
	var wrong [600]atomic.Int64
	for n := range connections {
		flood.Go(func() {
			for k := 0; ctx.Err() == nil; k++ {
				from := fmt.Sprintf("2001:db8:bad:%x::%x", (n*7919+k)%0x10000, n+1)
				if status, err := signIn(ctx, from, fmt.Sprintf("nobody%d@shop.example", n), "wrong but long enough"); err == nil {
					wrong[status].Add(1)
				}
			}
		})
	}
	var took []time.Duration
	answers := make(map[int]int)
	for n := range signIns {
		start := time.Now()
		status, err := signIn(t.Context(), fmt.Sprintf("192.0.2.%d", n+1), w.ours.email(accounts.Roles[n%3]), password)
		if err != nil {
			t.Fatal(err)
		}
		took = append(took, time.Since(start))
		answers[status]++
	}
	stop()
	flood.Wait()
	slices.Sort(took)
	within, _ := slices.BinarySearch(took, limit)
	t.Logf("others: %v, median %v, 99th percentile %v, slowest %v, %d of %d within %v", answers, took[signIns/2], took[signIns*99/100],
		took[signIns-1], within, signIns, limit)
	for status := range wrong {
		if n := wrong[status].Load(); n > 0 {
			t.Logf("wrong passwords answered %d: %d", status, n)
		}
	}
	if answers[http.StatusSeeOther] != signIns || within*100 < signIns*99 {
		t.Errorf("%d of %d signed in, %d within %v", answers[http.StatusSeeOther], signIns, within, limit)
	}
}
