package payments

import (
	"context"

	"daftar/domain"
	"daftar/payments/acquirer"
)

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
