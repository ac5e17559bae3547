package webhooks_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"daftar/webhooks"
)

func TestFailures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hidden := newEndpoint(t)
	tls := newEndpointTLS(t)
	closed := newEndpoint(t)
	closed.Close()
	rows := []struct {
		name   string
		answer http.HandlerFunc
		url    string
		error  string
		status int
	}{
		{name: "redirect", answer: func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, hidden.URL, http.StatusTemporaryRedirect)
		}, error: "redirect", status: 307},
		{name: "client's mistake", answer: status(http.StatusNotFound), error: "status", status: 404},
		{name: "broken off", answer: func(http.ResponseWriter, *http.Request) {
			panic(http.ErrAbortHandler)
		}, error: "broken"},
		{name: "nobody listens", url: closed.URL, error: "connect"},
		{name: "unknown name", url: "http://nobody.invalid/", error: "dns"},
		{name: "untrusted certificate", url: tls.URL, error: "tls"},
	}
	ids := make([]webhooks.DeliveryID, len(rows))
	for n, c := range rows {
		if c.url == "" {
			e := newEndpoint(t)
			e.answers(c.answer)
			c.url = e.URL
		}
		ids[n] = w.createDelivery(w.shop(c.url))
	}
	r := w.dispatch()
	for n, c := range rows {
		v := w.attempted(ids[n], 1)
		if try := w.tries(ids[n])[0]; v.State != webhooks.StatePending || try.Error != c.error {
			t.Errorf("%s: %s, error %q, want %q", c.name, v.State, try.Error, c.error)
		}
		got := value[int](w, `SELECT coalesce(last_status, 0) FROM webhook_deliveries WHERE uuid = $1`, ids[n])
		if got != c.status {
			t.Errorf("%s: status %d, want %d", c.name, got, c.status)
		}
	}
	r.stop()
	if got := hidden.got(); len(got) != 0 {
		t.Errorf("a redirect was followed: %v", got)
	}
	if got := tls.got(); len(got) != 0 {
		t.Errorf("sent to a server with an untrusted certificate")
	}
}

// A try to an endpoint that does not answer ends at its limit.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	e.answers(hang)
	r := w.prepare(nil)
	r.SetLimits(time.Minute, 200*time.Millisecond)
	r.start(t)
	id := w.createDelivery(w.shop(e.URL))
	v := w.attempted(id, 1)
	if try := w.tries(id)[0]; v.State != webhooks.StatePending || try.Error != "timeout" || try.Status != nil {
		t.Errorf("%s, %+v", v.State, try)
	}
}

func TestGoneDisablesAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	e.answers(status(http.StatusGone))
	s := w.shop(e.URL)
	w.dispatch()
	id := w.createDelivery(s)
	w.wantState(id, webhooks.StateHeld)
	later := w.createDelivery(s)
	if v := w.delivery(later); v.State != webhooks.StateHeld || v.Attempts != 0 {
		t.Errorf("recorded for a disabled endpoint: %+v", v)
	}
	_, err := w.deliveries.Resend(t.Context(), operator, webhooks.Operator(), id)
	if !errors.Is(err, webhooks.ErrDisabled) {
		t.Errorf("resend to a disabled endpoint: %v", err)
	}
	if err := w.deliveries.Enable(t.Context(), operator, webhooks.Operator(), s.ID); err != nil {
		t.Fatal(err)
	}
	e.answers(nil)
	w.wantState(w.createDelivery(s), webhooks.StateDelivered)
	if v := w.delivery(id); v.State != webhooks.StateHeld {
		t.Errorf("enabling released what was held: %+v", v)
	}
}

func newEndpointTLS(t *testing.T) *endpoint {
	e := &endpoint{}
	e.Server = newTLSServer(e)
	t.Cleanup(e.Close)
	return e
}
