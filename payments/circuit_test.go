package payments_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"daftar/domain"
	"daftar/payments"
	"daftar/payments/acquirer"
)

// reports returns inquiries that report the same of each attempt.
func reports(s acquirer.State, m domain.Money) func(context.Context, acquirer.Ref) (acquirer.Report, error) {
	return func(_ context.Context, r acquirer.Ref) (acquirer.Report, error) {
		return acquirer.Report{State: s, Money: m, Reference: r.Reference, ProviderReference: "B-1"}, nil
	}
}

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
		guarded := payments.WithBreaker(failing(answer), time.Hour)
		for range 3 * payments.FaultThreshold {
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
	guarded := payments.WithBreaker(failing(func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}), time.Hour)
	for n := range payments.FaultThreshold + 1 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		refused := isRefused(ctx, guarded)
		cancel()
		if refused != (n == payments.FaultThreshold) {
			t.Errorf("question %d: refused %t", n+1, refused)
		}
	}
}

// failing is a bank whose answers to inquiries are errors.
func failing(answer func(context.Context) error) *bank {
	return &bank{inquire: func(ctx context.Context, _ acquirer.Ref) (acquirer.Report, error) {
		return acquirer.Report{}, answer(ctx)
	}}
}
