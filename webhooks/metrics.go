package webhooks

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// countEvery is how often the deliveries that wait are counted.
const countEvery = 15 * time.Second

type metrics struct {
	tries   *prometheus.CounterVec
	latency prometheus.Histogram
	waiting *prometheus.GaugeVec
}

// outcomes names the states after a try for the metrics.
var outcomes = map[string]string{StateDelivered: "delivered", StatePending: "retried", StateFailed: "failed"}

func newMetrics(to prometheus.Registerer) *metrics {
	register := promauto.With(to) // nil: registered nowhere
	m := &metrics{
		tries: register.NewCounterVec(prometheus.CounterOpts{
			Name: "daftar_webhook_tries_total",
			Help: "Tries to deliver a webhook: delivered, retried (another try follows) or failed (it was the last).",
		}, []string{"outcome"}),
		latency: register.NewHistogram(prometheus.HistogramOpts{
			Name:    "daftar_webhook_first_try_seconds",
			Help:    "From the recording of an event to the first try to deliver it.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10, 60, 600},
		}),
		waiting: register.NewGaugeVec(prometheus.GaugeOpts{
			Name: "daftar_webhook_deliveries",
			Help: "Deliveries of all servers that are pending, or held until they are replayed.",
		}, []string{"state"}),
	}
	for _, outcome := range outcomes {
		m.tries.WithLabelValues(outcome) // a rate needs its zero
	}
	return m
}

func (m *metrics) count(o outcome) { m.tries.WithLabelValues(outcomes[o.state()]).Inc() }

const countSQL = `
SELECT (SELECT count(*) FROM webhook_deliveries WHERE state = 'pending'),
       (SELECT count(*) FROM webhook_deliveries WHERE state = 'held')`

// measure updates the gauges.
func (d *Dispatcher) measure(ctx context.Context) error {
	var pending, held float64
	err := d.pool.QueryRow(ctx, countSQL).Scan(&pending, &held)
	if err == nil {
		d.metrics.waiting.WithLabelValues(StatePending).Set(pending)
		d.metrics.waiting.WithLabelValues(StateHeld).Set(held)
	}
	return err
}
