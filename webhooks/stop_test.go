package webhooks_test

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/webhooks"
)

// stops are what a dispatcher told of.
type stops struct {
	mu  sync.Mutex
	all []webhooks.Stop
}

func (s *stops) tell(_ context.Context, _ pgx.Tx, stop webhooks.Stop) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, stop)
	return nil
}

func (s *stops) got() []webhooks.Stop {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all)
}

func (w *world) stopped() int {
	w.t.Helper()
	n, err := w.deliveries.CountStopped(w.t.Context(), w.org.In(domain.ModeLive))
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// When an endpoint is disabled, that is told once, however many webhooks were under way, and again for the
// next stop.
func TestAStopIsToldOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	e.answers(status(http.StatusGone))
	s := w.shop(e.URL)
	for range 6 {
		w.create(s)
	}
	w.record()
	var told stops
	w.prepare(func(c *webhooks.Config) { c.OnStop = told.tell }).start(t)
	w.eventually("the end of sending", func() bool { return w.stopped() == 1 })
	w.eventually("every delivery to be held", func() bool {
		return value[int](w, `SELECT count(*) FROM webhook_deliveries WHERE state <> 'held'`) == 0
	})
	check := func(n int) {
		t.Helper()
		got := told.got()
		if len(got) != n {
			t.Fatalf("%d stops were told, want %d", len(got), n)
		}
		if l := got[n-1]; l.Application != s.ID || !l.Gone || l.At.IsZero() {
			t.Errorf("told %+v", l)
		}
	}
	check(1)
	if err := w.deliveries.Enable(t.Context(), operator, webhooks.Operator(), s.ID); err != nil {
		t.Fatal(err)
	}
	if n := w.stopped(); n != 0 {
		t.Errorf("%d stopped after enabling", n)
	}
	w.wantState(w.createDelivery(s), webhooks.StateHeld)
	check(2)
}

// Days of failures disable an endpoint too, told or not; another URL is enabled.
func TestAStopAfterDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	e.answers(status(http.StatusInternalServerError))
	s := w.shop(e.URL)
	var told stops
	w.prepare(func(c *webhooks.Config) { c.OnStop = told.tell }).start(t)
	id := w.createDelivery(s)
	w.attempted(id, 1)
	const setFailingSince = `UPDATE webhook_endpoints SET failing_since = $2 WHERE application_uuid = $1`
	if _, err := w.pool.Exec(t.Context(), setFailingSince, s.ID, w.now().Add(-6*24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	w.later(time.Hour)
	w.wantState(id, webhooks.StateHeld)
	if got := told.got(); w.stopped() != 1 || len(got) != 1 || got[0].Gone {
		t.Errorf("%d stopped, told %+v", w.stopped(), got)
	}
	w.set(s, "https://shop.example/new")
	if n := w.stopped(); n != 0 {
		t.Errorf("%d stopped with another URL", n)
	}
}
