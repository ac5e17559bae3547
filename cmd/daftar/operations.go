package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"daftar/internal/ops"
	"daftar/migrations"
)

// operations is the handler of the operators' address.
func (s *server) operations() http.Handler {
	s.registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		counter("daftar_append_batches_total", "Batches committed to the ledger.", func() float64 { return float64(s.store.Stats().Batches) }),
		counter("daftar_append_events_total", "Events committed to the ledger.", func() float64 { return float64(s.store.Stats().Events) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "daftar_append_waiting", Help: "Appends that wait for the committer."},
			func() float64 { return float64(s.store.Stats().Waiting) }),
	)
	return ops.Handler(s.registry, ops.Check{Name: "database", Run: func(ctx context.Context) error {
		if err := migrations.Check(ctx, s.reads); err != nil {
			return errors.New("the database is out of reach or its schema is out of date")
		}
		return nil
	}})
}

func counter(name, help string, value func() float64) prometheus.Collector {
	return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value)
}
