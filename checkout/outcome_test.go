package checkout_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"daftar/checkout"
	"daftar/domain"
	"daftar/payments/acquirer"
)

// The payer's return, a message and an inquiry can learn of the same payment at the same time: all
// have read the attempt as open. It is logged and counted by the one whose word the ledger took.
func TestAnAttemptIsSettledOnce(t *testing.T) {
	t.Parallel()
	for state, count := range map[acquirer.State]string{acquirer.StatePaid: "paid", acquirer.StateDeclined: "failed"} {
		t.Run(count, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i, id := w.pendingAtTheBank()
			registry := prometheus.NewRegistry()
			config := w.config(w.acquirer)
			config.Registerer = registry
			c := checkout.NewEngine(config)
			read := w.load(i.ID)
			w.settle(id, map[string]string{"paid": "paid", "failed": "declined"}[count])
			r := acquirer.Report{State: state, Money: i.Amount, Reference: string(id), ProviderReference: "SB-ONCE"}
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					if err := c.RecordReport(t.Context(), id, read, r); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if err := c.RecordReport(t.Context(), id, read, r); err != nil {
				t.Error(err)
			}
			w.until(i, map[string]string{"paid": "receipt", "failed": "pay"}[count])
			w.wantStage(id, "closed")
			said := 0
			for line := range strings.Lines(w.log.String()) {
				if strings.Contains(line, `"attempt settled"`) && strings.Contains(line, string(id)) {
					said++
				}
			}
			if said != 1 {
				t.Errorf("logged %d times:\n%s", said, w.log.String())
			}
			if got := w.load(i.ID).Attempts[0].State; (got == domain.AttemptStatePaid) != (count == "paid") {
				t.Errorf("the attempt is %s", got)
			}
			if n := total(t, registry, "daftar_method_attempts_total"); n > 1 { // the server that runs may have been first
				t.Errorf("counted %v times", n)
			}
		})
	}
}

// total is the sum of a counter's series.
func total(t *testing.T, registry *prometheus.Registry, name string) (sum float64) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			for _, m := range f.GetMetric() {
				sum += m.GetCounter().GetValue()
			}
		}
	}
	return sum
}
