package openapi_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"

	"daftar/eventstore"
	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
)

// The messages of failures, as the document's examples have them.
const (
	slow         = "408 The body did not arrive in time."
	unsettled    = "409 This merchant_reference is being changed by other requests. Please try again."
	underWay     = "409 A payment attempt is under way. Please try again when it has ended."
	alreadyPaid  = "409 This payment intent is paid."
	beingChanged = "503 This payment intent is just being changed. Please try again."
	tooMany      = "429 Too many requests. Please slow down."
	listening    = "429 Too many requests are waiting for webhooks. Please try again when one has ended."
	internal     = "500 Something went wrong on our side."
	busy         = "503 The service is busy. Nothing was done; please try again."
	unavailable  = "503 The service is not available at the moment. Please send the same request again."
	unknown      = "503 It is not known yet whether this was done. " +
		"Please send the same request again: it is never done twice."
)

// failures are services that fail in one way each. Every function returns the witness that recorded
// the answers.
var failures = map[string]func(*testing.T) *witness{
	"slow body":                 slowBody,
	"race lost":                 raceLost,
	"rate":                      rateReached,
	"listeners":                 listenersBounded,
	"credentials keep changing": credentialsKeepChanging,
	"overload":                  overloaded,
	"time is up":                timeIsUp,
	"server stops":              serverStops,
	"database out of reach":     databaseOutOfReach,
	"database refuses":          databaseRefuses,
	"missing tables":            tablesMissing,
	"panic":                     panics,
	"not open":                  notOpen,
	"not refundable":            notRefundable,
}

// Every failure that openapi.yaml describes occurs as described, and each of its examples is a real
// answer.
func TestFailures(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen, bodies := map[string]int{}, map[string]struct{}{}
	for rule, provoke := range failures {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			w := provoke(t)
			w.mustFindNothing(t)
			mu.Lock()
			defer mu.Unlock()
			maps.Copy(seen, w.seen)
			maps.Copy(bodies, w.bodies)
		})
	}
	// After the last of them has ended.
	t.Cleanup(func() {
		describe(t).eachAnswer(func(operation, status string, answer *v3.Response) {
			if !slices.Contains(outOfReach, status) {
				return
			}
			if seen[operation+" "+status] == 0 {
				t.Errorf("%s was never answered with %s", operation, status)
			}
			content, _ := answer.Content.Get("application/json")
			for name, example := range content.Examples.FromOldest() {
				if _, given := bodies[string(inJSON(t, example.Value))]; !given {
					t.Errorf("the example %s of %s %s was never answered", name, operation, status)
				}
			}
		})
	})
}

// expect sends a request and checks the status and message of its refusal.
func (w *witness) expect(t *testing.T, m merchant, method, path, body, want string) {
	t.Helper()
	status, answered := w.send(t, m, method, path, body, nil)
	if status < http.StatusBadRequest {
		t.Errorf("%s %s %.80s: got %d %s, want %s", method, path, body, status, answered, want)
	} else if got := fmt.Sprint(status, " ", field(t, answered, "message")); got != want {
		t.Errorf("%s %s %.80s: got %s, want %s", method, path, body, got, want)
	}
}

const (
	intents    = "/payment-intents"
	deliveries = "/webhook-deliveries"
	nowhere    = intents + "/00000000-0000-4000-8000-000000000000"
)

// lateBody is a body whose deadline has passed.
type lateBody struct{}

func (lateBody) Read([]byte) (int, error) { return 0, os.ErrDeadlineExceeded }

func (lateBody) Close() error { return nil }

// The body of httpapi.TestSlowBody stalls; here only the answer counts.
func slowBody(t *testing.T) *witness {
	s := serve(t, pgtest.Database(t).Pool(t), setup{around: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Body = lateBody{}
			next.ServeHTTP(w, r)
		})
	}})
	w := observe(t, s, nil)
	w.expect(t, s.merchant, "POST", intents, bodyWith(), slow)
	w.expect(t, s.merchant, "POST", nowhere+"/refunds", aRefund, slow)
	return w
}

func rateReached(t *testing.T) *witness {
	slow := func(c *httpapi.Config) { c.Rate = httpapi.Rate{PerSecond: 0.001, Burst: 4} }
	s := serve(t, pgtest.Database(t).Pool(t), setup{config: slow})
	w := observe(t, s, nil)
	// Within the limit the headers are sent as well.
	for path, want := range map[string]int{
		intents: 201, nowhere: 404, deliveries: 200, deliveries + "?after=x": 422,
	} {
		method, body := "GET", ""
		if path == intents {
			method, body = "POST", bodyWith()
		}
		if got, answered := w.send(t, s.merchant, method, path, body, nil); got != want {
			t.Errorf("%s %s: got %d %s, want %d", method, path, got, answered, want)
		}
	}
	w.expect(t, s.merchant, "POST", intents, bodyWith(), tooMany)
	w.expect(t, s.merchant, "GET", nowhere, "", tooMany)
	w.expect(t, s.merchant, "GET", deliveries, "", tooMany)
	w.expectOfExtensions(t, s.merchant, nowhere, tooMany)
	return w
}

// Of five requests that wait for webhooks one is refused. The others end with the webhook of an
// intent.
func listenersBounded(t *testing.T) *witness {
	s := serve(t, pgtest.Database(t).Pool(t), setup{})
	w := observe(t, s, nil)
	_, began := w.send(t, s.merchant, "GET", deliveries, "", nil)
	refused := make(chan string, 5)
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			for {
				status, answered := w.send(t, s.merchant, "GET", deliveries+"?after="+field(t, began, "next"), "", nil)
				if status != http.StatusOK {
					refused <- fmt.Sprint(status, " ", field(t, answered, "message"))
					return
				}
				if strings.Contains(answered, "payment_intent.created") {
					return
				}
			}
		})
	}
	if got := <-refused; got != listening {
		t.Errorf("the fifth is answered with %s", got)
	}
	w.send(t, s.merchant, "POST", intents, bodyWith(), nil)
	all.Wait()
	return w
}

// A credential is changed each time after it was looked up.
func credentialsKeepChanging(t *testing.T) *witness {
	db := pgtest.Database(t)
	owner := db.OwnerPool(t)
	pool := traced(t, db, "LEFT JOIN access_tokens", func() {
		if _, err := owner.Exec(t.Context(), `UPDATE credential_epoch SET epoch = epoch + 1`); err != nil {
			t.Error(err)
		}
	})
	s := serve(t, pool, setup{})
	w := observe(t, s, nil)
	w.expect(t, s.merchant, "POST", intents, bodyWith(), busy)
	w.expect(t, s.merchant, "POST", intents, "{}", busy)
	w.expect(t, s.merchant, "GET", nowhere, "", busy)
	w.expect(t, s.merchant, "GET", deliveries, "", busy)
	return w
}

// While the credential epoch is locked one append is being written and one waits, and the queue has
// no room for a third. The requests of the first two then time out before their appends end.
func overloaded(t *testing.T) *witness {
	db := pgtest.Database(t)
	ended := make(chan struct{})
	s := serve(t, db.Pool(t),
		setup{store: eventstore.Options{Queue: 1}, around: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				ctx, cancel := context.WithCancel(r.Context())
				defer cancel()
				go func() {
					select {
					case <-ended:
						cancel()
					case <-ctx.Done():
					}
				}()
				next.ServeHTTP(w, r.WithContext(ctx))
			})
		}})
	w := observe(t, s, nil)
	if status, answered := w.send(t, s.merchant, "GET", nowhere, "", nil); status != http.StatusNotFound {
		t.Fatalf("before: %d %s", status, answered)
	}
	owner := db.OwnerPool(t)
	holding, err := owner.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer holding.Rollback(context.Background())
	if _, err := holding.Exec(t.Context(), `LOCK TABLE credential_epoch IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	var waiting sync.WaitGroup
	waiting.Go(func() { w.expect(t, s.merchant, "POST", intents, bodyWith(), unknown) })
	pgtest.WaitFor(t, "the first append to wait for the lock", func() bool {
		var waits bool
		err := owner.QueryRow(t.Context(), `
			SELECT EXISTS (
				SELECT FROM pg_locks
				WHERE relation = 'credential_epoch'::regclass
				AND NOT granted
				AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
			)`).Scan(&waits)
		return err == nil && waits
	})
	waiting.Go(func() {
		w.expect(t, s.merchant, "POST", intents, bodyWith("merchant_reference", `"order-2"`), unavailable)
	})
	pgtest.WaitFor(t, "the queue to fill", func() bool { return s.store.Stats().Waiting == 1 })
	w.expect(t, s.merchant, "POST", intents, bodyWith("merchant_reference", `"order-3"`), busy)
	close(ended)
	waiting.Wait()
	return w
}

func timeIsUp(t *testing.T) *witness {
	brief := func(c *httpapi.Config) { c.Deadline = time.Nanosecond }
	s := serve(t, pgtest.Database(t).Pool(t), setup{config: brief})
	w := observe(t, s, nil)
	w.expect(t, s.merchant, "POST", intents, bodyWith(), unavailable)
	w.expect(t, s.merchant, "GET", nowhere, "", unavailable)
	w.expect(t, s.merchant, "GET", deliveries, "", unavailable)
	w.expectOfExtensions(t, s.merchant, nowhere, unavailable)
	return w
}

func serverStops(t *testing.T) *witness {
	s := serve(t, pgtest.Database(t).Pool(t), setup{})
	if err := s.store.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.intents.Close()
	w := observe(t, s, nil)
	w.expect(t, s.merchant, "POST", intents, bodyWith(), unavailable)
	w.expect(t, s.merchant, "GET", nowhere, "", unavailable)
	return w
}

func panics(t *testing.T) *witness {
	s := serve(t, pgtest.Database(t).Pool(t), setup{config: func(c *httpapi.Config) { c.Deliveries = nil }})
	w := observe(t, s, nil)
	w.expect(t, s.merchant, "GET", deliveries, "", internal)
	return w
}
