package main_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	bench "daftar/tools/bench"
)

func serve(t *testing.T, answer http.HandlerFunc) (address string) {
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

const request = "POST / HTTP/1.1\r\nHost: bench\r\nContent-Length: 4\r\n\r\nbody"

func TestClientsSendAsFastAsTheyAreAnswered(t *testing.T) {
	t.Parallel()
	var came atomic.Int64
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if body, err := io.ReadAll(r.Body); err != nil || string(body) != "body" {
			t.Errorf("came %q, %v", body, err)
		}
		came.Add(1)
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, "answer")
	})
	for length := 100 * time.Millisecond; came.Load() < 3; length *= 2 { // longer on a busy machine
		came.Store(0)
		r, err := bench.Load{
			Address: address, Clients: 3, Length: length, Want: http.StatusCreated, Request: []byte(request),
		}.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n := int(came.Load()); r.Operations != n || len(r.Latencies) != n || n > 0 && r.Value <= 0 {
			t.Errorf("%d requests came; counted %d, %d latencies, %v a second",
				n, r.Operations, len(r.Latencies), r.Value)
		}
	}
}

func TestAnAnswerOfAnotherStatusEndsTheMeasurement(t *testing.T) {
	t.Parallel()
	address := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "too busy", http.StatusServiceUnavailable)
	})
	_, err := bench.Load{
		Address: address, Clients: 2, Length: time.Minute, Want: http.StatusOK, Request: []byte(request),
	}.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "503") || !strings.Contains(err.Error(), "too busy") {
		t.Errorf("%v", err)
	}
}

// While a server stalls, requests that fall due have to wait, and that wait counts. A
// client that measured only from sending would see a single slow answer.
func TestWaitingForASlowServerCounts(t *testing.T) {
	t.Parallel()
	const stall = 500 * time.Millisecond
	var stalled atomic.Bool
	address := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if !stalled.Swap(true) {
			select {
			case <-time.After(stall):
			case <-r.Context().Done():
			}
		}
	})
	r, err := bench.Load{
		Address: address, Clients: 1, Length: time.Second, Rate: 100, Want: http.StatusOK,
		Request: []byte(request),
	}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// They are due at random times: 100 on average, give or take five standard deviations.
	if r.Operations < 50 || r.Operations > 150 {
		t.Errorf("%d requests were sent in a second, at 100 a second", r.Operations)
	}
	// A quarter of them is due in the first half of the stall and waits at least for its
	// second half.
	if waited := r.Percentile(0.90); waited < stall/2 {
		t.Errorf("a tenth of the requests waited for at least %s, while the server stalled for %s", waited, stall)
	}
}

// Requests of the warm-up are sent but not counted.
func TestWarmingUpIsNotMeasured(t *testing.T) {
	t.Parallel()
	var came, before atomic.Int64
	address := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		came.Add(1)
	})
	tooShort := func() bool { return before.Load() == 0 || before.Load() == came.Load() }
	for length := 100 * time.Millisecond; tooShort(); length *= 2 { // longer on a busy machine
		came.Store(0)
		r, err := bench.Load{
			Address: address, Clients: 3, Warm: length, Warmed: func() { before.Store(came.Load()) },
			Length: length, Want: http.StatusOK, Request: []byte(request),
		}.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n := int(came.Load() - before.Load()); r.Operations != n || len(r.Latencies) != n {
			t.Errorf("%d requests came after the warm-up; counted %d, %d latencies",
				n, r.Operations, len(r.Latencies))
		}
	}
}

// Requests at a rate come as from independent people: the time between two has the mean
// that the rate gives, and is often much shorter.
func TestRequestsAreDueAtRandomTimes(t *testing.T) {
	t.Parallel()
	const many, mean = 10_000, time.Millisecond
	due := bench.Due(many, mean)
	short := 0
	for n := range due[1:] {
		if due[n+1].Before(due[n]) {
			t.Fatalf("request %d is due before the one before it", n+1)
		}
		if due[n+1].Sub(due[n]) < mean/2 {
			short++
		}
	}
	if span := due[many-1].Sub(due[0]); span < many*mean*9/10 || span > many*mean*11/10 {
		t.Errorf("%d requests are due over %s, with %s between them", many, span, mean)
	}
	// 1 - 1/sqrt(e) of them; ten deviations are less than 5 %.
	if short < many*34/100 || short > many*45/100 {
		t.Errorf("%d of %d come within half the mean of the one before, want 39 %%", short, many)
	}
}

func TestTheEndOfTheContextEndsTheMeasurement(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	address := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		cancel()
	})
	_, err := bench.Load{
		Address: address, Clients: 2, Length: time.Hour, Rate: 10, Want: http.StatusOK, Request: []byte(request),
	}.Run(ctx)
	if err == nil {
		t.Error("no error")
	}
}

// What this process has used is counted, and grows with its work.
func TestProcessorTime(t *testing.T) {
	t.Parallel()
	before, _, err := bench.ProcessorTime(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for used := before; used < before+50*time.Millisecond; {
		if used, _, err = bench.ProcessorTime(os.Getpid()); err != nil || used < before {
			t.Fatalf("%s after %s, %v", used, before, err)
		}
	}
	if _, _, err := bench.ProcessorTime(-1); err == nil {
		t.Error("of no process: no error")
	}
}

func TestStatistic(t *testing.T) {
	t.Parallel()
	const profile = "heap profile: 1: 2 [3: 4]\n# Alloc = 7\n# TotalAlloc = 123456\n# Mallocs = 42\n"
	for name, want := range map[string]float64{"Mallocs": 42, "TotalAlloc": 123456, "Frees": 0} {
		if got := bench.Statistic([]byte(profile), name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	got, err := bench.ParseSizes("10000,1000000")
	if diff := cmp.Diff([]int{10_000, 1_000_000}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for _, bad := range []string{"", "0", "10,10", "20,10", "1e6", "10, 20"} {
		if _, err := bench.ParseSizes(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// Every reference and ceiling is measured, and no two measurements share a name.
func TestReferencesExist(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, s := range bench.Specs() {
		if names[s.Name] {
			t.Errorf("%q is measured twice", s.Name)
		}
		names[s.Name] = true
	}
	for _, s := range bench.Specs() {
		for _, other := range []string{s.Reference, s.Ceiling} {
			if other != "" && !names[other] {
				t.Errorf("%q is compared with %q, which is not measured", s.Name, other)
			}
		}
		if (s.Ratio > 0 || s.P99Ratio > 0) && s.Reference == "" {
			t.Errorf("%q has a ratio but no reference", s.Name)
		}
	}
}
