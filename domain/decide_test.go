package domain_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
)

var (
	t0     = time.Date(2026, 11, 20, 20, 38, 15, 123456000, time.UTC)
	expiry = t0.Add(time.Hour)
	late   = expiry.Add(time.Minute)
	soon   = t0.Add(time.Minute)
	coffee = domain.Money{Minor: 9_000, Currency: domain.LYD}
	shop   = domain.ApplicationID{0xa}
	intent = domain.IntentID{0x1}
)

const (
	first  domain.AttemptID = "attempt1"
	second domain.AttemptID = "attempt2"
)

func create() domain.Create {
	end := expiry
	return domain.Create{CheckoutToken: "secret", ExpiresAt: &end, Terms: domain.Terms{
		Application: shop, MerchantReference: "order-1", Reference: "7k3qx0m2td", Amount: coffee,
		Description: "Two coffees",
	}}
}

func created() domain.Created {
	return domain.Created{At: t0, CheckoutToken: "secret", ExpiresAt: expiry, Terms: domain.Terms{
		Application: shop, MerchantReference: "order-1", Reference: "7k3qx0m2td", Amount: coffee,
		Description: "Two coffees",
	}}
}

func started(a domain.AttemptID, at time.Time) domain.Event {
	return domain.AttemptStarted{At: at, Attempt: a, Acquirer: "sandbox", Method: "wallet", Payer: "091•••5678"}
}

func failed(a domain.AttemptID, at time.Time) domain.Event {
	return domain.AttemptFailed{At: at, Attempt: a, Reason: "declined"}
}

func start(a domain.AttemptID) domain.Command {
	return domain.StartAttempt{Attempt: a, Acquirer: "sandbox", Method: "wallet", Payer: "091•••5678"}
}

func fail(a domain.AttemptID) domain.Command {
	return domain.FailAttempt{Attempt: a, Reason: "declined"}
}

func pay(a domain.AttemptID) domain.Command {
	return domain.RecordPayment{Attempt: a, Amount: coffee, ProviderReference: "P-" + string(a)}
}

func payAfterExpiry(a domain.AttemptID) domain.Command {
	return domain.RecordPayment{
		Attempt: a, Amount: coffee, ProviderReference: "P-" + string(a), AfterExpiry: true,
	}
}

func paid(a domain.AttemptID, at time.Time) domain.Succeeded {
	return domain.Succeeded{At: at, Attempt: a, Amount: coffee, ProviderReference: "P-" + string(a)}
}

// The transition table and every refusal: given these events, when this command comes, then
// those events or that refusal follow.
func TestDecide(t *testing.T) {
	t.Parallel()
	expired := domain.Expired{At: late}
	for _, c := range []struct {
		name    string
		given   []domain.Event
		when    domain.Command
		at      time.Time
		then    []domain.Event
		refused domain.Refusal
		status  domain.Status
	}{
		{
			name: "a new intent waits for payment",
			when: create(), at: t0,
			then: []domain.Event{created()}, status: domain.StatusRequiresPaymentMethod,
		}, {
			name: "a second create is refused", given: []domain.Event{created()},
			when: create(), at: soon, refused: domain.RefusedExists, status: domain.StatusRequiresPaymentMethod,
		}, {
			name: "an attempt begins", given: []domain.Event{created()},
			when: start(first), at: soon, then: []domain.Event{started(first, soon)}, status: domain.StatusProcessing,
		}, {
			name: "one attempt at a time", given: []domain.Event{created(), started(first, soon)},
			when: start(second), at: soon, refused: domain.RefusedAttemptOpen, status: domain.StatusProcessing,
		}, {
			name:  "a new attempt after a failed one",
			given: []domain.Event{created(), started(first, soon), failed(first, soon)},
			when:  start(second), at: soon, then: []domain.Event{started(second, soon)},
			status: domain.StatusProcessing,
		}, {
			name:  "an attempt id is used once",
			given: []domain.Event{created(), started(first, soon), failed(first, soon)},
			when:  start(first), at: soon, refused: domain.RefusedAttemptReused,
			status: domain.StatusRequiresPaymentMethod,
		}, {
			name: "no attempt too soon after many", given: manyAttempts(),
			when: start(first), at: soon.Add(domain.AttemptWait - 1), refused: domain.RefusedTooManyAttempts,
			status: domain.StatusRequiresPaymentMethod,
		}, {
			name: "an attempt in due time after many", given: manyAttempts(),
			when: start(first), at: soon.Add(domain.AttemptWait),
			then: []domain.Event{started(first, soon.Add(domain.AttemptWait))}, status: domain.StatusProcessing,
		}, {
			name: "no attempt at the very moment of expiry", given: []domain.Event{created()},
			when: start(first), at: expiry, refused: domain.RefusedExpired, status: domain.StatusRequiresPaymentMethod,
		}, {
			name: "an attempt a microsecond before expiry", given: []domain.Event{created()},
			when: start(first), at: expiry.Add(-time.Microsecond),
			then: []domain.Event{started(first, expiry.Add(-time.Microsecond))}, status: domain.StatusProcessing,
		}, {
			name: "no attempt on a canceled intent", given: []domain.Event{created(), expired},
			when: start(first), at: late, refused: domain.RefusedExpired, status: domain.StatusCanceled,
		}, {
			name:  "no attempt on a paid intent",
			given: []domain.Event{created(), started(first, soon), paid(first, soon)},
			when:  start(second), at: soon, refused: domain.RefusedPaid, status: domain.StatusSucceeded,
		}, {
			name: "the acquirer refuses", given: []domain.Event{created(), started(first, soon)},
			when: fail(first), at: soon, then: []domain.Event{failed(first, soon)},
			status: domain.StatusRequiresPaymentMethod,
		}, {
			name:  "a refusal reported twice changes nothing",
			given: []domain.Event{created(), started(first, soon), failed(first, soon)},
			when:  fail(first), at: soon, status: domain.StatusRequiresPaymentMethod,
		}, {
			name:  "an attempt that was open at expiry fails, then the intent expires",
			given: []domain.Event{created(), started(first, soon)},
			when:  fail(first), at: late, then: []domain.Event{failed(first, late), expired},
			status: domain.StatusCanceled,
		}, {
			name: "a failure of an unknown attempt", given: []domain.Event{created()},
			when: fail(first), at: soon, refused: domain.RefusedUnknownAttempt,
			status: domain.StatusRequiresPaymentMethod,
		}, {
			name:  "a paid attempt does not fail any more",
			given: []domain.Event{created(), started(first, soon), paid(first, soon)},
			when:  fail(first), at: soon, refused: domain.RefusedAttemptPaid, status: domain.StatusSucceeded,
		}, {
			name: "the payment succeeds", given: []domain.Event{created(), started(first, soon)},
			when: pay(first), at: soon, then: []domain.Event{paid(first, soon)}, status: domain.StatusSucceeded,
		}, {
			name:  "an attempt that was open at expiry succeeds and is not late",
			given: []domain.Event{created(), started(first, soon)},
			when:  pay(first), at: late, then: []domain.Event{paid(first, late)}, status: domain.StatusSucceeded,
		}, {
			name:  "an attempt that had not taken the money at expiry is late",
			given: []domain.Event{created(), started(first, soon)},
			when:  payAfterExpiry(first), at: late,
			then: []domain.Event{
				domain.AttemptFailed{At: late, Attempt: first, Reason: domain.ReasonExpired}, expired,
				domain.LateSucceeded(paid(first, late)),
			},
			status: domain.StatusSucceeded,
		}, {
			name:  "a payment before the expiry is in time, whatever the caller's clock says",
			given: []domain.Event{created(), started(first, soon)},
			when:  payAfterExpiry(first), at: soon, then: []domain.Event{paid(first, soon)},
			status: domain.StatusSucceeded,
		}, {
			name:  "a failed attempt turns out to be paid",
			given: []domain.Event{created(), started(first, soon), failed(first, soon)},
			when:  pay(first), at: soon, then: []domain.Event{paid(first, soon)}, status: domain.StatusSucceeded,
		}, {
			name:  "an earlier attempt turns out to be paid while another is open",
			given: []domain.Event{created(), started(first, soon), failed(first, soon), started(second, soon)},
			when:  pay(first), at: soon, then: []domain.Event{paid(first, soon)}, status: domain.StatusSucceeded,
		}, {
			name: "the other attempt's end then changes nothing",
			given: []domain.Event{
				created(), started(first, soon), failed(first, soon), started(second, soon),
				paid(first, soon),
			},
			when: fail(second), at: soon, status: domain.StatusSucceeded,
		}, {
			name: "the other attempt's money is a duplicate",
			given: []domain.Event{
				created(), started(first, soon), failed(first, soon), started(second, soon),
				paid(first, soon),
			},
			when: pay(second), at: soon, then: []domain.Event{domain.DuplicatePayment(paid(second, soon))},
			status: domain.StatusSucceeded,
		}, {
			name:  "a payment reported twice changes nothing",
			given: []domain.Event{created(), started(first, soon), paid(first, soon)},
			when:  pay(first), at: late, status: domain.StatusSucceeded,
		}, {
			name: "a duplicate reported twice changes nothing",
			given: []domain.Event{
				created(), started(first, soon), failed(first, soon), started(second, soon), paid(second, soon),
				domain.DuplicatePayment(paid(first, soon)),
			},
			when: pay(first), at: late, status: domain.StatusSucceeded,
		}, {
			name:  "a late payment",
			given: []domain.Event{created(), started(first, soon), failed(first, late), expired},
			when:  pay(first), at: late,
			then: []domain.Event{domain.LateSucceeded(paid(first, late))}, status: domain.StatusSucceeded,
		}, {
			name:  "a payment of a failed attempt after expiry is late, also before the event of the expiry",
			given: []domain.Event{created(), started(first, soon), failed(first, soon)},
			when:  pay(first), at: late,
			then: []domain.Event{expired, domain.LateSucceeded(paid(first, late))}, status: domain.StatusSucceeded,
		}, {
			name: "money of an unknown attempt", given: []domain.Event{created()},
			when: pay(first), at: soon, refused: domain.RefusedUnknownAttempt,
			status: domain.StatusRequiresPaymentMethod,
		}, {
			name: "money of another amount", given: []domain.Event{created(), started(first, soon)},
			when: domain.RecordPayment{
				Attempt: first, Amount: domain.Money{Minor: 8_999, Currency: domain.LYD},
			},
			at: soon, refused: domain.RefusedMismatch, status: domain.StatusProcessing,
		}, {
			name: "the time runs out", given: []domain.Event{created()},
			when: domain.Expire{}, at: late, then: []domain.Event{expired}, status: domain.StatusCanceled,
		}, {
			name: "the time runs out at the very moment", given: []domain.Event{created()},
			when: domain.Expire{}, at: expiry, then: []domain.Event{domain.Expired{At: expiry}},
			status: domain.StatusCanceled,
		}, {
			name: "it is not time yet", given: []domain.Event{created()},
			when: domain.Expire{}, at: expiry.Add(-time.Microsecond), refused: domain.RefusedNotDue,
			status: domain.StatusRequiresPaymentMethod,
		}, {
			name: "the merchant stops the checkout", given: []domain.Event{created()},
			when: domain.Expire{Stopped: true}, at: soon,
			then: []domain.Event{domain.Expired{At: soon, Stopped: true}}, status: domain.StatusCanceled,
		}, {
			name: "it is stopped when the time has run out anyway", given: []domain.Event{created()},
			when: domain.Expire{Stopped: true}, at: late, then: []domain.Event{expired}, status: domain.StatusCanceled,
		}, {
			name:  "an open attempt ends first, also of a stopped checkout",
			given: []domain.Event{created(), started(first, soon)},
			when:  domain.Expire{Stopped: true}, at: soon, refused: domain.RefusedAttemptOpen,
			status: domain.StatusProcessing,
		}, {
			name:  "a paid intent is not stopped",
			given: []domain.Event{created(), started(first, soon), paid(first, soon)},
			when:  domain.Expire{Stopped: true}, at: soon, status: domain.StatusSucceeded,
		}, {
			name:  "no attempt begins after the checkout was stopped",
			given: []domain.Event{created(), domain.Expired{At: soon, Stopped: true}},
			when:  start(first), at: soon, refused: domain.RefusedExpired, status: domain.StatusCanceled,
		}, {
			name: "an open attempt ends first", given: []domain.Event{created(), started(first, soon)},
			when: domain.Expire{}, at: late, refused: domain.RefusedAttemptOpen, status: domain.StatusProcessing,
		}, {
			name: "it expires once", given: []domain.Event{created(), expired},
			when: domain.Expire{}, at: late, status: domain.StatusCanceled,
		}, {
			name:  "a paid intent does not expire",
			given: []domain.Event{created(), started(first, soon), paid(first, soon)},
			when:  domain.Expire{}, at: late, status: domain.StatusSucceeded,
		}, {
			name: "nothing but create on an intent that does not exist",
			when: domain.Expire{}, at: soon, refused: domain.RefusedUnknownIntent, status: "",
		}, {
			name:  "times in a history never go back, whatever a server's clock says",
			given: []domain.Event{created(), started(first, soon)},
			when:  fail(first), at: t0.Add(-time.Hour), then: []domain.Event{failed(first, soon)},
			status: domain.StatusRequiresPaymentMethod,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			state := domain.Fold(intent, c.given)
			before := domain.Fold(intent, c.given)
			events, err := domain.Decide(state, c.when, c.at)
			var refusal domain.Refusal
			errors.As(err, &refusal)
			if refusal != c.refused || (err != nil) != (c.refused != "") {
				t.Fatalf("refused with %v, want %q", err, c.refused)
			}
			if diff := cmp.Diff(c.then, events); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, state); diff != "" {
				t.Errorf("Decide changed its argument:\n%s", diff)
			}
			for _, e := range events {
				state = domain.Evolve(state, e)
			}
			if state.Status != c.status {
				t.Errorf("status %q, want %q", state.Status, c.status)
			}
			if state.Version != len(c.given)+len(events) {
				t.Errorf("version %d after %d events", state.Version, len(c.given)+len(events))
			}
		})
	}
}

func TestEvolveAppliesEveryField(t *testing.T) {
	t.Parallel()
	i := domain.Fold(intent, []domain.Event{
		created(), started(first, soon), failed(first, soon), domain.Expired{At: late},
		domain.LateSucceeded(paid(first, late)),
	})
	want := domain.Intent{
		ID: intent, Version: 5, CheckoutToken: "secret", Status: domain.StatusSucceeded,
		ExpiresAt: expiry, CreatedAt: t0, UpdatedAt: late,
		Attempts: []domain.Attempt{{
			ID: first, Acquirer: "sandbox", Method: "wallet", Payer: "091•••5678", State: domain.AttemptStatePaid,
			StartedAt: soon, EndedAt: late, ProviderReference: "P-attempt1",
		}},
		PaidBy: first, Late: true,
		Terms: domain.Terms{
			Application: shop, Reference: "7k3qx0m2td", MerchantReference: "order-1", Amount: coffee,
			Description: "Two coffees",
		},
	}
	if diff := cmp.Diff(want, i); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
}
