package export_test

import (
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"daftar/export"
)

// BenchmarkExport measures how fast a backlog gets to JetStream: reading, publishing, acknowledging
// and moving the offset.
func BenchmarkExport(b *testing.B) {
	w := newWorld(b)
	w.nats.Start()
	const events = 30_000
	for n := 0; n < events; n += 500 {
		w.add(500)
	}
	for b.Loop() {
		b.StopTimer()
		if _, err := w.super.Exec(b.Context(), `DELETE FROM consumer_offsets`); err != nil {
			b.Fatal(err)
		}
		_ = w.js().DeleteStream(b.Context(), streamName) // the first time there is none
		// The exporter would wait before it creates one.
		_, err := w.js().CreateStream(b.Context(),
			jetstream.StreamConfig{Name: streamName, Subjects: []string{subjects + ".>"}})
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		r := w.follow(w.exporter(), 0)
		w.waitFor(export.GroupName, events)
		b.StopTimer()
		r.stop()
		b.StartTimer()
	}
	b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
