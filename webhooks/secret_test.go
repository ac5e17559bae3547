package webhooks_test

import (
	"net/http"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"daftar/webhooks"
)

func (w *world) rollSecret(s shop) string {
	w.t.Helper()
	secret, err := w.accounts.RollWebhookSecret(w.t.Context(), operator, s.Organization, s.ID, time.Time{})
	if err != nil {
		w.t.Fatal(err)
	}
	return secret
}

func TestRolledSecretSignsTheNextTry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	e.answers(status(http.StatusInternalServerError))
	s := w.shop(e.URL)
	d := w.dispatch()
	id := w.createDelivery(s)
	w.attempted(id, 1)
	secret := w.rollSecret(s)
	w.later(10 * time.Second)
	d.Wake()
	w.attempted(id, 2)
	got := e.got()
	for n, want := range []string{s.WebhookSecret, secret} {
		hook, err := standardwebhooks.NewWebhook(want)
		if err != nil {
			t.Fatal(err)
		}
		if err := hook.Verify([]byte(got[n].Body), got[n].Header); err != nil {
			t.Errorf("try %d is not signed with the secret of its time: %v", n+1, err)
		}
	}
}

// The same while the endpoint is being served and its signer is in use.
func TestRolledSecretSignsUnderLoad(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	proceed := make(chan struct{})
	e.answers(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-proceed:
		case <-r.Context().Done():
		}
	})
	s := w.shop(e.URL)
	w.dispatch()
	first := w.createDelivery(s)
	w.eventually("the first is under way", func() bool { return len(e.got()) == 1 })
	secret := w.rollSecret(s)
	second := w.createDelivery(s)
	w.eventually("the second is under way", func() bool { return len(e.got()) == 2 })
	close(proceed)
	w.wantState(first, webhooks.StateDelivered)
	w.wantState(second, webhooks.StateDelivered)
	verify(t, s.WebhookSecret, e.got()[:1], w.now())
	verify(t, secret, e.got()[1:], w.now())
}

// Deliveries that were fetched before the roll wait in the dispatcher's queue. The next request
// is signed with the new secret, and a replaced address gets nothing more.
func TestRolledSecretSignsFetchedDeliveries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e, other := newEndpoint(t), newEndpoint(t)
	var proceed [2]chan struct{}
	proceed[0], proceed[1] = make(chan struct{}), make(chan struct{})
	e.answers(func(_ http.ResponseWriter, r *http.Request) {
		n := 1
		if len(e.got()) <= webhooks.MaxInFlight {
			n = 0
		}
		select {
		case <-proceed[n]:
		case <-r.Context().Done():
		}
	})
	s := w.shop(e.URL)
	for range 3 * webhooks.MaxInFlight {
		w.create(s)
	}
	w.record()
	w.dispatch()
	w.eventually("as many as may be are under way", func() bool { return len(e.got()) == webhooks.MaxInFlight })
	secret := w.rollSecret(s)
	close(proceed[0])
	w.eventually("the next are under way", func() bool { return len(e.got()) == 2*webhooks.MaxInFlight })
	verify(t, s.WebhookSecret, e.got()[:webhooks.MaxInFlight], w.now())
	verify(t, secret, e.got()[webhooks.MaxInFlight:], w.now())
	w.set(s, other.URL)
	close(proceed[1])
	w.eventually("the rest goes to the new address", func() bool {
		return len(other.got()) == webhooks.MaxInFlight
	})
	if n := len(e.got()); n != 2*webhooks.MaxInFlight {
		t.Errorf("the old address got %d requests", n)
	}
}
