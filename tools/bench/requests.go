package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	mathrand "math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"runtime/debug"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/freeport"
	"daftar/tools/bench/figures"
)

const createBody = `{"merchant_reference":"%s",` +
	`"amount":5000,"currency":"LYD","description":"Order 1042: coffee machine",` +
	`"customer":{"external_id":"customer-%d"},` +
	`"return_url":"https://shop.example/orders/%d","metadata":{"cart":"%d"}}`

// create appends the request that creates intent n of a merchant.
func (m merchant) create(b []byte, merchantReference string, n int) []byte {
	body := fmt.Sprintf(createBody, merchantReference, n, n, n)
	return fmt.Appendf(b,
		"POST /api/v1/payment-intents HTTP/1.1\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		m.headers, len(body), body)
}

// read appends the request that reads an intent.
func (m merchant) read(b []byte, id string) []byte {
	return fmt.Appendf(b, "GET /api/v1/payment-intents/%s HTTP/1.1\r\n%s\r\n", id, m.headers)
}

// warmTime is how long clients do what is measured before it is.
const warmTime = time.Second

// load is a load with the clients, the rate and the time of the options. What it costs counts from
// the end of the warm-up.
func (s *stage) load(ctx context.Context, do func(ctx context.Context, k, n int) error) load {
	return load{
		clients: s.clients, rate: s.rate, length: s.time, do: do,
		warm: min(warmTime, s.time), warmed: func() { s.openWindow(ctx) },
	}
}

// newReferences makes merchant references that are not used yet.
func (s *stage) newReferences() func(k, n int) string {
	s.createdBy++
	started := fmt.Sprintf("%s-%d", s.run, s.createdBy)
	return func(k, n int) string { return fmt.Sprintf("%s-%d-%d", started, k, n) }
}

func (s *stage) newIntents() func(b []byte, k, n int) []byte {
	reference := s.newReferences()
	return func(b []byte, k, n int) []byte { return s.shop.create(b, reference(k, n), n) }
}

// anyIntent requests a random intent. It need not be unpredictable.
func (s *stage) anyIntent(b []byte, _, _ int) []byte { return s.shop.read(b, s.anyKnown().ID) }

func (s *stage) anyKnown() knownIntent {
	return s.known[mathrand.IntN(len(s.known))] //nolint:gosec // see above
}

// creates measures new intents.
func (s *stage) creates(ctx context.Context) (figures.Result, error) {
	return s.load(ctx, nil).overHTTP(ctx, s.addresses(), always(http.StatusCreated), s.newIntents())
}

// fastestCreates measures the highest rate; others run at half of it.
func (s *stage) fastestCreates(ctx context.Context) (figures.Result, error) {
	r, err := s.creates(ctx)
	s.fastest = r.Value
	return r, err
}

// needFastest measures the highest rate unless that was done before.
func (s *stage) needFastest(ctx context.Context) error {
	if s.fastest > 0 {
		return nil
	}
	_, err := s.fastestCreates(ctx)
	return err
}

func (s *stage) reads(ctx context.Context) (figures.Result, error) {
	return s.load(ctx, nil).overHTTP(ctx, s.addresses(), always(http.StatusOK), s.anyIntent)
}

// repeats measures creates whose references exist: they are answered with 200 and
// nothing is written.
func (s *stage) repeats(ctx context.Context) (figures.Result, error) {
	return s.load(ctx, nil).overHTTP(ctx, s.addresses(), always(http.StatusOK), func(b []byte, _, n int) []byte {
		return s.shop.create(b, s.anyKnown().MerchantReference, n)
	})
}

// readsPerCreate is how often a merchant reads an intent after creating it.
const readsPerCreate = 4

// mixed measures creates among reads.
func (s *stage) mixed(ctx context.Context) (figures.Result, error) {
	isCreate := func(n int) bool { return n%(1+readsPerCreate) == 0 }
	want := func(n int) int {
		if isCreate(n) {
			return http.StatusCreated
		}
		return http.StatusOK
	}
	create := s.newIntents()
	return s.load(ctx, nil).overHTTP(ctx, s.addresses(), want, func(b []byte, k, n int) []byte {
		if isCreate(n) {
			return create(b, k, n)
		}
		return s.anyIntent(b, k, n)
	})
}

// knownIntent is one that reads and repeated creates use.
type knownIntent struct{ ID, MerchantReference string }

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
	rows, _ := pool.Query(ctx, sampleSQL, [16]byte(m.application.ID), most, percent)
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[knownIntent])
	if err == nil && len(all) == 0 {
		err = errors.New("there are none")
	}
	if err != nil {
		return nil, fmt.Errorf("list intents: %w", err)
	}
	return all, nil
}

// A bare net/http server that sends the bytes of our answers shows the most that any
// server on that package can reach, with the same clients on the same cores. It is a
// separate process, as ours is: this program, started with bareArgument.
const bareArgument = "serve-bare-answers"

// bareAnswer is what the bare server reads from its standard input. An intent looks the same in
// the answers to a create and to a read.
type bareAnswer struct {
	Address string
	Headers http.Header // without those that net/http adds by itself
	Body    []byte
}

// serveBare is the child process.
func serveBare() error {
	debug.SetGCPercent(250) // as serve does
	var answer bareAnswer
	if err := json.NewDecoder(os.Stdin).Decode(&answer); err != nil {
		return fmt.Errorf("bare server: %w", err)
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status := http.StatusOK
		if r.Method == http.MethodPost {
			status = http.StatusCreated
			_, _ = io.Copy(io.Discard, r.Body) // a client that breaks off gets no answer anyway
		}
		maps.Copy(w.Header(), answer.Headers)
		w.WriteHeader(status)
		_, _ = w.Write(answer.Body)
	})
	return http.ListenAndServe(answer.Address, handler) //nolint:gosec // no time limits: clients are local
}

// theBare starts the bare server once, with a real answer of our server.
func (s *stage) theBare(ctx context.Context) error {
	if s.bare != nil {
		return nil
	}
	address, err := freeport.Take(ctx)
	if err != nil {
		return err
	}
	url := "http://" + s.servers[0].address + "/api/v1/payment-intents/" + s.anyKnown().ID
	body, headers, err := get(ctx, http.DefaultClient, url, http.Header{
		"X-Api-Key": {s.shop.application.APIKey}, "Authorization": {"Bearer " + s.shop.token},
	})
	if err != nil {
		return fmt.Errorf("bare server: %w", err)
	}
	headers.Del("Date")
	input, err := json.Marshal(bareAnswer{Address: address, Headers: headers, Body: body})
	if err != nil {
		return fmt.Errorf("bare server: %w", err)
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("bare server: %w", err)
	}
	c := exec.CommandContext(ctx, program, bareArgument) //nolint:gosec // this program
	c.Stdin = bytes.NewReader(input)
	s.bare = &process{cmd: c, address: address}
	return s.bare.start(ctx, "/")
}

func (s *stage) bareCreates(ctx context.Context) (figures.Result, error) {
	to := []string{s.bare.address}
	return s.load(ctx, nil).overHTTP(ctx, to, always(http.StatusCreated), s.newIntents())
}

func (s *stage) bareReads(ctx context.Context) (figures.Result, error) {
	return s.load(ctx, nil).overHTTP(ctx, []string{s.bare.address}, always(http.StatusOK), s.anyIntent)
}
