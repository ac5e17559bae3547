package export

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// metrics are this server's; the group's lag and rollbacks are the feed's.
type metrics struct {
	connected, position             prometheus.Gauge
	published, duplicates, refilled prometheus.Counter
	failures                        *prometheus.CounterVec
}

// Why a batch was not published, in the metrics.
const (
	reasonConnection = "connection" // there is none, or it broke, or the answer did not come in time
	reasonStream     = "stream"     // it is missing, set up in another way, or refuses
	reasonDiverged   = "diverged"
)

// newMetrics registers the metrics; nil: nowhere.
func newMetrics(to prometheus.Registerer) metrics {
	register := promauto.With(to)
	options := func(name, help string) prometheus.Opts {
		return prometheus.Opts{Namespace: "daftar", Subsystem: "export", Name: name, Help: help}
	}
	gauge := func(name, help string) prometheus.Gauge {
		return register.NewGauge(prometheus.GaugeOpts(options(name, help)))
	}
	counter := func(name, help string) prometheus.Counter {
		return register.NewCounter(prometheus.CounterOpts(options(name, help)))
	}
	m := metrics{
		connected:  gauge("connected", "1 while this server is connected to NATS."),
		position:   gauge("position", "The last position that JetStream acknowledged to this server."),
		published:  counter("published_total", "Events that JetStream has acknowledged."),
		duplicates: counter("duplicates_total", "Of them, those that the stream had already."),
		refilled:   counter("refilled_total", "Of them, those that the stream had lost and was given again."),
		failures: register.NewCounterVec(prometheus.CounterOpts(
			options("failures_total", "Batches that were not published, to come again; by reason.")), []string{"reason"}),
	}
	for _, reason := range []string{reasonConnection, reasonStream, reasonDiverged} {
		m.failures.WithLabelValues(reason) // a rate needs its zero
	}
	return m
}
