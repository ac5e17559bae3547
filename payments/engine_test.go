package payments_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

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

// The outcome of a code is in the ledger, and Confirm returns what the payer has to know.
func TestOutcomesOfACode(t *testing.T) {
	t.Parallel()
	errLost := errors.New("the answer was lost")
	paid := acquirer.Paid{Money: domain.Money{Minor: 45_750, Currency: domain.LYD}, ProviderReference: "B-1"}
	for name, c := range map[string]struct {
		confirmed acquirer.Confirmed
		err       error
		result    payments.CodeResult
		failed    error // what the engine returns
		status    domain.Status
	}{
		"paid": {confirmed: paid, status: domain.StatusSucceeded},
		"wrong": {
			confirmed: acquirer.WrongCode{TriesLeft: 2}, result: payments.CodeWrong,
			status: domain.StatusProcessing,
		},
		"declined": {
			confirmed: acquirer.Declined{Reason: acquirer.GenericDecline},
			status:    domain.StatusRequiresPaymentMethod,
		},
		"not sent": {
			err: acquirer.ErrNotSent, failed: payments.ErrNotReached,
			status: domain.StatusProcessing,
		},
		"unknown": {err: errLost, status: domain.StatusProcessing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newTestEngine(t)
			i := k.begun()
			k.bank.confirm = func(acquirer.Code) (acquirer.Confirmed, error) { return c.confirmed, c.err }
			k.bank.inquire = reports(acquirer.StatePaid, paid.Money)
			a, open, err := k.OpenAttempt(t.Context(), i)
			if err != nil || !open {
				t.Fatalf("open %t, %v", open, err)
			}
			result, err := k.Confirm(t.Context(), a, i, "111111")
			if result != c.result || !errors.Is(err, c.failed) {
				t.Errorf("Confirm = %q, %v; want %q, %v", result, err, c.result, c.failed)
			}
			if got := k.load(i.ID).Status; got != c.status {
				t.Errorf("the intent is %s, want %s", got, c.status)
			}
		})
	}
}

// The payer's return, a message and an inquiry can report the same payment at the same time: all
// have read the attempt as open. It is logged and counted by the one whose report the ledger took.
func TestAnAttemptIsSettledOnce(t *testing.T) {
	t.Parallel()
	for state, count := range map[acquirer.State]string{
		acquirer.StatePaid:     "paid",
		acquirer.StateDeclined: "failed",
	} {
		t.Run(count, func(t *testing.T) {
			t.Parallel()
			k := newTestEngine(t)
			i := k.begun()
			id := i.Attempts[0].ID
			r := acquirer.Report{
				State: state, Money: i.Amount, Reference: string(id), ProviderReference: "B-ONCE",
			}
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					if err := k.RecordReport(t.Context(), id, i, r); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if err := k.RecordReport(t.Context(), id, i, r); err != nil {
				t.Error(err)
			}
			if said := strings.Count(k.log.String(), `"attempt settled"`); said != 1 {
				t.Errorf("logged %d times:\n%s", said, k.log.String())
			}
			if got := k.load(i.ID).Attempts[0].State; (got == domain.AttemptStatePaid) != (count == "paid") {
				t.Errorf("the attempt is %s", got)
			}
			if n := total(t, k.registry, "daftar_method_attempts_total"); n != 1 {
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
