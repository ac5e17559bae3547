package projections_test

import (
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"daftar/projections/rebuild"
)

// rebuilds are the values of a server's metrics, by name, read model and phase.
func rebuilds(t *testing.T, b *book) map[string]float64 {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(rebuild.Metrics{Pool: b.db.Pool(t)})
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			name := []string{strings.TrimPrefix(f.GetName(), "daftar_rebuild_")}
			for _, l := range m.GetLabel() {
				name = append(name, l.GetValue())
			}
			all[strings.Join(name, " ")] = m.GetGauge().GetValue()
		}
	}
	return all
}

// Every server reports a rebuild that runs anywhere: while it runs, while it waits for an operator,
// and no more when it is done.
func TestRebuildsInTheMetrics(t *testing.T) {
	t.Parallel()
	b := open(t, true)
	b.stored(t, 100)
	owner := b.db.OwnerPool(t)
	check := func(when string, got map[string]float64, want map[string]float64) {
		t.Helper()
		for name, value := range want {
			if have, there := got[name]; !there || have != value {
				t.Errorf("%s: %s is %v (%t), want %v", when, name, have, there, value)
			}
		}
	}
	total := value[float64](t, owner, `SELECT max(position)::float8 FROM events`)
	check("without a rebuild", rebuilds(t, b), map[string]float64{
		"running intents": 0, "phase copying intents": 0, "phase verifying intents": 0, "events_total intents": 0,
		"started_seconds intents": 0,
		"running turnover":        0, "running payments": 0,
	})
	looked := false
	report, err := model(t, "intents").Rebuild(t.Context(), owner,
		rebuild.Options{Progress: func(s rebuild.Step) {
			if s.Phase == rebuild.PhaseIndexing && !looked {
				looked = true
				check("in the middle", rebuilds(t, b), map[string]float64{
					"running intents": 1, "phase indexing intents": 1, "phase copying intents": 0,
					"events_total intents": total,
					"events_done intents":  total, "running turnover": 0, "phase indexing turnover": 0,
				})
			}
		}})
	if err != nil || report.OK || !looked {
		t.Fatalf("a rebuild of an empty table: %+v, %v; looked %t", report, err, looked)
	}
	got := rebuilds(t, b)
	check("while it waits", got, map[string]float64{"running intents": 0, "phase verifying intents": 1,
		"events_done intents": total})
	if got["started_seconds intents"] < 1.7e9 {
		t.Errorf("it started at %v", got["started_seconds intents"])
	}
	_, err = model(t, "intents").Rebuild(t.Context(), owner, rebuild.Options{AcceptDrift: true})
	if err != nil {
		t.Fatal(err)
	}
	check("when it is done", rebuilds(t, b),
		map[string]float64{"phase verifying intents": 0, "events_total intents": 0, "started_seconds intents": 0})
}
