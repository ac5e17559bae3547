package transparency

import (
	"errors"
	"slices"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

type recordingGauge struct {
	prometheus.Gauge

	values []float64
}

func (r *recordingGauge) Set(v float64) { r.values = append(r.values, v) }

// Once the log is forked, the gauge is never set to 0, not even for a moment.
func TestGaugeOfAForkedLogIsSetOnce(t *testing.T) {
	t.Parallel()
	shown := &recordingGauge{}
	n := &Notary{metrics: metrics{forked: shown}}
	n.showForked(nil)
	n.showForked(n.stop(ErrForked))
	n.showForked(errors.New("the database is out of reach"))
	n.showForked(nil)
	if want := []float64{0, 1, 1, 1, 1}; !slices.Equal(shown.values, want) {
		t.Errorf("the gauge was set to %v, want %v", shown.values, want)
	}
}
