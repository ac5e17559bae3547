package webhooks_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/webhooks"
)

// From the commit of an event to its first try at a healthy endpoint, with the
// real feed: first ten healthy endpoints, then one of them hangs and one fails.
// The marks are 50 ms at the median and 500 ms at the 99th percentile at 100
// events a second. This machine may be busy with other tests, so what fails the
// test is a delay that only waiting for a bad neighbour or for a poll explains.
func TestBadEndpointsDelayNobody(t *testing.T) {
	t.Parallel()
	healthy := latencies(t, nil)
	beside := latencies(t, map[int]http.HandlerFunc{3: hang, 7: status(http.StatusInternalServerError)})
	t.Logf("healthy alone: p50 %s, p99 %s; beside bad ones: p50 %s, p99 %s",
		at(healthy, 50), at(healthy, 99), at(beside, 50), at(beside, 99))
	if at(beside, 50) > 500*time.Millisecond || at(beside, 99) > 2*time.Second+2*at(healthy, 99) {
		t.Errorf("beside bad endpoints: p50 %s, p99 %s", at(beside, 50), at(beside, 99))
	}
}

func at(sorted []time.Duration, percent int) time.Duration {
	return sorted[(len(sorted)-1)*percent/100]
}

const eventsPerRun = 300

func latencies(t *testing.T, bad map[int]http.HandlerFunc) []time.Duration {
	w := newWorld(t)
	f := w.feed()
	defer w.dispatch().stop()
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
	w.eventually("every healthy endpoint is told", func() bool { return arrived() >= want })
	slices.Sort(all)
	return all
}

// BenchmarkTries is how many tries a second one dispatcher makes to ten fast
// endpoints, with everything written down. The mark is 2,000.
func BenchmarkTries(b *testing.B) {
	w := newWorld(b)
	e := newEndpoint(b)
	shops := make([]shop, 10)
	events := make([][]eventstore.Recorded, 10)
	for n := range shops {
		shops[n] = w.shop(e.URL)
		w.create(shops[n])
	}
	for n, first := range w.eventsAfter(0) {
		for version := range b.N/10 + 1 {
			first.Version, first.Type = version+1, domain.TypeCreated
			events[n] = append(events[n], first)
		}
		w.handle(events[n])
	}
	b.ResetTimer()
	d := w.prepare(func(c *webhooks.Config) { c.Log = zerolog.Nop() }).start(b)
	w.eventually("all is delivered", func() bool {
		return value[bool](w, `SELECT NOT EXISTS (SELECT FROM webhook_deliveries WHERE state = 'pending')`)
	})
	b.StopTimer()
	d.stop()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tries/s")
}
