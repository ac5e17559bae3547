package checkout

import (
	"context"
	"time"

	"github.com/rs/zerolog"

	"daftar/domain"
	"daftar/payments/acquirer"
)

// LinkClock sets the clock of the limits of wrong links.
func (c Config) LinkClock(now func() time.Time) Config {
	c.linkClock = now
	return c
}

// SweepUsage deletes usage that no longer counts.
func (e *Engine) SweepUsage(ctx context.Context) error { return e.sweepUsage(ctx) }

// The limits that the tests go up to.
var (
	MessagesOfANumber  = limits[messages][0]
	CodesOfANumber     = limits[codes][0]
	MessagesOfANetwork = limits[messages][2]
)

// More of them.
const (
	FaultsInARow  = faultsInARow
	InquiriesEach = inquiriesEach
	NotFoundBurst = notFoundBurst
	ProofBurst    = proofBurst
)

// Refunded is what a proof says went back.
func Refunded(i domain.Intent) domain.Money { return refunded(i) }

// Guarded is an acquirer behind its circuit.
func Guarded(a acquirer.Acquirer, pause time.Duration) acquirer.Acquirer {
	return &guarded{a, newCircuit(a.Name(), pause, newMetrics(nil), zerolog.Nop())}
}

// RecordReport records what the acquirer reports of an attempt of an intent that was read before.
func (e *Engine) RecordReport(ctx context.Context, id domain.AttemptID, i domain.Intent, r acquirer.Report) error {
	a, err := e.attempts.find(ctx, id)
	if err != nil {
		return err
	}
	return e.recordReport(ctx, a, i, r)
}
