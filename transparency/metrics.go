package transparency

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

type metrics struct {
	size, lag, age, forked prometheus.Gauge
	failures               *prometheus.CounterVec
}

func newMetrics(to prometheus.Registerer) metrics {
	register := promauto.With(to) // nil: registered nowhere
	gauge := func(name, help string) prometheus.Gauge {
		return register.NewGauge(prometheus.GaugeOpts{Name: "daftar_transparency_" + name, Help: help})
	}
	return metrics{
		size: gauge("size", "Events in the Merkle tree."),
		lag:  gauge("lag", "Events of the log that no checkpoint covers yet."),
		age: gauge("checkpoint_age_seconds",
			"Since the newest checkpoint was signed; 0 while it covers every event."),
		forked: gauge("forked", "1 while the log or its tree contradicts a checkpoint, or checkpoints are gone."),
		failures: register.NewCounterVec(prometheus.CounterOpts{
			Name: "daftar_transparency_publish_failures_total",
			Help: "Checkpoints that could not be published, by destination.",
		}, []string{"to"}),
	}
}

func (m metrics) show(size, head int64, last Checkpoint, now time.Time) {
	m.size.Set(float64(size))
	m.lag.Set(float64(max(head-last.Size, 0)))
	m.age.Set(0)
	if last.Size > 0 && head > last.Size {
		m.age.Set(max(now.Sub(last.SignedAt).Seconds(), 0))
	}
}
