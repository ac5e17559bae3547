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

// otherGroup is a group that represents all groups other than the export's.
func otherGroup() feed.Group {
	ignore := func(context.Context, pgx.Tx, []eventstore.Recorded) error { return nil }
	return feed.Group{Name: "another", OnFailure: feed.Halt, Handle: ignore}
}

// wantQuiet checks that no event was halted or parked because of an outage.
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

// NATS is down when the server starts: appends and the other groups continue, the export's lag is
// visible, and all events arrive once NATS is up.
func TestNATSIsNotThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.addMany(300)
	r := w.run(50, otherGroup())
	w.waitFor("another", 300)
	pgtest.WaitFor(t, "a batch that is given up", func() bool {
		return r.metric(t, "failures_total", "connection") > 0
	})
	w.addMany(100)
	w.waitFor("another", 400)
	pgtest.WaitFor(t, "more of them", func() bool { return r.metric(t, "failures_total", "connection") > 4 })
	if l := w.lag(export.GroupName); l.Position != 0 || l.Seconds <= 0 || l.Halted != "" {
		t.Errorf("the lag: %+v", l)
	}
	if r.metric(t, "connected") != 0 {
		t.Error("it says that it is connected")
	}
	w.nats.Start()
	w.wantComplete()
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
	w.run(20, otherGroup())
	for range 3 {
		at, added := w.lag(export.GroupName).Position, make(chan struct{})
		go func() {
			defer close(added)
			w.addMany(600)
		}()
		w.waitFor(export.GroupName, at+60) // in the middle of the backlog
		w.nats.Kill()
		<-added
		w.addMany(20) // appends do not wait for NATS
		w.nats.Start()
	}
	w.waitFor("another", w.head())
	w.wantComplete()
	w.wantQuiet()
}

// Pending messages are not waited for when the server dies: the batch fails together with the
// connection, long before its deadline.
func TestAcknowledgementsAreLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	w.add(5)
	x := w.exporter(func(c *export.Config) { c.BatchLimit = time.Hour }) // the acknowledgement does not come
	w.follow(x, 100)
	w.wantComplete()
	w.nats.Pause()
	w.addMany(50)
	pgtest.WaitFor(t, "a batch that waits for its acknowledgements", func() bool {
		var waiting int
		err := w.super.QueryRow(t.Context(), `
			SELECT count(*)
			FROM pg_stat_activity
			WHERE datname = current_database()
			AND state = 'idle in transaction'
			AND clock_timestamp() - state_change > interval '300 ms'`).Scan(&waiting)
		return err == nil && waiting > 0
	})
	w.nats.Kill()
	w.nats.Start()
	w.wantComplete()
	w.wantQuiet()
}

// Messages that were published and not acknowledged are published again: within the stream's window
// JetStream recognises them by their identity, and after it the export compares them.
func TestBatchComesAgain(t *testing.T) {
	t.Parallel()
	for name, forget := range map[string]bool{"within the window": false, "after it": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.nats.Start()
			w.addMany(80)
			r := w.run(30)
			w.wantComplete()
			if forget {
				w.shrinkWindow()
			}
			r.stop()
			if _, err := w.super.Exec(t.Context(), `UPDATE consumer_offsets SET position = 25`); err != nil {
				t.Fatal(err)
			}
			w.addMany(20)
			again := w.run(30)
			w.wantComplete()
			w.wantQuiet()
			// Later messages of the batch may be stored before it is compared.
			if got := again.metric(t, "duplicates_total"); got < 55 || (got > 55 && !forget) {
				t.Errorf("%v were there before, want 55", got)
			}
		})
	}
}

// shrinkWindow makes the stream forget the identities of its messages.
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
	w.nats.Kill() // at its start it reads the identities within the window
	w.nats.Start()
}

// Another program writes to the stream: the group halts before it mixes both, the other groups
// continue, and after the stream is removed the export starts again.
func TestStreamDiverged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	w.add(5)
	w.run(10, otherGroup())
	w.wantComplete()
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
	w.wantComplete()
	w.wantQuiet()
}

// The log was restored from a backup that is older than the stream: events that were appended since
// have positions at which the stream has other events.
func TestStreamIsAheadOfARestoredLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	w.addMany(30)
	first := w.run(10)
	w.wantComplete()
	first.stop()
	other := newWorld(t) // the same ledger, from an earlier backup
	other.nats = w.nats
	other.addMany(40)
	_, err := other.super.Exec(t.Context(), `INSERT INTO consumer_offsets VALUES ('nats', 20, now())`)
	if err != nil {
		t.Fatal(err)
	}
	other.run(100)
	pgtest.WaitFor(t, "the group to halt", func() bool { return other.lag(export.GroupName).Halted != "" })
	l := other.lag(export.GroupName)
	if l.Position != 20 || !strings.Contains(l.Halted, export.ErrDiverged.Error()) {
		t.Errorf("it halted at %d: %s", l.Position, l.Halted)
	}
}

// An event that exceeds the maximum message size halts the group, with the reason.
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
