//go:build long

package checkout_test

import (
	"context"
	"sync"
	"testing"
	"time"
)

// inquiryTakes is the duration of an inquiry at a real acquirer.
const inquiryTakes = 300 * time.Millisecond

// During 5,000 messages about payments of one organization, a payment of another is settled within
// a second.
func TestLongMeasuredSettlingNextToAFlood(t *testing.T) {
	w := newWorld(t)
	n := w.addNeighbour(5_000)
	w.beforeAnswers(n, func(ctx context.Context) {
		select {
		case <-time.After(inquiryTakes):
		case <-ctx.Done():
		}
	})
	var flood sync.WaitGroup
	flood.Go(func() { w.floodWith(n) })
	defer flood.Wait()
	var worst time.Duration
	for range 5 {
		i := w.create()
		waiting, attempt := w.atBank(i), w.lastAttempt(i.ID)
		began := time.Now()
		w.press(waiting, "pay")
		w.wantStage(attempt, "closed")
		worst = max(worst, time.Since(began))
	}
	t.Logf("settled after %v at most", worst)
	if worst > time.Second {
		t.Errorf("settled after %v, want a second", worst)
	}
}
