package export_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/export"
	"daftar/internal/postgres/pgtest"
)

// another is a group that stands for all others than the export's.
func another() feed.Group {
	ignore := func(context.Context, pgx.Tx, []eventstore.Recorded) error { return nil }
	return feed.Group{Name: "another", OnFailure: feed.Halt, Handle: ignore}
}

// wantQuiet checks that nothing was blamed for an outage.
func (w *world) wantQuiet() {
	w.t.Helper()
	parked, err := feed.ListParked(w.t.Context(), w.pool)
	if err != nil {
		w.t.Fatal(err)
	}
	if l := w.lag(export.GroupName); l.Halted != "" || len(parked) > 0 {
		w.t.Errorf("the group halted (%q) or set events aside (%v)", l.Halted, parked)
	}
}

// NATS is not there when the server starts: appends and the other groups go on,
// the export's lag shows, and once NATS is there all events arrive.
func TestNATSIsNotThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.addMany(300)
	r := w.run(50, another())
	w.waitFor("another", 300)
	pgtest.WaitFor(t, "a batch that is given up", func() bool {
		return r.value(t, "failures_total", "connection") > 0
	})
	w.addMany(100)
	w.waitFor("another", 400)
	pgtest.WaitFor(t, "more of them", func() bool { return r.value(t, "failures_total", "connection") > 4 })
	if l := w.lag(export.GroupName); l.Position != 0 || l.Seconds <= 0 || l.Halted != "" {
		t.Errorf("the lag: %+v", l)
	}
	if r.value(t, "connected") != 0 {
		t.Error("it says that it is connected")
	}
	w.nats.Start()
	w.arrived()
	w.wantQuiet()
	if n := strings.Count(r.log.String(), "NATS is out of reach, trying again"); n != 1 {
		t.Errorf("the outage is logged %d times:\n%s", n, r.log.String())
	}
}

// nats-server is killed again and again while events are appended and published.
func TestNATSIsKilled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	w.run(20, another())
	for range 3 {
		at, added := w.lag(export.GroupName).Position, make(chan struct{})
		go func() {
			defer close(added)
			w.addMany(600)
		}()
		w.waitFor(export.GroupName, at+60) // in the middle of things
		w.nats.Kill()
		<-added
		w.addMany(20) // nobody who appends waits for NATS
		w.nats.Start()
	}
	w.waitFor("another", w.head())
	w.arrived()
	w.wantQuiet()
}

// Messages that are on their way when the server dies are not waited for: the batch
// is given up with the connection, long before its time is over.
func TestAcknowledgementsAreLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	w.add(5)
	x := w.exporter(func(c *export.Config) { c.BatchLimit = time.Hour }) // what it waits for does not come
	w.follow(x, 100)
	w.arrived()
	w.nats.Pause()
	w.addMany(50)
	pgtest.WaitFor(t, "a batch that waits for its acknowledgements", func() bool {
		var waiting int
		err := w.super.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
			AND state = 'idle in transaction' AND clock_timestamp() - state_change > interval '300 ms'`).Scan(&waiting)
		return err == nil && waiting > 0
	})
	w.nats.Kill()
	w.nats.Start()
	w.arrived()
	w.wantQuiet()
}

// What was published and not acknowledged comes again: JetStream recognises it by
// its identity within the stream's window, and afterwards it is looked at.
func TestBatchComesAgain(t *testing.T) {
	t.Parallel()
	for name, forget := range map[string]bool{"within the window": false, "after it": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.nats.Start()
			w.addMany(80)
			r := w.run(30)
			w.arrived()
			if forget {
				w.shrinkWindow()
			}
			r.stop()
			if _, err := w.super.Exec(t.Context(), `UPDATE consumer_offsets SET position = 25`); err != nil {
				t.Fatal(err)
			}
			w.addMany(20)
			again := w.run(30)
			w.arrived()
			w.wantQuiet()
			// What follows them in a batch may be in before it is looked at.
			if got := again.value(t, "duplicates_total"); got < 55 || (got > 55 && !forget) {
				t.Errorf("%v were there before, want 55", got)
			}
		})
	}
}

// shrinkWindow lets the stream forget the identities of its messages.
func (w *world) shrinkWindow() {
	w.t.Helper()
	js := w.js()
	s, err := js.Stream(w.t.Context(), streamName)
	if err != nil {
		w.t.Fatal(err)
	}
	c := s.CachedInfo().Config
	c.Duplicates = 100 * time.Millisecond
	if _, err := js.UpdateStream(w.t.Context(), c); err != nil {
		w.t.Fatal(err)
	}
	newest := s.CachedInfo().State.LastTime
	pgtest.WaitFor(w.t, "the window to pass", func() bool { return time.Since(newest) > 4*c.Duplicates })
	w.nats.Kill() // what it remembers it reads from the messages within the window
	w.nats.Start()
}

// Somebody else writes to the stream: the group halts before it mixes the two, the
// others go on, and when the stream is out of the way the export begins anew.
func TestStreamDiverged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	w.add(5)
	w.run(10, another())
	w.arrived()
	js := w.js()
	if _, err := js.Publish(t.Context(), subjects+".a.b.intent.created", []byte("forged")); err != nil {
		t.Fatal(err)
	}
	w.add(5)
	pgtest.WaitFor(t, "the group to halt", func() bool { return w.lag(export.GroupName).Halted != "" })
	if l := w.lag(export.GroupName); l.Position != 5 || !strings.Contains(l.Halted, "at sequence 6 it holds") {
		t.Errorf("it halted at %d: %s", l.Position, l.Halted)
	}
	w.waitFor("another", 10)
	if err := js.DeleteStream(t.Context(), streamName); err != nil {
		t.Fatal(err)
	}
	w.arrived()
	w.wantQuiet()
}

// The log was restored from a backup that is older than the stream: what was
// appended since stands at positions that the stream has other events at.
func TestStreamIsAheadOfARestoredLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	w.addMany(30)
	first := w.run(10)
	w.arrived()
	first.stop()
	other := newWorld(t) // the same ledger, as a backup from before has it
	other.nats = w.nats
	other.addMany(40)
	if _, err := other.super.Exec(t.Context(),
		`INSERT INTO consumer_offsets VALUES ('nats', 20, now())`); err != nil {
		t.Fatal(err)
	}
	other.run(100)
	pgtest.WaitFor(t, "the group to halt", func() bool { return other.lag(export.GroupName).Halted != "" })
	if l := other.lag(export.GroupName); l.Position != 20 ||
		!strings.Contains(l.Halted, export.ErrDiverged.Error()) {
		t.Errorf("it halted at %d: %s", l.Position, l.Halted)
	}
}

// An event that is larger than a message may be halts the group, with the reason.
func TestEventTooLarge(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	stream := w.add(2)
	_, err := w.store.Append(t.Context(),
		eventstore.Append{Stream: stream, Expected: 2, Events: []eventstore.Event{
			{Type: "large", SchemaVersion: 1, Payload: []byte(`"` + strings.Repeat("x", 1<<20) + `"`)},
		}})
	if err != nil {
		t.Fatal(err)
	}
	w.run(10)
	pgtest.WaitFor(t, "the group to halt", func() bool { return w.lag(export.GroupName).Halted != "" })
	if l := w.lag(export.GroupName); l.Position != 2 || !strings.Contains(l.Halted, nats.ErrMaxPayload.Error()) {
		t.Errorf("it halted at %d: %s", l.Position, l.Halted)
	}
	if got := len(w.follower(0)); got != 2 {
		t.Errorf("%d events came before it", got)
	}
}
