package feed_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres/pgtest"
)

var errTest = errors.New("test failure")

// A handler that fails after it has written changes nothing, however it fails, and the batch is
// retried at once, without waiting for a poll.
func TestFailedHandlerLeavesNothing(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(ctx context.Context, tx pgx.Tx) error{
		"error": func(context.Context, pgx.Tx) error { return errTest },
		"panic": func(context.Context, pgx.Tx) error { panic("test panic") },
		"SQL error": func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `SELECT 1/0`)
			return err
		},
		"SQL error kept quiet": func(ctx context.Context, tx pgx.Tx) error {
			_, _ = tx.Exec(ctx, `SELECT 1/0`)
			return nil
		},
		"transaction begun": func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Begin(ctx)
			return err
		},
		"transaction committed":   func(ctx context.Context, tx pgx.Tx) error { return tx.Commit(ctx) },
		"transaction rolled back": func(ctx context.Context, tx pgx.Tx) error { return tx.Rollback(ctx) },
		"transaction ended by a statement": func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `ROLLBACK`)
			return errors.Join(err, errTest)
		},
		"connection ended": func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `SELECT pg_terminate_backend(pg_backend_pid())`)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			w.add(t, 50)
			var calls atomic.Int64
			w.run(t, feed.Config{Poll: never}, feed.Group{Name: "g",
				Handle: func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
					if err := record(ctx, tx, "g", events); err != nil {
						return err
					}
					switch calls.Add(1) {
					case 1, 2:
						return fail(ctx, tx)
					}
					return nil
				}})
			w.wantEffects(t, "g", 50)
			if n := calls.Load(); n != 3 {
				t.Errorf("%d calls, want 3: twice failed, then done", n)
			}
			if parked, err := feed.ListParked(t.Context(), w.pool); err != nil || len(parked) != 0 {
				t.Errorf("parked %v, %v", parked, err)
			}
		})
	}
}

// poison records events and fails on those of type test.poison while bad.
func poison(group string, bad *atomic.Bool) feed.Handler {
	return func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
		if err := record(ctx, tx, group, events); err != nil {
			return err
		}
		if bad.Load() && slices.ContainsFunc(events, func(e eventstore.Recorded) bool {
			return e.Type == "test.poison"
		}) {
			return errTest
		}
		return nil
	}
}

// poisonAt are types of events, with poison at the given places, from 1.
func poisonAt(n int, at ...int) []string {
	types := make([]string, n)
	for i := range types {
		types[i] = "test.happened"
		if slices.Contains(at, i+1) {
			types[i] = "test.poison"
		}
	}
	return types
}

func TestPoisonIsParkedAndReleased(t *testing.T) {
	t.Parallel()
	began := time.Now().Add(-time.Minute)
	w := newWorld(t, nil)
	w.add(t, 100, poisonAt(100, 1, 37, 100)...)
	var bad atomic.Bool
	bad.Store(true)
	registry := prometheus.NewRegistry()
	c := feed.Config{Poll: 50 * time.Millisecond, Registerer: registry}
	w.run(t, c, feed.Group{Name: "g", Handle: poison("g", &bad), OnFailure: feed.Park})
	w.wantEffects(t, "g", 100, 1, 37, 100)

	list := func() []feed.Parked {
		t.Helper()
		parked, err := feed.ListParked(t.Context(), w.pool)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parked {
			if p.At.Before(began) || p.At.After(time.Now().Add(time.Minute)) || p.At.Location() != time.UTC {
				t.Errorf("parked at %v", p.At)
			}
		}
		return parked
	}
	parked := func(position int64, attempts int) feed.Parked {
		return feed.Parked{Group: "g", Position: position, Reason: "test failure", Attempts: attempts}
	}
	want := []feed.Parked{parked(1, 3), parked(37, 3), parked(100, 3)}
	ignored := cmpopts.IgnoreFields(feed.Parked{}, "At")
	if diff := cmp.Diff(want, list(), ignored); diff != "" {
		t.Fatalf("parked (-want +got):\n%s", diff)
	}
	wantMetric(t, registry, "daftar_feed_parked_events", 3)

	// If it is released while it still fails, it is parked again.
	release := func(position int64) {
		t.Helper()
		if err := feed.Release(t.Context(), w.pool, "g", position); err != nil {
			t.Fatal(err)
		}
	}
	release(37)
	want[1].Attempts = 6
	pgtest.WaitFor(t, "the event to be parked again", func() bool { return cmp.Equal(want, list(), ignored) })
	checkEffects(t, w.pool, "g", 100, 1, 37, 100)

	bad.Store(false)
	release(100)
	release(37)
	pgtest.WaitFor(t, "the events to be handled", func() bool { return len(list()) == 1 })
	checkEffects(t, w.pool, "g", 100, 1)
	w.add(t, 1)
	w.wantEffects(t, "g", 101, 1)
	wantMetric(t, registry, "daftar_feed_parked_events", 1)

	for _, unknown := range []int64{37, 2} {
		if err := feed.Release(t.Context(), w.pool, "g", unknown); !errors.Is(err, feed.ErrNotParked) {
			t.Errorf("release %d: %v, want %v", unknown, err, feed.ErrNotParked)
		}
	}
}

// The text of a panic may not be storable.
func TestReasonIsStorable(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.add(t, 1)
	w.run(t, feed.Config{}, feed.Group{Name: "g",
		Handle: func(context.Context, pgx.Tx, []eventstore.Recorded) error {
			panic("zero \x00, half \xd8, " + strings.Repeat("دفتر", 1000))
		}})
	w.wantEffects(t, "g", 1, 1)
	parked, err := feed.ListParked(t.Context(), w.pool)
	if err != nil || len(parked) != 1 {
		t.Fatalf("parked %v, %v", parked, err)
	}
	r := parked[0].Reason
	if !strings.HasPrefix(r, "panic: zero , half \uFFFD, دفتر") || len(r) > 1000 ||
		strings.Contains(r, "goroutine") {
		t.Errorf("reason %q", r)
	}
}

func TestGroupHaltsBeforePoison(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.add(t, 100, poisonAt(100, 61)...)
	var bad atomic.Bool
	bad.Store(true)
	registry := prometheus.NewRegistry()
	c := feed.Config{Poll: 20 * time.Millisecond, HaltRetry: 100 * time.Millisecond, Registerer: registry}
	w.run(t, c, feed.Group{Name: "g", Handle: poison("g", &bad), OnFailure: feed.Halt})
	pgtest.WaitFor(t, "the group to halt", func() bool { return w.lag(t, "g").Halted != "" })
	for range 2 { // also after it has tried again
		got := w.lag(t, "g")
		if got.Seconds <= 0 {
			t.Errorf("lag of %v s", got.Seconds)
		}
		want := feed.Lag{Group: "g", Position: 60, Head: 100, Behind: 40, Halted: "test failure"}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(feed.Lag{}, "Seconds")); diff != "" {
			t.Errorf("lag (-want +got):\n%s", diff)
		}
		checkEffects(t, w.pool, "g", 60)
		wantMetric(t, registry, "daftar_feed_halted", 1)
		wantMetric(t, registry, "daftar_feed_lag_events", 40)
		failures := failuresOf(t, registry)
		pgtest.WaitFor(t, "the group to try again", func() bool { return failuresOf(t, registry) > failures+3 })
	}
	bad.Store(false)
	w.wantEffects(t, "g", 100)
	if lag := w.lag(t, "g"); lag.Halted != "" || lag.Seconds != 0 {
		t.Errorf("lag after recovery: %+v", lag)
	}
	wantMetric(t, registry, "daftar_feed_halted", 0)
}

// A halted group waits for HaltRetry on every server, but a server that starts retries at once: its
// version may have the fix.
func TestRestartRetriesHaltedGroup(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.add(t, 3, poisonAt(3, 2)...)
	var bad atomic.Bool
	bad.Store(true)
	g := feed.Group{Name: "g", Handle: poison("g", &bad), OnFailure: feed.Halt}
	f := w.run(t, feed.Config{HaltRetry: never}, g)
	pgtest.WaitFor(t, "the group to halt", func() bool { return w.lag(t, "g").Halted != "" })
	if err := f.stop(); err != nil {
		t.Fatal(err)
	}
	bad.Store(false)
	w.run(t, feed.Config{HaltRetry: never}, g)
	w.wantEffects(t, "g", 3)
}

// An error that says nothing about the event does not park it and does not halt the group.
func TestTroubleOfTheMomentCondemnsNoEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.add(t, 10)
	var calls atomic.Int64
	w.run(t, feed.Config{}, feed.Group{Name: "g",
		Handle: func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
			if calls.Add(1) <= 8 {
				_, err := tx.Exec(ctx, `DO $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = 'disk_full'; END $$`)
				return err
			}
			return record(ctx, tx, "g", events)
		}})
	w.wantEffects(t, "g", 10)
	if n := calls.Load(); n != 9 {
		t.Errorf("%d calls, want 9", n)
	}
}

func wantMetric(t *testing.T, registry *prometheus.Registry, name string, want float64) {
	t.Helper()
	pgtest.WaitFor(t, name, func() bool { return metric(t, registry, name) == want })
}

func failuresOf(t *testing.T, registry *prometheus.Registry) float64 {
	t.Helper()
	return metric(t, registry, "daftar_feed_failures_total")
}

func metric(t *testing.T, registry *prometheus.Registry, name string) float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		m := family.GetMetric()[0]
		return m.GetGauge().GetValue() + m.GetCounter().GetValue()
	}
	return -1
}

// Servers that compete for released events deliver each event once.
func TestReleasedEventsAreHandledOnce(t *testing.T) {
	t.Parallel()
	releasedAreHandledOnce(t, 10)
}

func releasedAreHandledOnce(t *testing.T, poisoned int) {
	t.Helper()
	w := newWorld(t, nil)
	types := poisonAt(poisoned)
	for i := range types {
		types[i] = "test.poison"
	}
	w.add(t, poisoned, types...)
	var bad atomic.Bool
	bad.Store(true)
	g := feed.Group{Name: "g", Handle: poison("g", &bad)}
	for range 3 {
		w.run(t, feed.Config{Poll: time.Millisecond, Gap: time.Nanosecond}, g)
	}
	pgtest.WaitFor(t, "all to be parked", func() bool { return w.lag(t, "g").Parked == int64(poisoned) })
	bad.Store(false)
	for position := range int64(poisoned) {
		if err := feed.Release(t.Context(), w.pool, "g", position+1); err != nil {
			t.Fatal(err)
		}
	}
	pgtest.WaitFor(t, "all to be handled", func() bool { return w.lag(t, "g").Parked == 0 })
	checkEffects(t, w.pool, "g", int64(poisoned))
}
