package export_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"daftar/export"
)

// Two ledgers publish to one NATS, each to a separate stream: docs/scaling.md. A follower of both
// gets every event of each ledger at its position, and the subject names the ledger.
func TestLedgersAreJoined(t *testing.T) {
	t.Parallel()
	west, east := newWorld(t), newWorld(t)
	west.nats.Start()
	east.nats = west.nats
	const events = 30
	ledgers := map[string]*world{"WEST": west, "EAST": east}
	for name, w := range ledgers {
		w.addMany(events)
		w.follow(w.exporter(func(c *export.Config) {
			c.Stream, c.Subjects = name, "daftar."+strings.ToLower(name)
		}), 10)
	}
	js := west.js()
	for name, w := range ledgers {
		w.waitFor(export.GroupName, events)
		consumer, err := js.OrderedConsumer(t.Context(), name, jetstream.OrderedConsumerConfig{})
		if err != nil {
			t.Fatal(err)
		}
		w.addMany(events)
		for position := 1; position <= 2*events; position++ {
			m, err := consumer.Next(jetstream.FetchMaxWait(time.Minute))
			if err != nil {
				t.Fatalf("%s: position %d: %v", name, position, err)
			}
			meta, err := m.Metadata()
			if err != nil {
				t.Fatal(err)
			}
			got := m.Headers().Get("Daftar-Position")
			subject := "daftar." + strings.ToLower(name) + "." + w.organization.String()
			if got != fmt.Sprint(position) || meta.Sequence.Stream != uint64(position) ||
				!strings.HasPrefix(m.Subject(), subject) {
				t.Fatalf("%s: %s, position %s at sequence %d, want %d", name, m.Subject(), got,
					meta.Sequence.Stream, position)
			}
		}
	}
}
