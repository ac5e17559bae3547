package checkout

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// countEvery is how often the attempts that are not settled are counted.
const countEvery = 15 * time.Second

type metrics struct {
	up       *prometheus.GaugeVec
	calls    *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	attempts *prometheus.GaugeVec
}

func newMetrics(to prometheus.Registerer) *metrics {
	with := promauto.With(to) // nil registers nothing
	return &metrics{
		up: with.NewGaugeVec(prometheus.GaugeOpts{
			Name: "daftar_acquirer_up",
			Help: "0 while this server leaves the acquirer alone because it does not work, or tries whether it works again.",
		}, []string{"acquirer"}),
		calls: with.NewCounterVec(prometheus.CounterOpts{
			Name: "daftar_acquirer_calls_total",
			Help: "Calls by how they went: answered, undecided, not_sent, fault, cut_short (the server stopped), refused (not made).",
		}, []string{"acquirer", "call", "outcome"}),
		seconds: with.NewHistogramVec(prometheus.HistogramOpts{
			Name: "daftar_acquirer_call_seconds", Help: "How long calls took, whatever their outcome.",
			Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 2, 3, 5, 7.5, 10},
		}, []string{"acquirer", "call"}),
		attempts: with.NewGaugeVec(prometheus.GaugeOpts{
			Name: "daftar_checkout_attempts",
			Help: "Attempts of all servers that are open (the payer's turn), unknown, or quarantined until an operator looks.",
		}, []string{"state"}),
	}
}

// watchAcquirer gives the acquirer's series their beginning: a rate needs its zero.
func (m *metrics) watchAcquirer(name string) {
	m.setUp(name, true)
	for _, call := range []string{"begin", "confirm", "resend", "cancel", "inquire", "refund"} {
		for _, o := range []outcome{outcomeAnswered, outcomeUndecided, outcomeNotSent, outcomeFault, outcomeCutShort, outcomeRefused} {
			m.calls.WithLabelValues(name, call, string(o))
		}
	}
}

func (m *metrics) setUp(name string, up bool) {
	value := 0.0
	if up {
		value = 1
	}
	m.up.WithLabelValues(name).Set(value)
}

// called counts a call that was made.
func (m *metrics) called(acquirer, call string, how outcome, took time.Duration) {
	m.calls.WithLabelValues(acquirer, call, string(how)).Inc()
	m.seconds.WithLabelValues(acquirer, call).Observe(took.Seconds())
}

const countAttemptsSQL = `
SELECT count(*) FILTER (WHERE stage IN ('code', 'bank')), count(*) FILTER (WHERE stage IN ('beginning', 'asking', 'ending')),
       count(*) FILTER (WHERE stage = 'quarantined')
FROM checkout_attempts WHERE stage <> 'closed'`

// countAttempts sets the gauge of attempts.
func (c *Checkout) countAttempts(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	var open, unknown, quarantined float64
	if err := c.attempts.pool.QueryRow(ctx, countAttemptsSQL).Scan(&open, &unknown, &quarantined); err != nil {
		return err
	}
	c.metrics.attempts.WithLabelValues(AttemptsOpen).Set(open)
	c.metrics.attempts.WithLabelValues(AttemptsUnknown).Set(unknown)
	c.metrics.attempts.WithLabelValues(AttemptsQuarantined).Set(quarantined)
	return nil
}
