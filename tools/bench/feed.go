package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres"
	"daftar/tools/bench/figures"
	"daftar/transparency"
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
	pool, err := newDatabase(ctx, s.cluster, feedDatabase)
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, err := pool.Exec(ctx, fillBacklog, s.backlog); err != nil {
		return fmt.Errorf("prepare feed: %w", err)
	}
	s.feedReady = true
	return execute(ctx, pool, effectsTable, `VACUUM ANALYZE events`, `CHECKPOINT`)
}

// follow runs a group on a database, as the server does, while work is done.
func (s *stage) follow(
	ctx context.Context, database string, group feed.Group,
	work func(ctx context.Context, pool *pgxpool.Pool, f *feed.Feed) error,
) error {
	pool, err := s.feedPool(ctx, database, "off")
	if err != nil {
		return err
	}
	defer pool.Close()
	f, err := feed.New(feed.Config{
		Pool: pool, Log: zerolog.New(os.Stderr).Level(zerolog.WarnLevel), Groups: []feed.Group{group},
	})
	if err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan error, 1)
	go func() {
		defer stop() // work ends with the feed
		done <- f.Run(running)
	}()
	err = work(running, pool, f)
	stop()
	return errors.Join(err, <-done)
}

// feedPool opens a pool with the settings that the server uses for its feed.
func (s *stage) feedPool(ctx context.Context, database, synchronous string) (*pgxpool.Pool, error) {
	return postgres.Open(ctx, s.cluster.URL(database, user), postgres.Options{
		SetServiceRole: true, MaxConns: 4,
		RuntimeParams: map[string]string{"synchronous_commit": synchronous, "jit": "off"},
	})
}

// drain measures how fast a new group handles the backlog. The group stores a row for each event.
func (s *stage) drain(ctx context.Context) (r figures.Result, err error) {
	name, all := "drain-"+uuid.NewString(), make(chan struct{})
	handle := func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
		positions := make([]int64, len(events))
		for n, e := range events {
			positions[n] = e.Position
		}
		if _, err := tx.Exec(ctx, insertEffects, name, positions); err != nil {
			return err
		}
		if r.Operations += len(events); r.Operations == s.backlog {
			close(all) // before the last batch commits; its time is measured all the same
		}
		return nil
	}
	var started time.Time
	group := feed.Group{Name: name, OnFailure: feed.Halt, Handle: handle}
	err = s.follow(ctx, feedDatabase, group, func(ctx context.Context, _ *pgxpool.Pool, _ *feed.Feed) error {
		started = time.Now()
		select {
		case <-all:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	r.Value = float64(r.Operations) / time.Since(started).Seconds()
	return r, err
}

// arrive measures how long after being recorded an event reaches its handler, at
// a hundred events a second.
func (s *stage) arrive(ctx context.Context) (r figures.Result, err error) {
	writes, err := s.feedPool(ctx, feedDatabase, "on")
	if err != nil {
		return r, err
	}
	defer writes.Close()
	const startAtEndSQL = `
INSERT INTO consumer_offsets (consumer_group, position, updated_at)
SELECT $1, max(position), clock_timestamp()
FROM events`
	name := "arrive-" + uuid.NewString()
	if _, err := writes.Exec(ctx, startAtEndSQL, name); err != nil {
		return r, fmt.Errorf("prepare feed: %w", err)
	}
	handle := func(_ context.Context, _ pgx.Tx, events []eventstore.Recorded) error {
		for _, e := range events {
			r.Latencies = append(r.Latencies, time.Since(e.RecordedAt))
		}
		return nil
	}
	group := feed.Group{Name: name, OnFailure: feed.Halt, Handle: handle}
	err = s.follow(ctx, feedDatabase, group, func(ctx context.Context, _ *pgxpool.Pool, f *feed.Feed) error {
		store := eventstore.New(writes, writes, eventstore.Options{OnCommit: f.Committed})
		event := eventstore.Event{Type: "intent.created", SchemaVersion: 1, Payload: []byte(payload)}
		_, err := load{
			clients: s.clients, length: s.time, rate: 100, even: true,
			do: func(ctx context.Context, _, _ int) error {
				events := []eventstore.Event{event}
				_, err := store.Append(ctx, eventstore.Append{Stream: uuid.New(), Events: events})
				return err
			},
		}.run(ctx)
		err = errors.Join(err, store.Close(ctx))
		<-time.After(time.Second) // for the last ones to arrive
		return err
	})
	slices.Sort(r.Latencies)
	r.Operations = len(r.Latencies)
	r.Value = float64(r.Operations) / s.time.Seconds()
	return r, err
}

// prepareTree hashes the log of the feed into the transparency tree, once: a verification
// checks the events against that tree.
func (s *stage) prepareTree(ctx context.Context) error {
	if err := s.prepareFeed(ctx); err != nil || s.treeReady {
		return err
	}
	fmt.Fprintf(os.Stderr, "hashing %d events\n", s.backlog)
	s.treeReady = true
	return s.hash(ctx, feedDatabase, s.backlog)
}

// hashLimit is enough for more than a hundred million events.
const hashLimit = 2 * time.Hour

// hash runs the transparency group on a database until it has hashed the given position.
func (s *stage) hash(ctx context.Context, database string, upTo int) error {
	work := func(ctx context.Context, pool *pgxpool.Pool, _ *feed.Feed) error {
		return until(ctx, hashLimit, isTrue(ctx, pool, `SELECT size >= $1 FROM transparency_tree`, upTo))
	}
	if err := s.follow(ctx, database, transparency.Group(), work); err != nil {
		return fmt.Errorf("hash the log: %w", err)
	}
	return nil
}
