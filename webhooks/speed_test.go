package webhooks_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/webhooks"
)

// A merchant gets webhooks while other endpoints hang or fail, and does not wait
// for them: a try at the one that hangs lasts until the test ends.
func TestBadEndpointsDelayNoOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := w.feed()
	r := w.prepare(nil)
	r.SetLimits(time.Hour, time.Hour)
	defer r.start(t).stop() // before the endpoints, whose end waits for their requests
	bad := map[int]http.HandlerFunc{1: hang, 3: status(http.StatusInternalServerError)}
	shops, endpoints := make([]shop, 5), make([]*endpoint, 5)
	for n := range shops {
		endpoints[n] = newEndpoint(t)
		endpoints[n].answers(bad[n])
		shops[n] = w.shop(endpoints[n].URL)
	}
	// The bad ones first, so that their tries are under way.
	const each = 2 * webhooks.MaxInFlight
	for range each {
		w.create(shops[1])
		w.create(shops[3])
	}
	f.Wake()
	w.eventually("the endpoint that hangs to use all its places", func() bool {
		return len(endpoints[1].got()) == webhooks.MaxInFlight
	})
	for range each {
		for n, s := range shops {
			if bad[n] == nil {
				w.create(s)
			}
		}
	}
	f.Wake()
	for n, e := range endpoints {
		if bad[n] == nil {
			w.eventually("every healthy endpoint to get its webhooks", func() bool { return len(e.got()) == each })
		}
	}
	if got := len(endpoints[1].got()); got != webhooks.MaxInFlight {
		t.Errorf("the endpoint that hangs was called %d times, want %d at a time", got, webhooks.MaxInFlight)
	}
}

// BenchmarkTries measures how many tries a second one dispatcher makes to ten fast
// endpoints, with all outcomes stored. The target is 2,000.
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
	d := w.prepare(func(c *webhooks.Config) { c.Log, c.Now = zerolog.Nop(), time.Now }).start(b)
	w.eventually("all is delivered", func() bool {
		return value[bool](w, `SELECT NOT EXISTS (SELECT FROM webhook_deliveries WHERE state = 'pending')`)
	})
	b.StopTimer()
	d.stop()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tries/s")
}
