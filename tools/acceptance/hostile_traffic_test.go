package acceptance_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestHostileTraffic sends the whole server the requests of a seeded generator: bodies, headers,
// paths, forms and signatures that are nearly valid, on both cores. None may be answered with a 5xx
// or a panic. A 503 means that the database did not answer in time, which happens if the machine
// hangs for some seconds; such a request is sent again. FUZZ_EXECUTIONS is the number of requests
// (1500), FUZZ_SEED the seed (1): the same seed makes the same requests. FUZZ_WORKERS is the number
// of concurrent requests. TestLongHostileTraffic uses another seed each time.
func TestHostileTraffic(t *testing.T) {
	statuses := hostileTraffic(t, number(t, "FUZZ_EXECUTIONS", 1500), number(t, "FUZZ_SEED", 1))
	for _, what := range []string{
		"create 201", "create 422", "create 400", "retrieve 200", "list 200", "list 422", "form 303",
		"notification 204",
	} {
		if statuses[what] == 0 {
			t.Errorf("there was no %s", what)
		}
	}
}

// hostileTraffic returns how often each kind of request had each status.
func hostileTraffic(t *testing.T, executions, seed int) (statuses map[string]int64) {
	t.Helper()
	workers := number(t, "FUZZ_WORKERS", 32)
	t.Logf("FUZZ_SEED=%d FUZZ_EXECUTIONS=%d", seed, executions)
	h := newTarget(t)
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	var (
		done, refused, failures, stalled atomic.Int64
		mu                               sync.Mutex
		running                          sync.WaitGroup
	)
	statuses = map[string]int64{}
	began := time.Now()
	for w := range workers {
		running.Go(func() {
			g := &generator{Rand: rand.New(rand.NewPCG(uint64(seed), uint64(w)))}
			seen := map[string]int64{}
			for n := w; n < executions && failures.Load() < 20; n += workers {
				kind, line, headers, body := g.request()
				raw := g.corrupt(h.raw(line, headers, body))
				o, err := h.serveOnce(t, raw, false)
				if o.status == http.StatusServiceUnavailable {
					stalled.Add(1)
					o, err = h.ask(t, raw, false)
				}
				if err != nil {
					failures.Add(1)
					t.Errorf("%s: %v\n%q", kind, err, raw)
				}
				if o.status == 0 {
					refused.Add(1)
				} else {
					done.Add(1)
				}
				seen[fmt.Sprintf("%s %d", kind, o.status)]++
				if all := done.Load() + refused.Load(); all%1_000_000 == 0 {
					t.Logf("%d executions after %v", all, time.Since(began).Round(time.Second))
				}
			}
			mu.Lock()
			defer mu.Unlock()
			for what, n := range seen {
				statuses[what] += n
			}
		})
	}
	running.Wait()
	took := time.Since(began)
	total := done.Load() + refused.Load()
	t.Logf("%d executions in %v, %.0f a second; %d more that net/http refuses before any handler",
		done.Load(), took.Round(time.Millisecond), float64(total)/took.Seconds(), refused.Load())
	for _, what := range slices.Sorted(maps.Keys(statuses)) {
		t.Logf("%-24s %d", what, statuses[what])
	}
	if n := stalled.Load(); n > 0 {
		t.Logf("%d answered 503, and otherwise when they were sent again", n)
	}
	for line := range strings.Lines(h.log.String()) {
		switch {
		case strings.Contains(line, `"status":503`):
			t.Logf("the server turned a request away: %.2000s", line)
		case !strings.Contains(line, "notification cannot be read"):
			// A signed but invalid notification is an acquirer's mistake, which is logged.
			t.Errorf("the server has logged an error: %.2000s", line)
		}
	}
	return statuses
}

func number(t *testing.T, variable string, otherwise int64) (n int) {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return int(otherwise)
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s: %q is no number above 0", variable, text)
	}
	return n
}
