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

// Servers start and stop while events are appended; the active one hands over at any moment.
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
		pgtest.WaitFor(t, "the export to continue", func() bool {
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
	w.wantComplete()
	w.wantQuiet()
}

// A server that still considers itself active, although another has taken over, does no harm: both
// publish the same events at the same time.
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
		pgtest.WaitFor(t, "a connection", func() bool { return x.metric(t, "connected") == 1 })
		both.Go(func() {
			for n := 0; n < len(events); {
				tx, err := w.pool.Begin(t.Context())
				if err != nil {
					t.Errorf("begin: %v", err)
					return
				}
				// The server that was too late at one position tries again, as the feed would.
				if x.Group().Handle(t.Context(), tx, events[n:n+50]) == nil {
					n += 50
				}
				_ = tx.Rollback(context.Background())
			}
		})
	}
	both.Wait()
	_, err = w.super.Exec(t.Context(), `INSERT INTO consumer_offsets VALUES ('nats', 600, now())`)
	if err != nil {
		t.Fatal(err)
	}
	w.wantComplete()
}
