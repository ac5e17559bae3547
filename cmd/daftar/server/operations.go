package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"daftar/cmd/daftar/config"
	"daftar/internal/ops"
	"daftar/internal/tracing"
	"daftar/migrations"
	"daftar/projections/rebuild"
)

// operations is the handler of the operators' address.
func (s *Server) operations() http.Handler {
	s.registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		counter("daftar_append_batches_total", "Batches committed to the ledger.", func() float64 {
			return float64(s.store.Stats().Batches)
		}),
		counter("daftar_append_events_total", "Events committed to the ledger.", func() float64 {
			return float64(s.store.Stats().Events)
		}),
		rebuild.Metrics{Pool: s.reads},
		ops.Pools{
			"append":   s.writes,
			"paying":   s.paying,
			"requests": s.reads,
			"work":     s.work,
			"feed":     s.following,
		},
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "daftar_build_info", Help: "1, with the version of the program.",
			ConstLabels: prometheus.Labels{"version": s.version},
		}, func() float64 { return 1 }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "daftar_append_waiting",
			Help: "Appends that wait for the committer.",
		}, func() float64 { return float64(s.store.Stats().Waiting) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "daftar_append_refused",
			Help: "1 while the database does not write events (disk full, read-only): " +
				"creates and payments fail, reads go on.",
		}, s.appendRefused),
	)
	draining := ops.Check{Name: "draining", Run: func(context.Context) error {
		if s.draining.Load() {
			return errors.New("the server is stopping")
		}
		return nil
	}}
	database := ops.Check{Name: "database", Run: func(ctx context.Context) error {
		// The schema of the next version is safe for servers that run already: they
		// stay ready until they are replaced.
		if err := migrations.Check(ctx, s.reads); err != nil && !errors.Is(err, migrations.ErrNewer) {
			return errors.New("the database is out of reach or its schema is out of date")
		}
		return nil
	}}
	writes := ops.Check{Name: "writes", Run: s.store.CheckWritable, Degrades: true}
	return ops.Handler(s.registry, draining, database, writes)
}

// writableLimit bounds the check whether the database takes writes.
const writableLimit = 2 * time.Second

func (s *Server) appendRefused() float64 {
	ctx, cancel := context.WithTimeout(context.Background(), writableLimit)
	defer cancel()
	if s.store.CheckWritable(ctx) != nil {
		return 1
	}
	return 0
}

// announceShutdown makes /readyz fail and still serves for drainDelay, so that a load balancer
// that polls it sends nothing more by the time the listeners are closed. A request that finds a
// closed listener fails, unless the load balancer knows that it can be sent again.
func (s *Server) announceShutdown(failures <-chan error) error {
	s.draining.Store(true)
	select {
	case <-time.After(s.drainDelay):
		return nil
	case err := <-failures:
		return err
	}
}

func counter(name, help string, value func() float64) prometheus.Collector {
	return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value)
}

// tracingLimit bounds the sending of the last spans.
const tracingLimit = time.Second

// startTracing records traces where the environment names a collector.
func (s *Server) startTracing(ctx context.Context, c config.Config) error {
	if !c.Tracing {
		return nil
	}
	end, err := tracing.Start(ctx, s.version, s.log)
	if err != nil {
		return config.Errorf("%w", err)
	}
	s.stopTracing = func() {
		limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), tracingLimit)
		defer cancel()
		if err := end(limit); err != nil {
			s.log.Warn().Err(err).Msg("the last traces were not sent")
		}
	}
	return nil
}
