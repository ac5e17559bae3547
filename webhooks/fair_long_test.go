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

// 262 applications of one organisation send to an endpoint that answers 200 after 14 s.
// Without a limit they would take every place of a server. The webhooks of another organisation
// still arrive within a second. Not parallel: this measures.
func TestLongMeasuredDelayByASlowOrganisation(t *testing.T) {
	const applications, each, measured = 262, 8, 300
	w := newWorld(t)
	slow, quick := newEndpoint(t), newEndpoint(t)
	slow.answers(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(14 * time.Second):
		case <-r.Context().Done():
		}
	})
	for range applications {
		s := w.shop(slow.URL)
		for range each {
			w.create(s)
		}
	}
	w.record()
	other := w.otherShop(quick.URL)
	f := w.feed()
	defer w.prepare(func(c *webhooks.Config) { c.Now = time.Now }).start(t).stop()
	w.eventually("the attack to be under way", func() bool {
		return len(slow.got()) >= webhooks.MaxOfOrganization
	})
	committed := map[string]time.Time{}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for range measured {
		<-tick.C
		id := webhooks.IDOf(uuid.UUID(w.create(other)), 1)
		committed[id.WebhookID()] = time.Now()
		f.Wake()
	}
	w.eventually("every webhook of the other organisation", func() bool { return len(quick.got()) >= measured })
	var all []time.Duration
	for _, a := range quick.got() {
		all = append(all, max(a.At.Sub(committed[a.id()]), 0))
	}
	slices.Sort(all)
	t.Logf("next to %d slow endpoints: p50 %s, p99 %s", applications, at(all, 50), at(all, 99))
	if at(all, 99) > time.Second {
		t.Errorf("p99 is %s, want a second at most", at(all, 99))
	}
}
