package eventstore

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

type metrics struct {
	events  prometheus.Histogram
	seconds prometheus.Histogram
	failed  *prometheus.CounterVec
}

// failures are the reasons by which failed appends are counted. A conflict is not a failure:
// it is how concurrent changes of one stream are resolved.
var failures = map[error]string{
	ErrOverloaded:     "overloaded",
	ErrInvalid:        "invalid",
	ErrUnavailable:    "unavailable",
	ErrOutcomeUnknown: "unknown",
}

func newMetrics(r prometheus.Registerer) *metrics {
	register := promauto.With(r) // nil: registered nowhere
	m := &metrics{
		events: register.NewHistogram(prometheus.HistogramOpts{
			Name: "daftar_append_batch_events", Help: "Events committed together.",
			Buckets: prometheus.ExponentialBuckets(1, 2, 10),
		}),
		seconds: register.NewHistogram(prometheus.HistogramOpts{
			Name: "daftar_append_commit_seconds", Help: "How long the database took for a batch, whatever came of it.",
			Buckets: []float64{.0005, .001, .002, .004, .008, .016, .032, .064, .125, .25, .5, 1, 5, 10},
		}),
		failed: register.NewCounterVec(prometheus.CounterOpts{
			Name: "daftar_append_failures_total",
			Help: "Appends that failed: overloaded, invalid, unavailable, or unknown (whether they were written).",
		}, []string{"reason"}),
	}
	for _, reason := range failures {
		m.failed.WithLabelValues(reason)
	}
	return m
}

func (m *metrics) wrote(events int64, began time.Time) {
	m.seconds.Observe(time.Since(began).Seconds())
	if events > 0 {
		m.events.Observe(float64(events))
	}
}

func (m *metrics) count(err error) {
	for known, reason := range failures {
		if errors.Is(err, known) {
			m.failed.WithLabelValues(reason).Inc()
			return
		}
	}
}
