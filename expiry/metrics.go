package expiry

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

type metrics struct {
	due   prometheus.Gauge
	lag   prometheus.Histogram
	looks *prometheus.CounterVec
}

func newMetrics(to prometheus.Registerer) metrics {
	register := promauto.With(to) // nil: registered nowhere
	m := metrics{
		due: register.NewGauge(prometheus.GaugeOpts{
			Name: "daftar_expiry_due", Help: "Timers that were due when this server last looked.",
		}),
		lag: register.NewHistogram(prometheus.HistogramOpts{
			Name: "daftar_expiry_lag_seconds", Help: "From expires_at until the intent was canceled.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2, 5, 10, 30, 60, 300, 3600},
		}),
		looks: register.NewCounterVec(prometheus.CounterOpts{
			Name: "daftar_expiry_timers_total",
			Help: "Due timers by what became of them; expired is how many intents this server canceled.",
		}, []string{"outcome"}),
	}
	outcomes := []outcome{
		outcomeExpired, outcomeClosed, outcomeOpen, outcomeEarly, outcomeFailed, outcomeReleased,
	}
	for _, o := range outcomes { // a rate needs the zero
		m.looks.WithLabelValues(string(o))
	}
	return m
}
