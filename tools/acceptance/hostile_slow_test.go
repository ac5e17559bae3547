package acceptance_test

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"daftar/internal/postgres/pgtest"
)

// While clients send their headers byte by byte, a normal one is served, and each of
// them is closed. TestLongSlowHeaders has many of them and measures.
func TestSlowHeaders(t *testing.T) {
	t.Parallel()
	slowHeaders(t, 100)
}

// slowHeaders opens connections that do not end their headers. It returns the longest
// time that a normal request took meanwhile.
func slowHeaders(t *testing.T, connections int) (worst time.Duration) {
	t.Helper()
	s := serve(t, pgtest.Database(t).ServiceURL())
	who := newShop(t, s.env)
	began := time.Now()
	slow := make([]net.Conn, 0, connections)
	for n := range connections {
		c, err := net.DialTimeout("tcp", s.host(), patience)
		if err != nil {
			t.Fatalf("connection %d: %v", n, err)
		}
		t.Cleanup(func() { _ = c.Close() })
		_, _ = c.Write([]byte("POST /api/v1/payment-intents HTTP/1.1\r\nHost: x\r\nX-A: "))
		slow = append(slow, c)
	}
	for n := range 30 {
		asked := time.Now()
		if r := s.ask(t, who, http.MethodPost, "/payment-intents", order(fmt.Sprint("meanwhile-", n))); r.status != http.StatusCreated {
			t.Fatalf("a normal client gets %d %s", r.status, r.body)
		}
		worst = max(worst, time.Since(asked))
	}
	t.Logf("%d silent connections; of 30 requests meanwhile the slowest took %v", len(slow), worst)
	var ending sync.WaitGroup
	for n, c := range slow {
		ending.Go(func() {
			_ = c.SetReadDeadline(time.Now().Add(patience))
			var answer [512]byte
			for {
				if _, err := c.Read(answer[:]); err != nil {
					if errors.Is(err, os.ErrDeadlineExceeded) {
						t.Errorf("connection %d is still open %v after it began", n, time.Since(began))
					}
					return
				}
			}
		})
	}
	ending.Wait()
	return worst
}

// A body that comes byte by byte, to each kind of address, is ended by the server and
// not when the client wants. TestLongSlowBodies measures when.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	slowBodies(t)
}

// slowBodies returns for how long the connection was open that was open longest.
func slowBodies(t *testing.T) (longest time.Duration) {
	t.Helper()
	s := serve(t, pgtest.Database(t).ServiceURL())
	who := newShop(t, s.env)
	page := strings.TrimPrefix(s.ask(t, who, http.MethodPost, "/payment-intents", order("slow")).data.CheckoutURL, "http://"+s.host())
	const form = "Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n"
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, row := range []struct{ path, headers string }{
		{"/api/v1/payment-intents", "Content-Type: application/json\r\n" + who.credentials()},
		{"/api/v1/payment-intents", ""},
		{page + "/attempts", form},
		{"/dashboard/sign-in", form},
		{"/acquirers/sandbox/notifications", ""},
		{"/transparency/checkpoint", ""},
		{"/nowhere", ""},
	} {
		all.Go(func() {
			w := s.wire(t)
			began := time.Now()
			w.say("POST " + row.path + " HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n" + row.headers + "\r\n")
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				tick := time.NewTicker(250 * time.Millisecond)
				defer tick.Stop()
				for range tick.C {
					if _, err := w.Write([]byte("a")); err != nil { // closed, or out of time
						return
					}
				}
			}()
			if !w.closes() {
				t.Errorf("POST %s: the connection is open after %v", row.path, time.Since(began))
			}
			took := time.Since(began)
			_ = w.Close()
			<-ended
			mu.Lock()
			defer mu.Unlock()
			longest = max(longest, took)
			t.Logf("POST %s: the connection was open for %v", row.path, took.Round(time.Millisecond))
		})
	}
	all.Wait()
	return longest
}

// closes reads until the server closes the connection: an answer may come before the
// end. It is false where the server does not close in time.
func (w *wire) closes() bool {
	for {
		if _, err := w.in.ReadByte(); err != nil {
			return !errors.Is(err, os.ErrDeadlineExceeded)
		}
	}
}
