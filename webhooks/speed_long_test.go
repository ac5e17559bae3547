//go:build long

package webhooks_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/webhooks"
)

// From the commit of an event to its first try at a healthy endpoint, with the
// real feed: first ten healthy endpoints, then one of them hangs and one fails.
// The targets are 50 ms at the median and 500 ms at the 99th percentile at 100
// events a second. The machine may be busy, so the test fails only for a delay that
// waiting for a bad endpoint or for a poll would cause.
func TestLongBadEndpointsDelayNoOthers(t *testing.T) {
	healthy := latencies(t, nil)
	mixed := latencies(t, map[int]http.HandlerFunc{3: hang, 7: status(http.StatusInternalServerError)})
	t.Logf("healthy alone: p50 %s, p99 %s; next to bad ones: p50 %s, p99 %s",
		at(healthy, 50), at(healthy, 99), at(mixed, 50), at(mixed, 99))
	if at(mixed, 50) > 500*time.Millisecond || at(mixed, 99) > 2*time.Second+2*at(healthy, 99) {
		t.Errorf("next to bad endpoints: p50 %s, p99 %s", at(mixed, 50), at(mixed, 99))
	}
}

func at(sorted []time.Duration, percent int) time.Duration {
	return sorted[(len(sorted)-1)*percent/100]
}

const eventsPerRun = 300

func latencies(t *testing.T, bad map[int]http.HandlerFunc) []time.Duration {
	w := newWorld(t)
	f := w.feed()
	defer w.prepare(func(c *webhooks.Config) { c.Now = time.Now }).start(t).stop()
	shops, endpoints := make([]shop, 10), make([]*endpoint, 10)
	for n := range shops {
		endpoints[n] = newEndpoint(t)
		endpoints[n].answers(bad[n])
		shops[n] = w.shop(endpoints[n].URL)
	}
	committed := map[string]time.Time{}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for n := range eventsPerRun {
		<-tick.C
		id := webhooks.IDOf(uuid.UUID(w.create(shops[n%10])), 1)
		committed[id.WebhookID()] = time.Now()
		f.Wake()
	}
	var all []time.Duration
	want := eventsPerRun * (10 - len(bad)) / 10
	arrived := func() int {
		all = nil
		for n, e := range endpoints {
			for _, a := range e.got() {
				if bad[n] == nil {
					all = append(all, max(a.At.Sub(committed[a.id()]), 0))
				}
			}
		}
		return len(all)
	}
	w.eventually("every healthy endpoint to get its webhooks", func() bool { return arrived() >= want })
	slices.Sort(all)
	return all
}
