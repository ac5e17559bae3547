package payments

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"daftar/payments/acquirer"
)

// isRefused inquires, and reports whether the circuit refused the call.
func isRefused(ctx context.Context, guarded acquirer.Acquirer) bool {
	_, err := guarded.Inquire(ctx, acquirer.Ref{Attempt: "0123456789abcdefghjkmnpqrs"})
	return errors.Is(err, acquirer.ErrNotSent)
}

// The errors of package acquirer are answers, and a call that this side cancels ends: neither is
// a fault of the acquirer.
func TestNoFaults(t *testing.T) {
	t.Parallel()
	stuck := make(chan struct{}, 1)
	for name, answer := range map[string]func(context.Context) error{
		"undecided": func(context.Context) error { return acquirer.ErrUndecided },
		"cut short": func(ctx context.Context) error {
			stuck <- struct{}{}
			<-ctx.Done()
			return ctx.Err()
		},
	} {
		guarded := behindBreaker(answer)
		for range 3 * FaultThreshold {
			ctx, cancel := context.WithCancel(t.Context())
			var asking sync.WaitGroup
			asking.Go(func() {
				if isRefused(ctx, guarded) {
					t.Errorf("%s: refused", name)
				}
			})
			if name == "cut short" {
				<-stuck
			}
			cancel()
			asking.Wait()
		}
	}
}

func TestATimeOutIsAFault(t *testing.T) {
	t.Parallel()
	guarded := behindBreaker(func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	})
	for n := range FaultThreshold + 1 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		refused := isRefused(ctx, guarded)
		cancel()
		if refused != (n == FaultThreshold) {
			t.Errorf("question %d: refused %t", n+1, refused)
		}
	}
}

// failing is an acquirer whose answers to inquiries are errors, behind a circuit breaker.
type failing struct {
	acquirer.Acquirer

	answer func(context.Context) error
}

func (f failing) Inquire(ctx context.Context, _ acquirer.Ref) (acquirer.Report, error) {
	return acquirer.Report{}, f.answer(ctx)
}

func behindBreaker(answer func(context.Context) error) *breakerAcquirer {
	c := newCircuit("bank", time.Hour, newMetrics(nil), zerolog.Nop())
	return &breakerAcquirer{failing{answer: answer}, c}
}
