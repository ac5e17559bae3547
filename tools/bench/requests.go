package main

import (
	"context"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/tools/bench/figures"
)

// writer makes the requests of clients, each in its own buffer.
type writer struct {
	headers string
	buffers [][]byte
}

func newWriter(headers string, clients int) *writer {
	return &writer{headers: headers, buffers: make([][]byte, clients)}
}

const createBody = `{"merchant_reference":"%s",` +
	`"amount":5000,"currency":"LYD","description":"Order 1042: coffee machine",` +
	`"customer":{"external_id":"customer-%d"},` +
	`"return_url":"https://shop.example/orders/%d","metadata":{"cart":"%d"}}`

func (w *writer) create(k int, merchantReference string, n int) []byte {
	body := fmt.Sprintf(createBody, merchantReference, n, n, n)
	w.buffers[k] = fmt.Appendf(w.buffers[k][:0],
		"POST /api/v1/payment-intents HTTP/1.1\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		w.headers, len(body), body)
	return w.buffers[k]
}

func (w *writer) read(k int, id string) []byte {
	w.buffers[k] = fmt.Appendf(w.buffers[k][:0], "GET /api/v1/payment-intents/%s HTTP/1.1\r\n%s\r\n",
		id, w.headers)
	return w.buffers[k]
}

// warmTime is how long clients do what is measured before it is.
const warmTime = time.Second

// load is a load with the clients and the time of the options.
func (s *stage) load(want int, next func(client, n int) []byte) load {
	return load{
		addresses: s.addresses(), clients: s.clients,
		warm: min(warmTime, s.time), length: s.time,
		want: always(want), next: next,
	}
}

// drive measures a load, as fast as the answers come or at the rate of the options.
func (s *stage) drive(ctx context.Context, l load) (figures.Result, error) {
	warmed := l.warmed
	l.warmed = func() {
		if warmed != nil {
			warmed()
		}
		s.openWindow(ctx)
	}
	if s.rate > 0 {
		return pace(ctx, l, s.rate)
	}
	return drive(ctx, l)
}

// as runs a measurement under other options.
func (s *stage) as(change func(*options), run runner) runner {
	return func(ctx context.Context) (figures.Result, error) {
		usual := s.options
		defer func() { s.options = usual }()
		change(&s.options)
		return run(ctx)
	}
}

// newReferences makes merchant references that are not used yet.
func (s *stage) newReferences() func(k, n int) string {
	s.createdBy++
	started := fmt.Sprintf("%s-%d", s.run, s.createdBy)
	return func(k, n int) string { return fmt.Sprintf("%s-%d-%d", started, k, n) }
}

func (s *stage) newIntents() func(k, n int) []byte {
	reference, w := s.newReferences(), newWriter(s.shop.headers, s.clients)
	return func(k, n int) []byte { return w.create(k, reference(k, n), n) }
}

// creates measures new intents.
func (s *stage) creates(ctx context.Context) (figures.Result, error) {
	return s.drive(ctx, s.load(http.StatusCreated, s.newIntents()))
}

// fastestCreates measures the highest rate; others run at half of it.
func (s *stage) fastestCreates(ctx context.Context) (figures.Result, error) {
	r, err := s.creates(ctx)
	s.fastest = r.Value
	return r, err
}

// listIntents finds intents of a merchant all over the table. Neighbours would always be
// in memory, even where much is stored.
func listIntents(ctx context.Context, pool *pgxpool.Pool, m merchant, most int) ([]knownIntent, error) {
	const percentSQL = `
SELECT least(100, 150.0 * $1::int / greatest(1, reltuples))
FROM pg_class
WHERE oid = 'intents'::regclass`
	var percent float64
	if err := pool.QueryRow(ctx, percentSQL, most).Scan(&percent); err != nil {
		return nil, fmt.Errorf("list intents: %w", err)
	}
	const sampleSQL = `
SELECT uuid::text, merchant_reference
FROM intents TABLESAMPLE SYSTEM ($3::float8)
WHERE application_uuid = $1
LIMIT $2`
	rows, err := pool.Query(ctx, sampleSQL, [16]byte(m.application.ID), most, percent)
	if err != nil {
		return nil, fmt.Errorf("list intents: %w", err)
	}
	defer rows.Close()
	var all []knownIntent
	for rows.Next() {
		var i knownIntent
		if err := rows.Scan(&i.id, &i.merchantReference); err != nil {
			return nil, fmt.Errorf("list intents: %w", err)
		}
		all = append(all, i)
	}
	if len(all) == 0 {
		return nil, errors.Join(errors.New("list intents: there are none"), rows.Err())
	}
	return all, rows.Err()
}

// anyKnown returns a random intent. It need not be unpredictable.
func (s *stage) anyKnown() knownIntent {
	return s.known[mathrand.IntN(len(s.known))] //nolint:gosec // see above
}

func (s *stage) reads(ctx context.Context) (figures.Result, error) {
	w := newWriter(s.shop.headers, s.clients)
	return s.drive(ctx, s.load(http.StatusOK, func(k, _ int) []byte { return w.read(k, s.anyKnown().id) }))
}

// repeats measures creates whose references exist: they are answered with 200 and
// nothing is written.
func (s *stage) repeats(ctx context.Context) (figures.Result, error) {
	w := newWriter(s.shop.headers, s.clients)
	return s.drive(ctx, s.load(http.StatusOK, func(k, n int) []byte {
		return w.create(k, s.anyKnown().merchantReference, n)
	}))
}

// readsPerCreate is how often a merchant reads an intent after creating it.
const readsPerCreate = 4

// mixed measures creates among reads.
func (s *stage) mixed(ctx context.Context) (figures.Result, error) {
	reference, w := s.newReferences(), newWriter(s.shop.headers, s.clients)
	l := s.load(0, func(k, n int) []byte {
		if n%(1+readsPerCreate) == 0 {
			return w.create(k, reference(k, n), n)
		}
		return w.read(k, s.anyKnown().id)
	})
	l.want = func(n int) int {
		if n%(1+readsPerCreate) == 0 {
			return http.StatusCreated
		}
		return http.StatusOK
	}
	return s.drive(ctx, l)
}

// needFastest measures the highest rate unless that was done before.
func (s *stage) needFastest(ctx context.Context) error {
	if s.fastest > 0 {
		return nil
	}
	_, err := s.fastestCreates(ctx)
	return err
}

// memoryNow and memoryMost measure the RAM of the server in MB: now, and at its peak.
func (s *stage) memoryNow(context.Context) (figures.Result, error) {
	now, _, err := memory(s.servers[0].cmd.Process.Pid)
	return figures.Result{Value: now / 1e6}, err
}

func (s *stage) memoryMost(context.Context) (figures.Result, error) {
	_, most, err := memory(s.servers[0].cmd.Process.Pid)
	return figures.Result{Value: most / 1e6}, err
}
