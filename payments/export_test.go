package payments

import (
	"context"
	"time"

	"github.com/rs/zerolog"

	"daftar/domain"
	"daftar/payments/acquirer"
)

// WithBreaker gives an acquirer a circuit breaker.
func WithBreaker(a acquirer.Acquirer, pause time.Duration) acquirer.Acquirer {
	return &breakerAcquirer{a, newCircuit(a.Name(), pause, newMetrics(nil), zerolog.Nop())}
}

// RecordReport records what the acquirer reports of an attempt; i is the intent as it was read before.
func (e *Engine) RecordReport(
	ctx context.Context, id domain.AttemptID, i domain.Intent, r acquirer.Report,
) error {
	a, err := e.attempts.find(ctx, id)
	if err != nil {
		return err
	}
	return e.recordReport(ctx, a, i, r)
}
