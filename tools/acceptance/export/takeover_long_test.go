//go:build long

package export_test

import (
	"context"
	"sync"
	"testing"

	"daftar/eventstore"
	"daftar/export"
	"daftar/internal/postgres/pgtest"
)

// Servers come and go while events are appended; the one that is active hands over
// in the middle of everything.
func TestLongServersTakeOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 150 {
			w.add(10)
		}
	}()
	one, other := w.run(15), w.run(15)
	for n := range 6 {
		at := w.lag(export.GroupName).Position
		pgtest.WaitFor(t, "the export to go on", func() bool {
			return w.lag(export.GroupName).Position > at || at == 1500
		})
		if n%2 == 0 {
			one.stop()
			one = w.run(15)
		} else {
			other.stop()
			other = w.run(15)
		}
	}
	<-done
	w.arrived()
	w.wantQuiet()
}

// A server that still believes itself active, although another has taken over,
// changes nothing: both publish the same events at the same time.
func TestLongTwoBelieveThemselvesActive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	w.addMany(600)
	events, err := eventstore.NewReader(w.pool).ReadRange(t.Context(), 0, 600, 600)
	if err != nil {
		t.Fatal(err)
	}
	var both sync.WaitGroup
	for range 2 {
		x := w.exporter()
		pgtest.WaitFor(t, "a connection", func() bool { return x.value(t, "connected") == 1 })
		both.Go(func() {
			for n := 0; n < len(events); {
				tx, err := w.pool.Begin(t.Context())
				if err != nil {
					t.Errorf("begin: %v", err)
					return
				}
				// One that was too late at one place tries again, as the feed would.
				if x.Group().Handle(t.Context(), tx, events[n:n+50]) == nil {
					n += 50
				}
				_ = tx.Rollback(context.Background())
			}
		})
	}
	both.Wait()
	if _, err := w.super.Exec(t.Context(),
		`INSERT INTO consumer_offsets VALUES ('nats', 600, now())`); err != nil {
		t.Fatal(err)
	}
	w.arrived()
}
