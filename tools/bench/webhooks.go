package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"daftar/tools/bench/figures"
)

const (
	sinkShops = 10 // applications, each with its own endpoint
	// triesPerSecond is how many deliveries fall due for each second of a measurement.
	triesPerSecond = 2000
	// triesLimit is how long they may take.
	triesLimit = 3 * time.Minute
)

// sink receives webhooks like the fast endpoint of a merchant: it reads them and answers
// 200. It runs in this process.
type sink struct {
	shops    []merchant
	address  string
	server   *http.Server
	served   chan struct{}
	received atomic.Int64
	notify   atomic.Pointer[func(reference string)] // is called for each webhook; nil: nothing is
}

// merchantReference is what precedes the merchant reference in a webhook.
var merchantReference = []byte(`"merchant_reference":"`)

func (k *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "unreadable", http.StatusBadRequest)
		return
	}
	if notify := k.notify.Load(); notify != nil {
		_, rest, _ := bytes.Cut(body, merchantReference)
		reference, _, _ := bytes.Cut(rest, []byte(`"`))
		(*notify)(string(reference))
	}
	k.received.Add(1)
}

func (k *sink) close() {
	_ = k.server.Close()
	<-k.served
}

// theSink opens the sink once.
func (s *stage) theSink(ctx context.Context) error {
	if s.sink != nil {
		return nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("open sink: %w", err)
	}
	k := &sink{address: listener.Addr().String(), served: make(chan struct{})}
	k.server = &http.Server{ReadHeaderTimeout: time.Minute, Handler: k}
	go func() {
		defer close(k.served)
		if err := k.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			fmt.Fprintln(os.Stderr, "sink:", err) // the measurement fails, because webhooks are missing
		}
	}()
	s.sink = k
	for n := range sinkShops {
		shop, err := newMerchant(ctx, s.pool, s.accounts, "http://"+k.address+"/"+strconv.Itoa(n))
		if err != nil {
			return fmt.Errorf("open sink: %w", err)
		}
		k.shops = append(k.shops, shop)
	}
	return nil
}

// recordDeliveriesSQL records deliveries as the group does, all due at once, spread over
// the endpoints, and notifies the dispatchers.
const recordDeliveriesSQL = `
WITH shops AS MATERIALIZED (
    SELECT *
    FROM unnest($1::uuid[]) WITH ORDINALITY AS a(uuid, n)
), endpoints AS (
    INSERT INTO webhook_endpoints (application_uuid)
    SELECT uuid
    FROM shops
    ON CONFLICT DO NOTHING
), deliveries AS (
    INSERT INTO webhook_deliveries (uuid, application_uuid, event, intent_uuid, sequence,
                                    reference, merchant_reference, occurred_at, state, next_attempt_at)
    SELECT gen_random_uuid(), a.uuid, 'payment_intent.created', gen_random_uuid(), 1,
           '7k3qx0m2td', 'order-' || d, now(), 'pending', now()
    FROM generate_series(1, $2::int) d
    JOIN shops a ON a.n = 1 + d % $3::int
    RETURNING 1
)
SELECT count(*), pg_notify('daftar_webhooks', '')
FROM deliveries`

// tries measures how fast one server delivers webhooks that are all due, including
// everything that it records about them.
func (s *stage) tries(ctx context.Context) (figures.Result, error) {
	ids := make([][16]byte, len(s.sink.shops))
	for n, shop := range s.sink.shops {
		ids[n] = [16]byte(shop.application.ID)
	}
	wanted := max(1, int(s.time.Seconds()*triesPerSecond))
	before := s.sink.received.Load()
	if _, err := s.pool.Exec(ctx, recordDeliveriesSQL, ids, wanted, len(ids)); err != nil {
		return figures.Result{}, fmt.Errorf("record deliveries: %w", err)
	}
	started := time.Now() // the commit has notified the dispatchers
	err := until(ctx, triesLimit, func() (bool, error) {
		if s.sink.received.Load()-before < int64(wanted) {
			return false, nil
		}
		const pendingSQL = `SELECT EXISTS (SELECT FROM webhook_deliveries WHERE state = 'pending')`
		var pending bool
		err := s.pool.QueryRow(ctx, pendingSQL).Scan(&pending)
		return !pending, err
	})
	if err != nil {
		received := s.sink.received.Load() - before
		return figures.Result{}, fmt.Errorf("wait for %d deliveries, %d came: %w", wanted, received, err)
	}
	return figures.Result{Value: float64(wanted) / time.Since(started).Seconds(), Operations: wanted}, nil
}

// barePosts measures a plain HTTP client that posts a webhook's bytes to the same sink,
// with as many posts in parallel as one server makes.
func (s *stage) barePosts(ctx context.Context) (figures.Result, error) {
	const atOnce = 4 * sinkShops
	body := []byte(`{"type":"payment_intent.created","timestamp":"2026-11-20T20:38:15.123456Z",` +
		`"data":{"uuid":"0a000000-0000-0000-0000-000000000000",` +
		`"reference":"7k3qx0m2td","merchant_reference":"order-1000000","sequence":1}}`)
	transport := &http.Transport{MaxIdleConnsPerHost: atOnce}
	defer transport.CloseIdleConnections()
	c := &http.Client{Transport: transport}
	deadline := time.Now().Add(s.time)
	return together(atOnce, func(k int) ([]time.Duration, error) {
		var took []time.Duration
		for time.Now().Before(deadline) {
			sent := time.Now()
			address := fmt.Sprintf("http://%s/%d", s.sink.address, k%sinkShops)
			request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
			if err != nil {
				return took, fmt.Errorf("post: %w", err)
			}
			response, err := c.Do(request)
			if err != nil {
				return took, fmt.Errorf("post: %w", err)
			}
			_, err = io.Copy(io.Discard, response.Body)
			if err := errors.Join(err, response.Body.Close()); err != nil {
				return took, fmt.Errorf("post: %w", err)
			}
			took = append(took, time.Since(sent))
		}
		return took, nil
	})
}

// firstTries measures how long after the answer to a create its webhook arrives.
// A webhook that arrives before the answer counts as 0.
func (s *stage) firstTries(ctx context.Context) (figures.Result, error) {
	reference := s.newReferences()
	var mu sync.Mutex
	arrived, answered := map[string]time.Time{}, map[string]time.Time{}
	notify := func(reference string) {
		mu.Lock()
		defer mu.Unlock()
		if _, again := arrived[reference]; !again {
			arrived[reference] = time.Now()
		}
	}
	s.sink.notify.Store(&notify)
	defer s.sink.notify.Store(nil)
	// A client per shop.
	writers := make([]*writer, len(s.sink.shops))
	for n, shop := range s.sink.shops {
		writers[n] = newWriter(shop.headers, len(writers))
	}
	l := s.load(http.StatusCreated, func(k, n int) []byte { return writers[k].create(k, reference(k, n), n) })
	l.clients = len(writers)
	l.warmed = func() {
		mu.Lock()
		defer mu.Unlock()
		clear(answered)
	}
	l.answered = func(k, n int) {
		mu.Lock()
		defer mu.Unlock()
		answered[reference(k, n)] = time.Now()
	}
	r, err := s.drive(ctx, l)
	if err != nil {
		return r, err
	}
	if err := until(ctx, triesLimit, func() (bool, error) {
		mu.Lock()
		defer mu.Unlock()
		for name := range answered {
			if _, there := arrived[name]; !there {
				return false, nil
			}
		}
		return true, nil
	}); err != nil {
		return r, fmt.Errorf("wait for the webhooks: %w", err)
	}
	mu.Lock()
	defer mu.Unlock()
	r.Latencies = r.Latencies[:0]
	for name, at := range answered {
		r.Latencies = append(r.Latencies, max(0, arrived[name].Sub(at)))
	}
	slices.Sort(r.Latencies)
	return r, nil
}
