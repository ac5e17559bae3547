package feed

import (
	routermetrics "github.com/ThreeDotsLabs/watermill/components/metrics"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// metrics are labelled with the group. The gauges come from the database, the
// counters are this server's.
type metrics struct {
	lagEvents, lagSeconds, parked, halted *prometheus.GaugeVec
	batches, events, remembered           *prometheus.CounterVec
	failures, rolledBack                  *prometheus.CounterVec
	router                                routermetrics.HandlerPrometheusMetricsMiddleware
}

func newMetrics(r prometheus.Registerer) *metrics {
	register := promauto.With(r) // nil: registered nowhere
	gauge := func(name, help string) *prometheus.GaugeVec {
		return register.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: "daftar", Subsystem: "feed", Name: name, Help: help,
		}, []string{"group"})
	}
	counter := func(name, help string) *prometheus.CounterVec {
		return register.NewCounterVec(prometheus.CounterOpts{
			Namespace: "daftar", Subsystem: "feed", Name: name, Help: help,
		}, []string{"group"})
	}
	m := &metrics{
		lagEvents:  gauge("lag_events", "Events that the group has not handled yet."),
		lagSeconds: gauge("lag_seconds", "Age of the oldest event that the group has not handled yet."),
		parked:     gauge("parked_events", "Events that the group has set aside."),
		halted:     gauge("halted", "1 while the group has stopped before an event that keeps failing."),
		batches:    counter("batches_total", "Batches that the group has handled."),
		events:     counter("events_total", "Events in them."),
		remembered: counter("remembered_events_total",
			"Events of them that were taken from memory and not read from the log."),
		failures:   counter("failures_total", "Calls of the group's handler that failed."),
		rolledBack: counter("rollbacks_total", "Batches that were rolled back as a whole, to come again."),
	}
	if r == nil {
		r = prometheus.NewRegistry()
	}
	// How long handlers take, by Watermill's own middleware.
	m.router = routermetrics.NewPrometheusMetricsBuilder(r, "daftar", "feed").NewRouterMiddleware()
	return m
}

// initialize makes the group's counters start at zero, so that their rates are right from the
// first event on.
func (m *metrics) initialize(group string) {
	for _, c := range []*prometheus.CounterVec{m.batches, m.events, m.remembered, m.failures, m.rolledBack} {
		c.WithLabelValues(group)
	}
}

func (m *metrics) show(lag Lag) {
	m.lagEvents.WithLabelValues(lag.Group).Set(float64(lag.Behind))
	m.lagSeconds.WithLabelValues(lag.Group).Set(lag.Seconds)
	m.parked.WithLabelValues(lag.Group).Set(float64(lag.Parked))
	halted := 0.0
	if lag.Halted != "" {
		halted = 1
	}
	m.halted.WithLabelValues(lag.Group).Set(halted)
}
