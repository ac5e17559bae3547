package acceptance_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres/pgtest"
	"daftar/payments/acquirer/fake"
)

// The faults of a gateway that package fake lacks, because requests to acquirers are not repeated.
const (
	busy      fake.Fault = "503"
	busyAfter fake.Fault = "503_after" // the gateway timed out; the service did not
	limited   fake.Fault = "429"
)

// faulty is a bad network, with a gateway, between merchants and the API. The fault of a request
// depends on its reference and its number of attempts, so that every run is the same.
type faulty struct {
	*httptest.Server

	t        *testing.T
	api      http.Handler
	faults   fake.Plan
	mu       sync.Mutex
	came     map[string]int // by reference
	injected map[fake.Fault]int
}

func newFaulty(t *testing.T, s *service) *faulty {
	t.Helper()
	target, err := url.Parse("http://" + s.host())
	if err != nil {
		t.Fatal(err)
	}
	f := &faulty{
		t: t, api: httputil.NewSingleHostReverseProxy(target),
		came: map[string]int{}, injected: map[fake.Fault]int{},
	}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

// draw chooses the fault of a request: of a hundred, 20 lose their connection, half of them after
// the request was executed; 10 are answered 503, half of them after; and 10 are answered 429. For
// five the answer is cut or replaced by a page.
func draw(reference string, time int) fake.Fault {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s %d, drawn", reference, time)
	switch n := h.Sum32() >> 8 % 100; {
	case n < 10:
		return fake.DropBefore
	case n < 20:
		return fake.DropAfter
	case n < 25:
		return busy
	case n < 30:
		return busyAfter
	case n < 40:
		return limited
	case n < 43:
		return fake.Half
	case n < 45:
		return fake.HTMLAfter
	}
	return fake.None
}

func (f *faulty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var sent struct {
		Merchant string `json:"merchant_reference"`
		Refund   string `json:"refund_reference"`
	}
	if err == nil {
		err = json.Unmarshal(body, &sent)
	}
	if err != nil {
		f.t.Errorf("a merchant sent %q: %v", body, err)
	}
	reference := cmp.Or(sent.Merchant, sent.Refund)
	r.Body = io.NopCloser(bytes.NewReader(body))
	f.mu.Lock()
	fault := draw(reference, f.came[reference])
	f.came[reference]++
	f.injected[fault]++
	f.mu.Unlock()
	switch fault {
	case busy, busyAfter, limited:
		status := http.StatusServiceUnavailable
		if fault == limited {
			status = http.StatusTooManyRequests
		}
		if fault == busyAfter {
			f.api.ServeHTTP(httptest.NewRecorder(), r)
		}
		w.Header().Set("Retry-After", "1")
		fake.Answer(w, status, map[string]string{"message": "Please try again."})
	default:
		f.faults.Add(reference, fault)
		f.faults.Around(reference, f.api.ServeHTTP)(w, r)
	}
}

// creation is what a merchant's program learned about an order.
type creation struct {
	Reference string
	UUID      string
	Named     string
	Replayed  bool
	Differs   []string
}

// createThroughFaults creates a number of intents through an SDK, in several processes, while
// connections are cut and the API is busy. Each order must have one intent, and each merchant must
// know it.
func createThroughFaults(t *testing.T, k sdk, number, processes int) {
	t.Helper()
	db := pgtest.Database(t)
	// The service's own limit refuses some, too.
	s := serve(t, db.ServiceURL(), "DAFTAR_RATE_LIMIT=40/s,burst=40")
	who, between := newShop(t, s.env), newFaulty(t, s)
	printed := make([]string, processes)
	var running sync.WaitGroup
	for n := range processes {
		running.Go(func() {
			printed[n] = k.run(t, between.URL+"/api/v1", who, nil, "creates", fmt.Sprint(n*number/processes),
				fmt.Sprint((n+1)*number/processes))
		})
	}
	running.Wait()

	stored := map[string]string{} // uuid by reference
	rows, err := db.OwnerPool(t).Query(t.Context(), `
		SELECT payload::json->>'merchant_reference', stream_id::text
		FROM events
		WHERE type = 'intent.created'`)
	if err != nil {
		t.Fatal(err)
	}
	var reference, uuid string
	if _, err := pgx.ForEachRow(rows, []any{&reference, &uuid}, func() error {
		if stored[reference] != "" {
			t.Errorf("%s has two intents", reference)
		}
		stored[reference] = uuid
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	told, replayed := 0, 0
	for line := range strings.Lines(strings.Join(printed, "")) {
		var c creation
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		told++
		if c.UUID == "" || stored[c.Reference] != c.UUID || c.Named != c.Reference || len(c.Differs) > 0 {
			t.Errorf("of %s the merchant knows %+v, and the log has %s", c.Reference, c, stored[c.Reference])
		}
		if c.Replayed {
			replayed++
		}
	}
	if told != number || len(stored) != number {
		t.Errorf("%d orders: %d intents, %d known to the merchant", number, len(stored), told)
	}
	between.mustExplain(t, replayed)
	t.Logf("%d orders, %d intents, %d replayed; requests: %v", number, len(stored), replayed, between.injected)
}

// mustExplain checks that every kind of fault occurred, and that no more requests were replayed than
// answers were lost.
func (f *faulty) mustExplain(t *testing.T, replayed int) {
	t.Helper()
	carriedOut := f.injected[fake.DropAfter] + f.injected[busyAfter] + f.injected[fake.Half] +
		f.injected[fake.HTMLAfter]
	if replayed == 0 || replayed > carriedOut {
		t.Errorf("%d requests were replayed, and %d answers were lost", replayed, carriedOut)
	}
	if f.injected[fake.DropBefore] == 0 || f.injected[fake.DropAfter] == 0 ||
		f.injected[busy]+f.injected[busyAfter] == 0 || f.injected[limited] == 0 {
		t.Errorf("not everything went wrong: %v", f.injected)
	}
}

// TestLongSDKsThroughFaults is the same with a thousand.
func TestSDKsThroughFaults(t *testing.T) {
	t.Parallel()
	for _, k := range sdks {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			createThroughFaults(t, k, 24, 3)
		})
	}
}
