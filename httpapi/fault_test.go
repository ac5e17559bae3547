package httpapi_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
)

// With the database out of reach the answer is 503 with Retry-After, and afterwards the same
// request succeeds.
func TestDatabaseOutOfReach(t *testing.T) {
	t.Parallel()
	proxy := pgtest.Proxy(t, pgtest.Database(t).ServiceURL())
	s := serve(t, proxy.URL(), func(c *httpapi.Config) { c.Deadline = time.Second })
	// Another server, with a longer deadline, creates the intent: one second is short on a busy machine.
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
				t.Errorf("%s: got %d %s, Retry-After %q",
					row.rule, got.status, got.body, got.header.Get("Retry-After"))
			}
		}
		proxy.Cut()
		proxy.Pass()
		// The pool replaces broken connections as it finds them; until then a merchant
		// retries after Retry-After.
		pgtest.WaitFor(t, "the same request to succeed afterwards: "+row.rule, func() bool {
			got := s.create(t, s.merchant, bodyWith("merchant_reference", `"`+row.rule+`"`))
			return got.status == http.StatusCreated || got.status == http.StatusOK
		})
	}
}

// No request fails because connections are broken, as after a restart of PostgreSQL.
func TestBrokenConnectionsFailNoRequest(t *testing.T) {
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

// A refusal needs the database too, to check that the credential is still valid, and
// waits for it as long as any other answer.
func TestRefusalsWaitForTheDatabase(t *testing.T) {
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
	pgtest.WaitFor(t, "the query of the epoch to wait for a quarter of the deadline", func() bool {
		var waits bool
		row := owner.QueryRow(t.Context(), `
			SELECT EXISTS (
			    SELECT
			    FROM pg_locks
			    WHERE relation = 'credential_epoch'::regclass
			      AND NOT granted
			      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
			      AND clock_timestamp() - waitstart > $1)`, deadline/4)
		return row.Scan(&waits) == nil && waits
	})
	if err := holding.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := <-refused; got.status != http.StatusUnprocessableEntity {
		t.Errorf("got %d %s", got.status, got.body)
	}
}

// A request with a stalled body ends when the time of the body is over, also where no handler
// reads the body.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), func(c *httpapi.Config) { c.Deadline = 3 * time.Second })
	var all sync.WaitGroup
	for _, row := range []struct {
		rule, token string
		status      int
	}{
		{"authenticated", s.merchant.token, http.StatusRequestTimeout},
		{"not authenticated", "at_nonsense", http.StatusUnauthorized},
	} {
		all.Go(func() {
			sender := merchant{s.merchant.app, row.token, s.merchant.id}
			r := sender.request(t, http.MethodPost, s.server.URL+httpapi.Prefix+"/payment-intents", bodyWith())
			stalled := make(chan struct{})
			r.Body, r.ContentLength = stalledBody{stalled}, 100
			got := s.do(t, r)
			close(stalled)
			if got.status != row.status {
				t.Errorf("%s: got %d %s, want %d", row.rule, got.status, got.body, row.status)
			}
		})
	}
	all.Wait()
}

// stalledBody blocks a reader until the channel is closed.
type stalledBody struct{ until chan struct{} }

func (b stalledBody) Read([]byte) (int, error) { <-b.until; return 0, http.ErrAbortHandler }

func (b stalledBody) Close() error { return nil }
