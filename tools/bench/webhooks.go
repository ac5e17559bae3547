package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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
	*httptest.Server

	shops    []merchant
	received atomic.Int64
	notify   atomic.Pointer[func(reference string)] // is called for each webhook; nil: nothing is
}

// merchantReference is what precedes the merchant reference in a webhook.
var merchantReference = []byte(`"merchant_reference":"`)

func (k *sink) receive(w http.ResponseWriter, r *http.Request) {
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

// theSink opens the sink once.
func (s *stage) theSink(ctx context.Context) error {
	if s.sink != nil {
		return nil
	}
	k := &sink{}
	k.Server = httptest.NewServer(http.HandlerFunc(k.receive))
	s.sink = k
	for n := range sinkShops {
		shop, err := newMerchant(ctx, s.pool, s.accounts, k.URL+"/"+strconv.Itoa(n))
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
func (s *stage) tries(ctx context.Context) (r figures.Result, err error) {
	ids := make([][16]byte, len(s.sink.shops))
	for n, shop := range s.sink.shops {
		ids[n] = [16]byte(shop.application.ID)
	}
	r.Operations = max(1, int(s.time.Seconds()*triesPerSecond))
	before := s.sink.received.Load()
	if _, err := s.pool.Exec(ctx, recordDeliveriesSQL, ids, r.Operations, len(ids)); err != nil {
		return r, fmt.Errorf("record deliveries: %w", err)
	}
	started := time.Now() // the commit has notified the dispatchers
	const recordedSQL = `SELECT NOT EXISTS (SELECT FROM webhook_deliveries WHERE state = 'pending')`
	recorded := isTrue(ctx, s.pool, recordedSQL)
	err = until(ctx, triesLimit, func() (bool, error) {
		if s.sink.received.Load()-before < int64(r.Operations) {
			return false, nil
		}
		return recorded()
	})
	if err != nil {
		received := s.sink.received.Load() - before
		return r, fmt.Errorf("wait for %d deliveries, %d came: %w", r.Operations, received, err)
	}
	r.Value = float64(r.Operations) / time.Since(started).Seconds()
	return r, nil
}

// barePosts measures a plain HTTP client that posts a webhook's bytes to the same sink,
// with as many posts in parallel as one server makes.
func (s *stage) barePosts(ctx context.Context) (figures.Result, error) {
	body := []byte(`{"type":"payment_intent.created","timestamp":"2026-11-20T20:38:15.123456Z",` +
		`"data":{"uuid":"0a000000-0000-0000-0000-000000000000",` +
		`"reference":"7k3qx0m2td","merchant_reference":"order-1000000","sequence":1}}`)
	l := s.load(ctx, nil)
	l.clients = 4 * sinkShops
	transport := &http.Transport{MaxIdleConnsPerHost: l.clients}
	defer transport.CloseIdleConnections()
	c := &http.Client{Transport: transport}
	l.do = func(ctx context.Context, k, _ int) error {
		address := fmt.Sprintf("%s/%d", s.sink.URL, k%sinkShops)
		_, _, err := fetch(ctx, c, http.MethodPost, address, nil, body)
		return err
	}
	return l.run(ctx)
}

// firstTries measures how long after the answer to a create its webhook arrives.
// A webhook that arrives before the answer counts as 0.
func (s *stage) firstTries(ctx context.Context) (figures.Result, error) {
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
	reference, shops := s.newReferences(), s.sink.shops
	l := s.load(ctx, func(_ context.Context, k, n int) error {
		mu.Lock()
		defer mu.Unlock()
		answered[reference(k, n)] = time.Now()
		return nil
	})
	l.clients = len(shops) // one for each
	warmed := l.warmed
	l.warmed = func() {
		clear(answered) // nothing is under way
		warmed()
	}
	create := func(b []byte, k, n int) []byte { return shops[k].create(b, reference(k, n), n) }
	r, err := l.overHTTP(ctx, s.addresses(), always(http.StatusCreated), create)
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
