package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres"
	"daftar/tools/bench/figures"
)

// feedDatabase is separate from the service's, because the service's own groups would take part.
const feedDatabase = "daftar_feed"

// The event that fills logs: its payload and metadata have the size of real ones.
const (
	payload = `{"at":"2026-11-20T20:38:15.123456Z",` +
		`"application":"0a000000-0000-0000-0000-000000000000","merchant_reference":"order-1000000",` +
		`"reference":"7k3qx0m2td","checkout_token":"00000000000000000000000000",` +
		`"amount":5000,"currency":"LYD","description":"Order 1042: coffee machine",` +
		`"customer_external_id":"customer-1000","return_url":"https://shop.example/orders/1000",` +
		`"metadata":{"cart":"1000"},"expires_at":"2026-11-20T21:38:15.123456Z"}`
	metadata = `{"actor":"application:0a000000-0000-0000-0000-000000000000",` +
		`"request_id":"0a000000-0000-0000-0000-000000000000",` +
		`"correlation_id":"0a000000-0000-0000-0000-000000000000"}`
)

const (
	fillBacklog = `
INSERT INTO events
SELECT n, gen_random_uuid(), 1, 'intent.created', 1,
       '` + payload + `',
       '` + metadata + `',
       clock_timestamp()
FROM generate_series(1, $1::int) n`
	effectsTable = `
CREATE TABLE effects (consumer text NOT NULL, position bigint NOT NULL);
GRANT SELECT, INSERT ON effects TO daftar_service`
	insertEffects = `INSERT INTO effects SELECT $1, unnest($2::bigint[])`
)

// prepareFeed makes a log with a backlog, once.
func (s *stage) prepareFeed(ctx context.Context) error {
	if s.feedReady {
		return nil
	}
	fmt.Fprintf(os.Stderr, "storing a backlog of %d events\n", s.backlog)
	pool, err := s.newDatabase(ctx, feedDatabase)
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, err := pool.Exec(ctx, effectsTable); err != nil {
		return fmt.Errorf("prepare feed: %w", err)
	}
	if _, err := pool.Exec(ctx, fillBacklog, s.backlog); err != nil {
		return fmt.Errorf("prepare feed: %w", err)
	}
	if _, err := pool.Exec(ctx, `VACUUM ANALYZE events`); err != nil {
		return fmt.Errorf("prepare feed: %w", err)
	}
	if _, err := pool.Exec(ctx, `CHECKPOINT`); err != nil {
		return fmt.Errorf("prepare feed: %w", err)
	}
	s.feedReady = true
	return nil
}

// feedPool opens a pool with the settings that the server uses for its feed.
func (s *stage) feedPool(ctx context.Context, database, synchronous string) (*pgxpool.Pool, error) {
	return postgres.Open(ctx, s.cluster.URL(database, user), postgres.Options{
		SetServiceRole: true, MaxConns: 4,
		RuntimeParams: map[string]string{"synchronous_commit": synchronous, "jit": "off"},
	})
}

// drain measures how fast a new group handles the backlog. The group stores a row for each event.
func (s *stage) drain(ctx context.Context) (figures.Result, error) {
	pool, err := s.feedPool(ctx, feedDatabase, "off")
	if err != nil {
		return figures.Result{}, err
	}
	defer pool.Close()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	group := "drain-" + uuid.NewString()
	handled := 0
	handle := func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
		positions := make([]int64, len(events))
		for n, e := range events {
			positions[n] = e.Position
		}
		if _, err := tx.Exec(ctx, insertEffects, group, positions); err != nil {
			return err
		}
		handled += len(events)
		if handled == s.backlog {
			stop() // before the last batch commits; its time is measured all the same
		}
		return nil
	}
	f, err := feed.New(feed.Config{
		Pool:   pool,
		Log:    zerolog.New(os.Stderr).Level(zerolog.WarnLevel),
		Groups: []feed.Group{{Name: group, OnFailure: feed.Halt, Handle: handle}},
	})
	if err != nil {
		return figures.Result{}, err
	}
	started := time.Now()
	if err := f.Run(ctx); err != nil {
		return figures.Result{}, err
	}
	if handled < s.backlog {
		return figures.Result{}, errors.New("the feed ended early")
	}
	return figures.Result{Value: float64(handled) / time.Since(started).Seconds(), Operations: handled}, nil
}

// arrive measures how long after being recorded an event reaches its handler, at
// a hundred events a second.
func (s *stage) arrive(ctx context.Context) (figures.Result, error) {
	pool, err := s.feedPool(ctx, feedDatabase, "off")
	if err != nil {
		return figures.Result{}, err
	}
	defer pool.Close()
	writes, err := s.feedPool(ctx, feedDatabase, "on")
	if err != nil {
		return figures.Result{}, err
	}
	defer writes.Close()
	group := "arrive-" + uuid.NewString()
	var mu sync.Mutex
	var took []time.Duration
	handle := func(_ context.Context, _ pgx.Tx, events []eventstore.Recorded) error {
		now := time.Now()
		mu.Lock()
		defer mu.Unlock()
		for _, e := range events {
			took = append(took, now.Sub(e.RecordedAt))
		}
		return nil
	}
	f, err := feed.New(feed.Config{
		Pool:   pool,
		Log:    zerolog.New(os.Stderr).Level(zerolog.WarnLevel),
		Groups: []feed.Group{{Name: group, OnFailure: feed.Halt, Handle: handle}},
	})
	if err != nil {
		return figures.Result{}, err
	}
	const startAtEndSQL = `
INSERT INTO consumer_offsets (consumer_group, position, updated_at)
SELECT $1, max(position), clock_timestamp()
FROM events`
	if _, err := pool.Exec(ctx, startAtEndSQL, group); err != nil {
		return figures.Result{}, fmt.Errorf("prepare feed: %w", err)
	}
	store := eventstore.New(writes, writes, eventstore.Options{OnCommit: f.Committed})
	running, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- f.Run(running) }()

	failure := s.appendSteadily(ctx, store)
	failure = errors.Join(failure, store.Close(ctx))
	<-time.After(time.Second) // for the last ones to arrive
	stop()
	failure = errors.Join(failure, <-done)
	slices.Sort(took)
	return figures.Result{
		Value:      float64(len(took)) / s.time.Seconds(),
		Latencies:  took,
		Operations: len(took),
	}, failure
}

func (s *stage) appendSteadily(ctx context.Context, store *eventstore.Store) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	var appends sync.WaitGroup
	defer appends.Wait()
	failures := make(chan error, 1)
	for until := time.Now().Add(s.time); time.Now().Before(until); {
		select {
		case err := <-failures:
			return err
		case <-tick.C:
		}
		appends.Go(func() {
			_, err := store.Append(ctx, eventstore.Append{Stream: uuid.New(), Events: []eventstore.Event{
				{Type: "intent.created", SchemaVersion: 1, Payload: []byte(payload)},
			}})
			if err != nil {
				select {
				case failures <- err:
				default:
				}
			}
		})
	}
	return nil
}
