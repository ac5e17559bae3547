package export

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// metrics are those of this server; the feed has the group's lag and rollbacks.
type metrics struct {
	connected, position             prometheus.Gauge
	published, duplicates, refilled prometheus.Counter
	failures                        *prometheus.CounterVec
}

// newMetrics registers the metrics; nil: nowhere.
func newMetrics(to prometheus.Registerer) metrics {
	register := promauto.With(to)
	gauge := func(name, help string) prometheus.Gauge {
		return register.NewGauge(prometheus.GaugeOpts{Name: "daftar_export_" + name, Help: help})
	}
	counter := func(name, help string) prometheus.Counter {
		return register.NewCounter(prometheus.CounterOpts{Name: "daftar_export_" + name, Help: help})
	}
	m := metrics{
		connected:  gauge("connected", "1 while this server is connected to NATS."),
		position:   gauge("position", "The last position that JetStream acknowledged to this server."),
		published:  counter("published_total", "Events that JetStream has acknowledged."),
		duplicates: counter("duplicates_total", "Of them, those that the stream had already."),
		refilled:   counter("refilled_total", "Of them, those that the stream had lost and was given again."),
		failures: register.NewCounterVec(prometheus.CounterOpts{
			Name: "daftar_export_failures_total",
			Help: "Batches that were not published, to come again; by reason.",
		}, []string{"reason"}),
	}
	for _, r := range reasons {
		m.failures.WithLabelValues(r.reason) // a rate needs the zero
	}
	return m
}
