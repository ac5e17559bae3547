package rebuild

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

// collectLimit is how long a scrape waits for the database.
const collectLimit = 2 * time.Second

// gauge describes a metric, with the read model as its first label.
func gauge(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, append([]string{"projection"}, labels...), nil)
}

var (
	rebuildPhase = gauge("daftar_rebuild_phase",
		"1 for the phase that a rebuild of the read model is in; all 0: there is none that is not finished.",
		"phase")
	rebuildRunning = gauge("daftar_rebuild_running",
		"1 while a process is at work on a rebuild; 0 with a phase of 1: it was interrupted, or waits.")
	rebuildDone    = gauge("daftar_rebuild_events_done", "Events that the rebuild has replayed.")
	rebuildTotal   = gauge("daftar_rebuild_events_total", "Events that the rebuild began with.")
	rebuildStarted = gauge("daftar_rebuild_started_seconds",
		"When the rebuild began, in seconds since 1970; 0: there is none.")
)

// Metrics reads, at each scrape, the rebuilds that are not finished from the database,
// whichever machine they run on. If the database does not answer in time, they
// are left out. The caller closes the pool.
type Metrics struct{ Pool *pgxpool.Pool }

// Describe implements prometheus.Collector.
func (Metrics) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		rebuildPhase, rebuildRunning, rebuildDone, rebuildTotal, rebuildStarted,
	} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (r Metrics) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), collectLimit)
	defer cancel()
	all, err := ReadStatus(ctx, r.Pool)
	if err != nil {
		return // without the database the server is not ready, which other metrics show
	}
	for _, s := range all {
		show := func(d *prometheus.Desc, value float64, labels ...string) {
			to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value,
				append([]string{s.Name}, labels...)...)
		}
		run, running, started := Run{}, 0.0, 0.0
		if s.Run != nil {
			run, started = *s.Run, float64(s.Run.StartedAt.UnixMilli())/1000
			if run.State == RunRunning {
				running = 1
			}
		}
		for _, p := range []Phase{PhaseCopying, PhaseIndexing, PhaseCatchingUp, PhaseVerifying, PhaseSwapping} {
			in := 0.0
			if run.Phase == p {
				in = 1
			}
			show(rebuildPhase, in, string(p))
		}
		show(rebuildRunning, running)
		show(rebuildDone, float64(run.Events))
		show(rebuildTotal, float64(run.H0))
		show(rebuildStarted, started)
	}
}
