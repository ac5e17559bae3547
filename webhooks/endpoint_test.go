package webhooks_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/webhooks"
)

func TestBreakerOpensProbesAndCloses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	e.answers(status(http.StatusBadGateway))
	s := w.shop(e.URL)
	for range 40 {
		w.create(s)
	}
	w.record()
	d := w.dispatch()
	// Requests under way when the breaker opened may still arrive.
	open := func() bool {
		return value[bool](w, `
			SELECT coalesce(bool_or(probe_at IS NOT NULL AND busy_with IS NULL), false)
			FROM webhook_endpoints
			WHERE application_uuid = $1`, s.ID)
	}
	w.eventually("the breaker opens", open)
	opened := len(e.got())
	if opened < webhooks.FailuresToOpen || opened > webhooks.FailuresToOpen+2*webhooks.MaxInFlight {
		t.Errorf("%d requests before it opened", opened)
	}
	w.later(30 * time.Second) // those that failed are due again, and must wait
	d.Wake()
	w.createDelivery(s)
	w.idle(d)
	if got := len(e.got()); got != opened {
		t.Errorf("%d requests while it was open", got-opened)
	}
	w.later(31 * time.Second)
	d.Wake()
	w.eventually("a probe", func() bool { return len(e.got()) == opened+1 })
	w.eventually("the next pause", func() bool {
		probes := value[int](w, `SELECT probes FROM webhook_endpoints WHERE application_uuid = $1`, s.ID)
		return probes == 2 && open()
	})
	w.idle(d)
	if got := len(e.got()); got != opened+1 {
		t.Errorf("%d probes at once", got-opened)
	}
	e.answers(nil)
	w.later(2 * time.Minute)
	d.Wake()
	w.eventually("all is delivered", func() bool {
		return value[int](w, `SELECT count(*) FROM webhook_deliveries WHERE state <> 'delivered' AND step = 0`) == 0
	})
	failures := value[int](w, `SELECT failures FROM webhook_endpoints WHERE application_uuid = $1`, s.ID)
	if failures != 0 {
		t.Errorf("still %d failures on record", failures)
	}
}

// idle waits until the dispatcher has looked for due deliveries and found none: a delivery to
// a new endpoint arrives only after that.
func (w *world) idle(d *running) {
	w.t.Helper()
	e := newEndpoint(w.t)
	v, err := w.deliveries.SendTest(w.t.Context(), operator, webhooks.Operator(), w.shop(e.URL).ID)
	if err != nil {
		w.t.Fatal(err)
	}
	d.Wake()
	w.wantState(v.ID, webhooks.StateDelivered)
}

func TestFiveDaysOfFailuresThenReplay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	e.answers(status(http.StatusInternalServerError))
	s := w.shop("")
	before := w.createUnrecorded(s) // without a URL nothing is recorded
	w.set(s, e.URL)
	d := w.dispatch()
	first := w.createDelivery(s)
	w.attempted(first, 1)
	w.later(5*24*time.Hour + time.Minute)
	d.Wake()
	w.wantState(first, webhooks.StateHeld)
	second := w.createDelivery(s)
	if v := w.delivery(second); v.State != webhooks.StateHeld {
		t.Errorf("a new delivery is %s", v.State)
	}
	sent := len(e.got())
	e.answers(nil)
	since := time.Now().Add(-time.Hour)
	n, err := w.deliveries.Replay(t.Context(), operator, webhooks.TenantOf(w.org), s.ID, since)
	if err != nil || n != 3 {
		t.Errorf("replayed %d, %v; want 3", n, err)
	}
	ids := []string{before.WebhookID(), first.WebhookID(), second.WebhookID()}
	for _, id := range []webhooks.DeliveryID{before, first, second} {
		w.wantState(id, webhooks.StateDelivered)
	}
	var got []string
	for _, a := range e.got()[sent:] {
		got = append(got, a.id())
	}
	slices.Sort(got)
	slices.Sort(ids)
	if !slices.Equal(got, ids) {
		t.Errorf("arrived %v, want %v", got, ids)
	}
	future := time.Now().Add(time.Hour)
	n, err = w.deliveries.Replay(t.Context(), operator, webhooks.Operator(), s.ID, future)
	if err != nil || n != 0 {
		t.Errorf("replayed %d since an hour from now, %v", n, err)
	}
}

// createUnrecorded creates an intent and records no delivery.
func (w *world) createUnrecorded(s shop) webhooks.DeliveryID {
	w.t.Helper()
	id := w.createDelivery(s)
	if all := w.list(webhooks.Filter{Tenant: webhooks.Operator(), Application: &s.ID}); len(all) != 0 {
		w.t.Errorf("recorded without a URL: %+v", all)
	}
	return id
}

func TestURLChangesMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old, next := newEndpoint(t), newEndpoint(t)
	old.answers(status(http.StatusInternalServerError))
	s := w.shop(old.URL)
	d := w.dispatch()
	moved, removed := w.createDelivery(s), w.createDelivery(s)
	w.attempted(moved, 1)
	w.attempted(removed, 1)
	w.set(s, next.URL)
	w.later(10 * time.Second)
	d.Wake()
	w.wantState(moved, webhooks.StateDelivered)
	w.wantState(removed, webhooks.StateDelivered)
	if len(next.got()) != 2 {
		t.Errorf("%d requests at the new address", len(next.got()))
	}

	old.answers(status(http.StatusGone))
	w.set(s, old.URL)
	held := w.createDelivery(s)
	w.wantState(held, webhooks.StateHeld)
	w.set(s, next.URL) // for another address all counts start again
	w.wantState(w.createDelivery(s), webhooks.StateDelivered)

	next.answers(status(http.StatusInternalServerError))
	last := w.createDelivery(s)
	w.attempted(last, 1)
	old.answers(status(http.StatusInternalServerError))
	w.set(s, old.URL)
	w.attempted(w.createDelivery(s), 1)
	if got := value[int](w, `SELECT failures FROM webhook_endpoints`); got != 1 {
		t.Errorf("%d failures on record, want 1: the others are of another address", got)
	}
	w.set(s, "")
	w.later(10 * time.Second)
	d.Wake()
	w.wantState(last, webhooks.StateHeld)
	all := webhooks.Operator()
	if _, err := w.deliveries.Resend(t.Context(), operator, all, last); !errors.Is(err, webhooks.ErrNoURL) {
		t.Errorf("resend without a URL: %v", err)
	}
	_, err := w.deliveries.Replay(t.Context(), operator, all, s.ID, time.Time{})
	if !errors.Is(err, webhooks.ErrNoURL) {
		t.Errorf("replay without a URL: %v", err)
	}
}

func (w *world) set(s shop, url string) {
	w.t.Helper()
	err := w.accounts.SetWebhookURL(context.Background(), operator, s.Organization, s.ID, url)
	if err != nil {
		w.t.Fatal(err)
	}
}

func TestFourAtATime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	// The endpoint waits for four requests and then answers all of them.
	var mu sync.Mutex
	var now, most, came int
	together := make(chan struct{})
	e.answers(func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		now++
		most = max(most, now)
		came++
		mine := together
		if came%webhooks.MaxInFlight == 0 {
			close(together)
			together = make(chan struct{})
		}
		mu.Unlock()
		<-mine
		mu.Lock()
		now--
		mu.Unlock()
	})
	s := w.shop(e.URL)
	for range 200 {
		w.create(s)
	}
	w.record()
	w.dispatch()
	w.dispatch()
	w.eventually("all is delivered", func() bool {
		return value[int](w, `SELECT count(*) FROM webhook_deliveries WHERE state <> 'delivered'`) == 0
	})
	mu.Lock()
	defer mu.Unlock()
	if most != webhooks.MaxInFlight || len(e.got()) != 200 {
		t.Errorf("%d at a time, %d requests; want %d and 200", most, len(e.got()), webhooks.MaxInFlight)
	}
}

func TestTenants(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.shop("https://shop.example/hook")
	id := w.createDelivery(s)
	other, err := w.accounts.CreateOrganization(t.Context(), operator, "أخرى")
	if err != nil {
		t.Fatal(err)
	}
	ctx, d := t.Context(), w.deliveries
	for name, of := range map[string]webhooks.Tenant{"another": webhooks.TenantOf(other.ID), "no tenant": {}} {
		if all := w.list(webhooks.Filter{Tenant: of}); len(all) != 0 {
			t.Errorf("%s lists %v", name, all)
		}
		if _, err := d.Tries(ctx, of, id); !errors.Is(err, webhooks.ErrNoDelivery) {
			t.Errorf("%s sees tries: %v", name, err)
		}
		if _, err := d.Resend(ctx, operator, of, id); !errors.Is(err, webhooks.ErrNoDelivery) {
			t.Errorf("%s resends: %v", name, err)
		}
		if _, err := d.Replay(ctx, operator, of, s.ID, time.Time{}); !errors.Is(err, accounts.ErrNoApplication) {
			t.Errorf("%s replays: %v", name, err)
		}
		if _, err := d.SendTest(ctx, operator, of, s.ID); !errors.Is(err, accounts.ErrNoApplication) {
			t.Errorf("%s tests: %v", name, err)
		}
		if err := d.Enable(ctx, operator, of, s.ID); !errors.Is(err, accounts.ErrNoApplication) {
			t.Errorf("%s enables: %v", name, err)
		}
		_, _, err := d.Await(ctx, of, s.ID, webhooks.Cursor{}, 10, 0)
		if !errors.Is(err, accounts.ErrNoApplication) {
			t.Errorf("%s listens: %v", name, err)
		}
	}
	all := w.list(webhooks.Filter{Tenant: webhooks.TenantOf(w.org), State: webhooks.StatePending})
	if len(all) != 1 {
		t.Errorf("the owner lists %v", all)
	}
	_, err = d.Tries(ctx, webhooks.Operator(), webhooks.DeliveryID(uuid.New()))
	if !errors.Is(err, webhooks.ErrNoDelivery) {
		t.Errorf("tries of nothing: %v", err)
	}
}
