package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
)

// With the database out of reach the answer is 503, with a time to come back,
// and afterwards the same request does what it asks for.
func TestDatabaseOutOfReach(t *testing.T) {
	t.Parallel()
	proxy := pgtest.Proxy(t, pgtest.Database(t).ServiceURL())
	s := serve(t, proxy.URL(), func(c *httpapi.Config) { c.Deadline = time.Second })
	// Another server makes the intent: one second is short on a busy machine.
	id := serve(t, proxy.URL(), nil).create(t, s.merchant, bodyWith()).field(t, "uuid").(string)
	for _, row := range []struct {
		rule string
		stop func()
	}{
		{"connections refused", proxy.Refuse},
		{"nothing comes back", proxy.Stall},
	} {
		row.stop()
		for _, got := range []reply{
			s.create(t, s.merchant, bodyWith("merchant_reference", `"`+row.rule+`"`)),
			s.create(t, s.merchant, "{}"),
			s.retrieve(t, s.merchant, id),
			s.retrieve(t, s.merchant, "no-uuid"),
		} {
			if got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") == "" {
				t.Errorf("%s: got %d %s, Retry-After %q", row.rule, got.status, got.body, got.header.Get("Retry-After"))
			}
		}
		proxy.Cut()
		proxy.Pass()
		// The pool replaces its broken connections as they are found; a merchant
		// comes back as Retry-After says.
		pgtest.WaitFor(t, "the same request to be taken afterwards: "+row.rule, func() bool {
			got := s.create(t, s.merchant, bodyWith("merchant_reference", `"`+row.rule+`"`))
			return got.status == http.StatusCreated || got.status == http.StatusOK
		})
	}
}

// Connections that broke, as those to a PostgreSQL that was restarted, cost no request.
func TestBrokenConnectionsCostNoRequest(t *testing.T) {
	t.Parallel()
	proxy := pgtest.Proxy(t, pgtest.Database(t).ServiceURL())
	s := serve(t, proxy.URL(), func(c *httpapi.Config) { c.Deadline = time.Minute })
	id := s.create(t, s.merchant, bodyWith()).field(t, "uuid").(string)
	for want, send := range map[int]func() reply{
		http.StatusOK: func() reply { return s.retrieve(t, s.merchant, id) },
		http.StatusCreated: func() reply {
			return s.create(t, s.merchant, bodyWith("merchant_reference", `"another"`))
		},
		http.StatusUnprocessableEntity: func() reply { return s.create(t, s.merchant, "{}") },
		http.StatusNotFound:            func() reply { return s.retrieve(t, s.merchant, "no-uuid") },
	} {
		proxy.Cut()
		if got := send(); got.status != want {
			t.Errorf("got %d %s, want %d", got.status, got.body, want)
		}
	}
}

// A refusal needs the database too, to know that the credential still counts, and
// waits for it as long as anything else does.
func TestRefusalsArePatient(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	const deadline = 20 * time.Second
	s := serve(t, db.ServiceURL(), func(c *httpapi.Config) { c.Deadline = deadline })
	if got := s.create(t, s.merchant, "{}"); got.status != http.StatusUnprocessableEntity {
		t.Fatalf("got %d %s", got.status, got.body)
	}
	owner := db.OwnerPool(t)
	holding, err := owner.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := holding.Exec(t.Context(), `LOCK TABLE credential_epoch IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	refused := make(chan reply, 1)
	go func() { refused <- s.create(t, s.merchant, "{}") }()
	pgtest.WaitFor(t, "the question for the epoch to wait for a quarter of the deadline", func() bool {
		var waits bool
		err := owner.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_locks
			WHERE relation = 'credential_epoch'::regclass AND NOT granted
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND clock_timestamp() - waitstart > $1)`, deadline/4).Scan(&waits)
		return err == nil && waits
	})
	if err := holding.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := <-refused; got.status != http.StatusUnprocessableEntity {
		t.Errorf("got %d %s", got.status, got.body)
	}
}

// A body that stalls must not hold a request for longer than its time, whether
// anybody reads it or not.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	if got := httpapi.ShareOfBody(5 * time.Second); got != 4*time.Second {
		t.Errorf("of five seconds a body may take %s, want four: the rest is for the answer", got)
	}
	s := serve(t, pgtest.Database(t).ServiceURL(), func(c *httpapi.Config) {
		c.SetSlowBody(200 * time.Millisecond)
	})
	for _, row := range []struct {
		rule, token string
		status      int
	}{
		{"let in", s.merchant.token, http.StatusRequestTimeout},
		{"not let in", "at_nonsense", http.StatusUnauthorized},
	} {
		r := merchant{s.merchant.app, row.token, s.merchant.id}.
			request(t, http.MethodPost, s.server.URL+httpapi.Prefix+"/payment-intents", bodyWith())
		stalled := make(chan struct{})
		r.Body, r.ContentLength = stalledBody{stalled}, 100
		got := s.do(t, r)
		close(stalled)
		if got.status != row.status {
			t.Errorf("%s: got %d %s, want %d", row.rule, got.status, got.body, row.status)
		}
	}
}

// stalledBody never has a byte to give until it is closed.
type stalledBody struct{ until chan struct{} }

func (b stalledBody) Read([]byte) (int, error) { <-b.until; return 0, http.ErrAbortHandler }

func (b stalledBody) Close() error { return nil }
