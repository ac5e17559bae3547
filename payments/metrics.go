package payments

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"daftar/payments/acquirer"
	"daftar/payments/attempt"
)

// countEvery is how often the attempts that are not settled are counted.
const countEvery = 15 * time.Second

type metrics struct {
	up       *prometheus.GaugeVec
	calls    *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	attempts *prometheus.GaugeVec
	settled  *prometheus.CounterVec
	paying   *prometheus.HistogramVec
	last     *prometheus.GaugeVec
	open     *prometheus.GaugeVec
	opened   map[[3]string]bool // the series of open
}

func newMetrics(to prometheus.Registerer) *metrics {
	with := promauto.With(to) // nil registers nothing
	return &metrics{
		up: with.NewGaugeVec(prometheus.GaugeOpts{
			Name: "daftar_acquirer_up",
			Help: "0 while this server leaves the acquirer alone because it does not work, " +
				"or tries whether it works again.",
		}, []string{"acquirer"}),
		calls: with.NewCounterVec(prometheus.CounterOpts{
			Name: "daftar_acquirer_calls_total",
			Help: "Calls by how they went: answered, undecided, not_sent, fault, cut_short (the server stopped), " +
				"refused (not made).",
		}, []string{"acquirer", "call", "outcome"}),
		seconds: with.NewHistogramVec(prometheus.HistogramOpts{
			Name: "daftar_acquirer_call_seconds", Help: "How long calls took, whatever their outcome.",
			Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 2, 3, 5, 7.5, 10},
		}, []string{"acquirer", "call"}),
		attempts: with.NewGaugeVec(prometheus.GaugeOpts{
			Name: "daftar_checkout_attempts",
			Help: "Attempts of all servers that are open (the payer's turn), unknown, " +
				"or quarantined until an operator looks.",
		}, []string{"state"}),
		settled: with.NewCounterVec(prometheus.CounterOpts{
			Name: "daftar_method_attempts_total",
			Help: "Attempts that this server has settled by the acquirer's word, by how: paid or failed.",
		}, []string{"acquirer", "method", "outcome"}),
		paying: with.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "daftar_method_pay_seconds",
			Help:    "How long attempts took from their beginning until the money was taken.",
			Buckets: []float64{1, 2, 5, 10, 20, 30, 60, 120, 300, 900, 3600, 86400},
		}, []string{"acquirer", "method"}),
		last: with.NewGaugeVec(prometheus.GaugeOpts{
			Name: "daftar_method_last_answer_timestamp_seconds",
			Help: "When the acquirer last said to this server what became of an attempt; " +
				"at first when the server began.",
		}, []string{"acquirer", "method"}),
		open: with.NewGaugeVec(prometheus.GaugeOpts{
			Name: "daftar_method_attempts", Help: "daftar_checkout_attempts by method.",
		}, []string{"acquirer", "method", "state"}),
		opened: make(map[[3]string]bool),
	}
}

// countSettled counts an attempt whose outcome the acquirer has reported.
func (m *metrics) countSettled(a attempt.Attempt, paid bool, now time.Time) {
	outcome := "failed"
	if paid {
		outcome = "paid"
		m.paying.WithLabelValues(a.Acquirer, string(a.Method)).Observe(now.Sub(a.CreatedAt).Seconds())
	}
	m.settled.WithLabelValues(a.Acquirer, string(a.Method), outcome).Inc()
	m.last.WithLabelValues(a.Acquirer, string(a.Method)).Set(float64(now.Unix()))
}

// watchAcquirer starts the acquirer's series at zero, which a rate needs.
func (m *metrics) watchAcquirer(name string) {
	m.setUp(name, true)
	for _, call := range []string{"begin", "confirm", "resend", "cancel", "inquire", "refund"} {
		for _, o := range []outcome{
			outcomeAnswered, outcomeUndecided, outcomeNotSent, outcomeFault, outcomeInterrupted, outcomeRefused,
		} {
			m.calls.WithLabelValues(name, call, string(o))
		}
	}
}

// watchMethods does the same for the methods of an acquirer.
func (m *metrics) watchMethods(name string, methods []acquirer.Capability) {
	for _, can := range methods {
		method := string(can.Method)
		m.settled.WithLabelValues(name, method, "paid")
		m.settled.WithLabelValues(name, method, "failed")
		m.paying.WithLabelValues(name, method)
		m.last.WithLabelValues(name, method).SetToCurrentTime()
		for _, state := range []string{AttemptsOpen, AttemptsUnknown, AttemptsQuarantined} {
			m.opened[[3]string{name, method, state}] = true
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
func (m *metrics) called(name, call string, how outcome, took time.Duration) {
	m.calls.WithLabelValues(name, call, string(how)).Inc()
	m.seconds.WithLabelValues(name, call).Observe(took.Seconds())
}

// Most attempts are closed. A partial index finds those of the other stages.
const countAttemptsSQL = `
SELECT a.acquirer, a.method, s.state, count(*)
FROM ` + statesOfStages + `
CROSS JOIN LATERAL (
    SELECT acquirer, method
    FROM checkout_attempts
    WHERE stage = s.stage
      AND stage <> 'closed'
    OFFSET 0
) a
GROUP BY 1, 2, 3`

// countAttempts sets the gauges of attempts that are not closed.
func (e *Engine) countAttempts(ctx context.Context) error {
	rows, err := e.attempts.pool.Query(ctx, countAttemptsSQL)
	if err != nil {
		return err
	}
	counts := make(map[[3]string]float64)
	sums := map[string]float64{AttemptsOpen: 0, AttemptsUnknown: 0, AttemptsQuarantined: 0}
	var key [3]string
	var n float64
	_, err = pgx.ForEachRow(rows, []any{&key[0], &key[1], &key[2], &n}, func() error {
		counts[key], e.metrics.opened[key] = n, true
		sums[key[2]] += n
		return nil
	})
	if err != nil {
		return err
	}
	for key := range e.metrics.opened { // a method without any has a zero
		e.metrics.open.WithLabelValues(key[0], key[1], key[2]).Set(counts[key])
	}
	for state, n := range sums {
		e.metrics.attempts.WithLabelValues(state).Set(n)
	}
	return nil
}
