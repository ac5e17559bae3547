package checkout_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/checkout"
)

// from sends a request that came through a proxy on this machine.
func (w *world) from(address, path string) shown {
	w.t.Helper()
	return w.send(http.MethodGet, path, nil, func(r *http.Request) { r.Header.Set("X-Forwarded-For", address) })
}

// stopLinkClock serves with a checkout whose limits of links never refill: on a busy machine a
// request may take longer than a refill.
func (w *world) stopLinkClock() {
	now := time.Now()
	config := pagesOf(w.config(w.acquirer), w.Engine).LinkClock(func() time.Time { return now })
	w.serve(checkout.New(config).Handler())
}

func TestGuessingLinksIsSlowedDown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.stopLinkClock()
	i := w.create()
	guess := func() string { return "/pay/" + uuid.NewString() + "/" + strings.Repeat("0", 26) }
	var missed, refused shown
	for range checkout.NotFoundBurst {
		missed = w.want(w.from("203.0.113.7", guess()), 404, "not-found")
	}
	slowedDown := func(address, link string) shown {
		t.Helper()
		return w.want(w.from(address, link), 429, "not-found")
	}
	for _, link := range []string{guess(), path(i)[:len(path(i))-1] + "!", "/somewhere", guess() + "/state"} {
		refused = slowedDown("203.0.113.7", link)
		if seconds := refused.header.Get("Retry-After"); seconds != "1" && seconds != "2" {
			t.Errorf("Retry-After %q", seconds)
		}
		if diff := cmp.Diff(missed.body, refused.body); diff != "" {
			t.Errorf("another page (-missed +refused):\n%s", diff)
		}
	}
	slowedDown("198.51.100.1, 203.0.113.7", guess())
	w.want(w.from("203.0.113.8", guess()), 404, "not-found")
	for range 3 * checkout.NotFoundBurst { // of many payers behind one address
		if s := w.from("203.0.113.7", path(i)+"/state"); s.status != http.StatusOK {
			t.Fatalf("a valid link: %d", s.status)
		}
	}
	w.want(w.from("203.0.113.7", path(i)), 200, "pay")
}

// A /48 has 65,536 networks of the size of a subscriber's line (/64).
func TestGuessingLinksFromAWideNetworkIsSlowedDown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.stopLinkClock()
	link := "/pay/" + uuid.NewString() + "/" + strings.Repeat("0", 26)
	tries := 0
	guess := func(subnet int) int {
		tries++
		return w.from(fmt.Sprintf("2001:db8:7:%x::%x", subnet, tries), link).status
	}
	slowedDown := func(what string, after int, subnet func(n int) int) {
		t.Helper()
		for n := range after + 1 {
			if guess(subnet(n)) == http.StatusTooManyRequests {
				return
			}
		}
		t.Errorf("%s is not slowed down", what)
	}
	slowedDown("a /56", 3*checkout.NotFoundBurst, func(n int) int { return n % 256 })
	slowedDown("a /48", 7*checkout.NotFoundBurst, func(n int) int { return 256 * (1 + n%255) })
	w.want(w.from("2001:db8:8::1", link), 404, "not-found")
}
