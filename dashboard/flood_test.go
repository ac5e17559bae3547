package dashboard_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
)

// floodOrder is the environment variable that makes the test program an attacker in a separate
// process, until its standard input ends. It has the number of connections and the address.
const floodOrder = "DASHBOARD_TEST_FLOOD"

// flood sends wrong passwords, each from another network of one /48, and prints how
// they were answered.
func flood(order string) {
	var all int
	var server string
	if _, err := fmt.Sscan(order, &all, &server); err != nil {
		panic(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	transport := &http.Transport{MaxIdleConnsPerHost: all}
	var answers [600]atomic.Int64
	var connections sync.WaitGroup
	for n := range all {
		connections.Go(func() {
			for k := 0; ctx.Err() == nil; k++ {
				from := fmt.Sprintf("2001:db8:bad:%x::%x", (n*7919+k)%0x10000, n+1)
				status, err := signInFrom(ctx, transport, server, from,
					fmt.Sprintf("nobody%d@shop.example", n), "wrong but long enough")
				if err == nil {
					answers[status].Add(1)
				}
			}
		})
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	stop()
	connections.Wait()
	for status := range answers {
		if n := answers[status].Load(); n > 0 {
			fmt.Printf("%d wrong passwords were answered %d\n", n, status)
		}
	}
}

// signInFrom signs in through a proxy on this machine that saw the address.
func signInFrom(
	ctx context.Context, transport *http.Transport, server, from, email, password string,
) (status int, err error) {
	form := url.Values{"email": {email}, "password": {password}}.Encode()
	to := server + "/dashboard/sign-in"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to, strings.NewReader(form))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("X-Forwarded-For", from)
	response, err := transport.RoundTrip(request)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	_, err = io.Copy(io.Discard, response.Body) // or the connection is not used again
	return response.StatusCode, err
}
