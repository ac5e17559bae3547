//go:build long

package export_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"daftar/export"
	"daftar/internal/postgres/pgtest"
)

// A stream that was deleted, or lost its last messages, is filled from the log.
func TestLongStreamIsFilledAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	w.addMany(2300) // more than one fill batch
	r := w.run(1000)
	w.wantComplete()
	if err := w.js().DeleteStream(t.Context(), streamName); err != nil {
		t.Fatal(err)
	}
	w.add(5)
	w.wantComplete()
	w.wantQuiet()
	if got := r.metric(t, "refilled_total"); got != 2300 {
		t.Errorf("%v were filled in, want 2300", got)
	}
}

// The stream's limits delete old messages; the export continues.
func TestLongStreamWithLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	js := w.js()
	_, err := js.CreateStream(t.Context(), jetstream.StreamConfig{
		Name: streamName, Subjects: []string{subjects + ".>"}, MaxMsgs: 10,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.addMany(100)
	r := w.run(10)
	w.waitFor(export.GroupName, 100)
	w.shrinkWindow()
	r.stop()
	if _, err := w.super.Exec(t.Context(), `UPDATE consumer_offsets SET position = 0`); err != nil {
		t.Fatal(err)
	}
	w.run(10)
	w.waitFor(export.GroupName, 100)
	w.addMany(10)
	w.waitFor(export.GroupName, 110)
	got := w.follower(0)
	if len(got) != 10 {
		t.Fatalf("%d messages are there", len(got))
	}
	if m, err := got[0].Metadata(); err != nil || m.Sequence.Stream != 101 {
		t.Errorf("the stream begins at %+v (%v)", m, err)
	}
	w.wantQuiet()
}

// A stream with settings that the export cannot rely on is reported in the log and left alone;
// after it is corrected, it is used.
func TestLongStreamMisfit(t *testing.T) {
	t.Parallel()
	fit := jetstream.StreamConfig{Name: streamName, Subjects: []string{subjects + ".>"}}
	for name, c := range map[string]struct {
		change func(*jetstream.StreamConfig)
		says   string
	}{
		"retention": {func(c *jetstream.StreamConfig) { c.Retention = jetstream.WorkQueuePolicy },
			"retention must be limits"},
		"memory": {func(c *jetstream.StreamConfig) { c.Storage = jetstream.MemoryStorage },
			"storage must be file"},
		"subjects": {func(c *jetstream.StreamConfig) { c.Subjects = []string{"daftar.>"} }, "has the subjects"},
		"no ack":   {func(c *jetstream.StreamConfig) { c.NoAck = true }, "does not acknowledge"},
		"taken":    {func(c *jetstream.StreamConfig) { c.Name = "OTHER" }, "subjects overlap"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.nats.Start()
			js, made := w.js(), fit
			c.change(&made)
			if _, err := js.CreateStream(t.Context(), made); err != nil {
				t.Fatal(err)
			}
			w.add(3)
			r := w.run(10)
			pgtest.WaitFor(t, "the log to say "+c.says, func() bool {
				return strings.Contains(r.log.String(), c.says)
			})
			w.wantQuiet()
			deleted := time.Now()
			if err := js.DeleteStream(t.Context(), made.Name); err != nil {
				t.Fatal(err)
			}
			w.wantComplete()
			w.wantQuiet()
			stream, err := js.Stream(t.Context(), streamName)
			if err != nil {
				t.Fatal(err)
			}
			after := stream.CachedInfo().Created.Sub(deleted)
			if made.Name == streamName && after < export.CreateAfter {
				t.Errorf("it was made %v after the other one was to be deleted, while NATS may have been at it", after)
			}
		})
	}
}
