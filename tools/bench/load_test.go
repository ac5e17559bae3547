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
		r, err := bench.Drive(t.Context(), bench.NewLoad(address, 3, length, http.StatusCreated, []byte(request)))
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
	_, err := bench.Drive(t.Context(), bench.NewLoad(address, 2, time.Minute, http.StatusOK, []byte(request)))
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
	load := bench.NewLoad(address, 1, time.Second, http.StatusOK, []byte(request))
	r, err := bench.Pace(t.Context(), load, 100)
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
		load := bench.NewLoad(address, 3, length, http.StatusOK, []byte(request))
		warmed := func() { before.Store(came.Load()) }
		r, err := bench.Drive(t.Context(), bench.WarmedUp(load, length, warmed))
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
	_, err := bench.Pace(ctx, bench.NewLoad(address, 2, time.Hour, http.StatusOK, []byte(request)), 10)
	if err == nil {
		t.Error("no error")
	}
}

func TestProcessorTimes(t *testing.T) {
	t.Parallel()
	const stat = `812 (postgres: app) (x) S 800 812 812 0 -1 4194560 9 9 0 0 150 50 7 3 20 0 1 0 5 6 7`
	got, err := bench.ParseTimes(stat)
	if err != nil {
		t.Fatal(err)
	}
	want := bench.Times{Parent: 800, Own: 2 * time.Second, Reaped: 100 * time.Millisecond}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"", "812 (postgres) S", strings.Replace(stat, "150", "many", 1)} {
		if _, err := bench.ParseTimes(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
	if _, err := bench.ReadTimes(os.Getpid()); err != nil {
		t.Error(err)
	}
	if now, most, err := bench.Memory(os.Getpid()); err != nil || now < 1e6 || most < now/2 {
		t.Errorf("memory: %v now, %v at most, %v", now, most, err)
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
	var s bench.Sizes
	if err := s.Set("10000,1000000"); err != nil || s.String() != "10000,1000000" {
		t.Errorf("%s, %v", s.String(), err)
	}
	for _, bad := range []string{"", "0", "10,10", "20,10", "1e6", "10, 20"} {
		if err := s.Set(bad); err == nil {
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
