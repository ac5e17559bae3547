package webhooks_test

import (
	"net/http"
	"testing"

	"go.uber.org/goleak"

	"daftar/webhooks"
)

// A server that stops waits only for the grace limit, releases its endpoints and
// leaves no goroutine; a canceled request is not counted as a try.
func TestStopping(t *testing.T) {
	w := newWorld(t)
	e := newEndpoint(t)
	arrived := make(chan struct{}, 1)
	e.answers(func(rw http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		hang(rw, r)
	})
	s := w.shop(e.URL)
	before := goleak.IgnoreCurrent()
	d := w.prepare(nil)
	d.start(t)
	id := w.createDelivery(s)
	<-arrived
	// The endpoint does not answer before the test ends.
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		d.stop()
	}()
	w.eventually("the end of the dispatcher", func() bool { return isClosed(stopped) })
	e.CloseClientConnections()
	w.eventually("the end of its goroutines", func() bool {
		err := goleak.Find(before,
			goleak.IgnoreAnyFunction("github.com/jackc/pgx/v5/pgxpool.(*Pool).backgroundHealthCheck"),
			goleak.IgnoreAnyFunction("net/http.(*conn).serve"))
		if err != nil {
			t.Log(err)
		}
		return err == nil
	})
	if v := w.delivery(id); v.Attempts != 0 || v.State != webhooks.StatePending {
		t.Errorf("cut off: %+v", v)
	}
	e.answers(nil)
	w.dispatch() // no lease is in the way
	w.wantState(id, webhooks.StateDelivered)
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
