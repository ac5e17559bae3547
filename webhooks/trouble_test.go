package webhooks_test

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/webhooks"
)

// Over TLS, with a trusted certificate, connections are kept.
func TestConnectionsAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := &endpoint{}
	e.Server = httptest.NewUnstartedServer(e)
	var connections atomic.Int64
	e.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	e.StartTLS()
	t.Cleanup(e.Close)
	r := w.prepare(nil)
	pool := x509.NewCertPool()
	pool.AddCert(e.Certificate())
	r.Transport().TLSClientConfig = &tls.Config{RootCAs: pool}
	r.start(t)
	s := w.shop(e.URL)
	for range 20 {
		w.wantState(w.createDelivery(s), webhooks.StateDelivered)
	}
	r.stop()
	if n := connections.Load(); n > webhooks.MaxInFlight {
		t.Errorf("%d connections for 20 deliveries, one after the other", n)
	}
}

// A secret that cannot be opened delays the deliveries of its application only.
func TestSecretOfAnotherKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	s := w.shop(e.URL)
	key, err := accounts.ParseSecretKey(strings.Repeat("77", 32))
	if err != nil {
		t.Fatal(err)
	}
	other := accounts.New(w.pool, accounts.Options{SecretKey: key})
	_, err = other.RollWebhookSecret(t.Context(), operator, s.Organization, s.ID, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	stuck := w.createDelivery(s)
	d := w.dispatch()
	w.eventually("the log names the application", func() bool {
		return strings.Contains(w.log.String(), s.ID.String())
	})
	w.idle(d)
	if v := w.delivery(stuck); v.State != webhooks.StatePending || v.Attempts != 0 {
		t.Errorf("%+v", v)
	}
}

// An endpoint whose release fails is released by the next round, not by the end
// of the lease: another server can serve it.
func TestReleaseIsTriedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	s := w.shop(e.URL)
	key, err := accounts.ParseSecretKey(strings.Repeat("77", 32))
	if err != nil {
		t.Fatal(err)
	}
	other := accounts.New(w.pool, accounts.Options{SecretKey: key})
	_, err = other.RollWebhookSecret(t.Context(), operator, s.Organization, s.ID, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	id := w.createDelivery(s)
	// The first release fails. A sequence keeps its value when a transaction rolls back.
	owner := w.db.OwnerPool(t)
	_, err = owner.Exec(t.Context(), `
CREATE SEQUENCE releases;
CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN IF nextval('releases') = 1 THEN RAISE EXCEPTION 'not now'; END IF; RETURN NEW; END $$;
CREATE TRIGGER fail_once BEFORE UPDATE ON webhook_endpoints FOR EACH ROW
    WHEN (OLD.busy_with IS NOT NULL AND NEW.busy_with IS NULL) EXECUTE FUNCTION fail_once()`)
	if err != nil {
		t.Fatal(err)
	}
	w.dispatch() // has the key that does not open the secret
	w.eventually("the failed round to be logged", func() bool {
		return strings.Contains(w.log.String(), "cannot be read or marked")
	})
	w.eventually("the endpoint to be released", func() bool {
		return value[bool](w, `SELECT busy_with IS NULL FROM webhook_endpoints`)
	})
	if n := strings.Count(w.log.String(), "webhooks cannot be signed"); n != 1 {
		t.Errorf("the endpoint was leased %d times before it was released, want once", n)
	}
	w.prepare(func(c *webhooks.Config) { c.Accounts = other }).start(t)
	w.wantState(id, webhooks.StateDelivered)
}

// A resend while a try is under way stays in force, unless the try succeeds.
func TestResentDuringTheLastTry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	arrived, proceed := make(chan struct{}, 1), make(chan struct{}, 1)
	e.answers(func(rw http.ResponseWriter, _ *http.Request) {
		arrived <- struct{}{}
		<-proceed
		rw.WriteHeader(http.StatusInternalServerError)
	})
	id := w.createDelivery(w.shop(e.URL))
	last := len(webhooks.Schedule) - 1
	_, err := w.pool.Exec(t.Context(), `UPDATE webhook_deliveries SET step = $1, attempts = $1`, last)
	if err != nil {
		t.Fatal(err)
	}
	w.later(time.Minute) // after the event, which has the database's time
	d := w.dispatch()
	<-arrived
	if _, err = w.deliveries.Resend(t.Context(), operator, webhooks.Operator(), id); err != nil {
		t.Fatal(err)
	}
	e.answers(nil)
	proceed <- struct{}{}
	w.attempted(id, last+1)
	d.Wake()
	if v := w.wantState(id, webhooks.StateDelivered); v.Attempts != last+2 {
		t.Errorf("%+v", v)
	}
}

// While the database is away nothing is sent; what was sent before is marked when it is
// back, so that it is not sent again.
func TestDatabaseGoesAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	arrived, proceed := make(chan struct{}, 1), make(chan struct{}, 1)
	e.answers(func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-proceed
	})
	id := w.createDelivery(w.shop(e.URL))
	w.dispatch()
	<-arrived
	if _, err := w.db.OwnerPool(t).Exec(t.Context(), `ALTER TABLE webhook_tries RENAME TO away`); err != nil {
		t.Fatal(err)
	}
	proceed <- struct{}{}
	w.eventually("the log complains", func() bool {
		return strings.Contains(w.log.String(), "cannot be read or marked")
	})
	if _, err := w.db.OwnerPool(t).Exec(t.Context(), `ALTER TABLE away RENAME TO webhook_tries`); err != nil {
		t.Fatal(err)
	}
	v := w.wantState(id, webhooks.StateDelivered)
	if len(e.got()) != 1 || v.Attempts != 1 || len(w.tries(id)) != 1 {
		t.Errorf("%d requests, %+v", len(e.got()), v)
	}
}
