package ops

import (
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

var (
	poolConnections = prometheus.NewDesc("daftar_pool_connections",
		"Connections to the database: acquired, idle, or max (the most there may be).",
		[]string{"pool", "state"}, nil)
	poolWaits = prometheus.NewDesc("daftar_pool_waits_total",
		"Times that somebody had to wait for a connection.", []string{"pool"}, nil)
	poolWaitSeconds = prometheus.NewDesc("daftar_pool_wait_seconds_total",
		"How long they waited in all.", []string{"pool"}, nil)
)

// Pools has metrics of pools of connections, by name. The caller owns the pools.
type Pools map[string]*pgxpool.Pool

// Describe implements prometheus.Collector.
func (p Pools) Describe(to chan<- *prometheus.Desc) {
	to <- poolConnections
	to <- poolWaits
	to <- poolWaitSeconds
}

// Collect implements prometheus.Collector.
func (p Pools) Collect(to chan<- prometheus.Metric) {
	for name, pool := range p {
		s := pool.Stat()
		for state, n := range map[string]int32{
			"acquired": s.AcquiredConns(), "idle": s.IdleConns(), "max": s.MaxConns(),
		} {
			to <- prometheus.MustNewConstMetric(poolConnections, prometheus.GaugeValue, float64(n), name, state)
		}
		waits, seconds := float64(s.EmptyAcquireCount()), s.EmptyAcquireWaitTime().Seconds()
		to <- prometheus.MustNewConstMetric(poolWaits, prometheus.CounterValue, waits, name)
		to <- prometheus.MustNewConstMetric(poolWaitSeconds, prometheus.CounterValue, seconds, name)
	}
}
