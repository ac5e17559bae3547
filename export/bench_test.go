package export_test

import (
	"testing"

	"daftar/export"
)

// BenchmarkExport is how fast a backlog comes to JetStream: reading, publishing,
// acknowledging and moving the offset.
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
		_ = w.js().DeleteStream(b.Context(), streamName) // there is none the first time
		b.StartTimer()
		r := w.follow(w.exporter(func(c *export.Config) { c.CreateAfter = 1 }), 0) // the deletion is over
		w.waitFor(export.GroupName, events)
		b.StopTimer()
		r.stop()
		b.StartTimer()
	}
	b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
