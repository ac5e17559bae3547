package daftar_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	daftar "daftar/sdk/go"
)

// Whatever may pass is tried again until it is answered; each attempt is the same request.
func TestTransientFailuresAreTriedAgain(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string]http.HandlerFunc{
		"no answer":          dropped,
		"half an answer":     cut,
		"a page":             says(200, "<html>"),
		"an empty answer":    says(200, ""),
		"no data":            says(200, `{}`),
		"null":               says(200, `{"data":null}`),
		"data without an id": says(201, `{"data":{}}`),
		"data of a list":     says(200, `{"data":[]}`),
		"too much":           says(200, `{"data":{"uuid":"`+uuid+strings.Repeat("x", daftar.MaxAnswer)+`"}}`),
		"408":                says(408, `{"message":"late"}`),
		"429":                says(429, `{"message":"too many"}`),
		"500":                says(500, `{"message":"broken"}`),
		"a page with 502":    says(502, "<html>"),
		"503":                says(503, `{"message":"busy"}`),
	} {
		for called, call := range calls {
			t.Run(name+"/"+called, func(t *testing.T) {
				t.Parallel()
				s := serve(t, failure, dropped, says(200, intent))
				c, _ := client(t, s.config(), 1)
				if err := call(context.Background(), c); err != nil {
					t.Fatal(err)
				}
				requests := s.requests()
				if len(requests) != 3 {
					t.Fatalf("%d requests", len(requests))
				}
				for _, again := range requests[1:] {
					first := requests[0]
					id := "X-Request-Id"
					if again.Method != first.Method || again.URL.String() != first.URL.String() ||
						again.body != first.body || again.Header.Get(id) != first.Header.Get(id) {
						t.Errorf("%v, then %v", first, again)
					}
				}
			})
		}
	}
}

// What is refused for good is not sent again; a conflict passes only where a create met another.
func TestRefusalsAreFinal(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 307, 400, 401, 403, 404, 405, 409, 413, 422} {
		for called, call := range calls {
			s := serve(t, says(status, `{"message":"no"}`))
			c, k := client(t, s.config(), 1)
			err := call(context.Background(), c)
			var refused *daftar.APIError
			if !errors.As(err, &refused) || refused.Status != status {
				t.Errorf("%s: %d: %v", called, status, err)
			}
			again := status == http.StatusConflict && called == "create"
			if (len(k.waits) > 0) != again {
				t.Errorf("%s: %d: waited %v", called, status, k.waits)
			}
		}
	}
}

// Waits double from 0.2 to 5 seconds, at least half of which is waited; the last attempt begins within
// RetryFor.
func TestWaits(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		name     string
		chance   float64
		retryFor time.Duration
		answer   http.HandlerFunc
		want     []int // in milliseconds
	}{
		{"the longest", 1, 0, says(503, ""), []int{200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000}},
		{"the shortest", 0, 3 * time.Second, says(503, ""), []int{100, 200, 400, 800}},
		{"just in time", 1, 600 * time.Millisecond, dropped, []int{200, 400}},
		{"too late", 1, 599 * time.Millisecond, dropped, []int{200}},
		{"once", 1, -1, dropped, nil},
		{"seconds", 1, 0, says(429, "", "Retry-After", "12"), []int{12200, 12400}},
		{"a date", 1, 0, says(503, "", "Retry-After", "Sat, 21 Nov 2026 10:00:20 GMT"),
			[]int{20200, 400, 800, 1600, 3200}},
		{"a date in the past", 1, time.Second, says(503, "", "Retry-After", "Sat, 21 Nov 2026 09:00:00 GMT"),
			[]int{200, 400}},
		{"nonsense", 1, time.Second, says(503, "", "Retry-After", "-5"), []int{200, 400}},
		{"longer than it may take", 1, 0, says(503, "", "Retry-After", "999999999"), nil},
		{"of a conflict", 1, time.Second, says(409, "", "Retry-After", "5"), []int{200, 400}},
	} {
		t.Run(of.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, of.answer)
			config := s.config()
			config.RetryFor = of.retryFor
			c, k := client(t, config, of.chance)
			if _, err := c.CreatePaymentIntent(context.Background(), order); err == nil {
				t.Error("no error")
			}
			var waited []int
			for _, d := range k.waits {
				waited = append(waited, int(d.Milliseconds()))
			}
			if !slices.Equal(waited, of.want) {
				t.Errorf("waited %v, want %v", waited, of.want)
			}
			if len(s.requests()) != len(of.want)+1 {
				t.Errorf("%d requests", len(s.requests()))
			}
		})
	}
}

// A caller that has gone is not waited for, and can tell why there is no answer.
func TestCancellation(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		answer   http.HandlerFunc
		requests int
	}{
		// The context ends while the client waits for another attempt.
		"wait": {func(w http.ResponseWriter, r *http.Request) { says(503, "")(w, r) }, 1},
		// It ends before the header of the answer, and before its end.
		"attempt": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, 1},
		"body": {func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, 1},
		"before": {nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				defer cancel()
				if name != "wait" {
					cancel()
				}
				of.answer(w, r)
			})
			if name == "before" {
				cancel()
			}
			c, err := daftar.NewClient(s.config()) // with the real clock
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			_, err = c.CreatePaymentIntent(ctx, order)
			var none *daftar.ConnectionError
			if !errors.Is(err, context.Canceled) || !errors.As(err, &none) || none.RequestID == "" {
				t.Errorf("the error is %v", err)
			}
			if strings.Count(err.Error(), "context canceled") != 1 {
				t.Errorf("the error is %v", err)
			}
			if took := time.Since(began); took > 10*time.Second || len(s.requests()) != of.requests {
				t.Errorf("%d requests in %v", len(s.requests()), took)
			}
		})
	}
}

// A deadline of the caller ends an attempt, also the only one.
func TestDeadlineEndsAttempts(t *testing.T) {
	t.Parallel()
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	config := s.config()
	config.RetryFor = -1
	c, _ := client(t, config, 1)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := calls["create"](ctx, c); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
}

// No more of an answer is read than any of the API has.
func TestAnswersWithoutEnd(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Write(make([]byte, daftar.MaxAnswer+1))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	config := s.config()
	config.RetryFor = -1
	c, _ := client(t, config, 1)
	err := calls["retrieve"](context.Background(), c)
	if err == nil || !strings.Contains(err.Error(), "answered with more than 10485760 bytes") {
		t.Errorf("the error is %v", err)
	}
}

// The end of the caller's context ends a wait that would take longer, with the answer that led to it.
func TestContextEndsWaits(t *testing.T) {
	t.Parallel()
	s := serve(t, says(503, `{"message":"We are away."}`, "Retry-After", "20"))
	c, k := client(t, s.config(), 1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c.SetClock(func() time.Time { return k.now }, func(ctx context.Context, d time.Duration) error {
		cancel()
		return daftar.Wait(ctx, d)
	}, func() float64 { return 1 })
	_, err := c.RetrievePaymentIntent(ctx, uuid)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "We are away.") {
		t.Errorf("the error is %v", err)
	}
}

// The time of an attempt includes its body, and its end is not that of the caller's context.
func TestTimeoutOfAnAttempt(t *testing.T) {
	t.Parallel()
	stall := func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	s := serve(t, stall, says(200, intent))
	config := s.config()
	config.Timeout = time.Second // a busy machine may need several attempts
	c, k := client(t, config, 1)
	if err := calls["retrieve"](context.Background(), c); err != nil || len(k.waits) == 0 {
		t.Errorf("%v, waited %v", err, k.waits)
	}

	config.RetryFor = -1
	once, _ := client(t, config, 1)
	s.mu.Lock()
	s.answers = []http.HandlerFunc{stall}
	s.mu.Unlock()
	var none *daftar.ConnectionError
	err := calls["retrieve"](context.Background(), once)
	if !errors.As(err, &none) || errors.Is(err, context.DeadlineExceeded) ||
		!strings.Contains(err.Error(), "did not answer in time") {
		t.Errorf("the error is %v", err)
	}
}
