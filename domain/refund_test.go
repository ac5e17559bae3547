package domain_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
)

func refund(number byte, a domain.AttemptID, minor int64) domain.RecordRefund {
	return domain.RecordRefund{
		Refund: domain.RefundID{number}, Attempt: a, Amount: domain.Money{Minor: minor, Currency: domain.LYD},
		ProviderReference: "R-" + string('a'+rune(number)), Evidence: domain.EvidenceAcquirer,
	}
}

func refunded(number byte, a domain.AttemptID, minor int64) domain.RefundRecorded {
	c := refund(number, a, minor)
	return domain.RefundRecorded{
		At: late, Refund: c.Refund, Attempt: a, Amount: c.Amount, ProviderReference: c.ProviderReference,
		Evidence: c.Evidence,
	}
}

func failure(number byte, a domain.AttemptID, minor int64) domain.RecordRefundFailure {
	return domain.RecordRefundFailure{
		Refund: domain.RefundID{number}, Attempt: a, Amount: domain.Money{Minor: minor, Currency: domain.LYD},
		Reason: "refused",
	}
}

func refundFailed(number byte, a domain.AttemptID, minor int64) domain.RefundFailed {
	c := failure(number, a, minor)
	return domain.RefundFailed{At: late, Refund: c.Refund, Attempt: a, Amount: c.Amount, Reason: c.Reason}
}

func TestRefunds(t *testing.T) {
	t.Parallel()
	once := []domain.Event{created(), started(first, soon), paid(first, soon)}
	twice := []domain.Event{
		created(), started(first, soon), failed(first, soon), started(second, soon), paid(second, soon),
		domain.DuplicatePayment(paid(first, soon)),
	}
	sameReference := refund(2, first, 1)
	sameReference.ProviderReference = refund(1, first, 1).ProviderReference
	other := refund(1, first, 1)
	other.Amount.Currency = "USD"
	nameless, namelessAgain := refund(1, first, 1), refund(2, first, 1)
	namelessAgain.ProviderReference = ""
	for _, c := range []struct {
		name    string
		given   []domain.Event
		when    domain.RecordRefund
		refused error
		left    int64 // of the attempt
	}{
		{"all of it", once, refund(1, first, 9_000), nil, 0},
		{"a part", once, refund(1, first, 1), nil, 8_999},
		{"the rest", append(once, refunded(1, first, 8_999)), refund(2, first, 1), nil, 0},
		{"more than the rest", append(once, refunded(1, first, 8_999)), refund(2, first, 2),
			domain.RefusedRefundTooLarge, 1},
		{"more than was paid", once, refund(1, first, 9_001), domain.RefusedRefundTooLarge, 9_000},
		{"the duplicate alone", twice, refund(1, first, 9_000), nil, 0},
		{"the duplicate twice", append(twice, refunded(1, first, 9_000)), refund(2, first, 1),
			domain.RefusedRefundTooLarge, 0},
		{"what paid, after the duplicate", append(twice, refunded(1, first, 9_000)),
			refund(2, second, 9_000), nil, 0},
		{"nothing", once, refund(1, first, 0), domain.RefusedMalformed, 9_000},
		{"less than nothing", once, refund(1, first, -1), domain.RefusedMalformed, 9_000},
		{"another currency", once, other, domain.RefusedMalformed, 9_000},
		{"an unknown attempt", once, refund(1, second, 1), domain.RefusedUnknownAttempt, 0},
		{"an attempt that is open", once[:2], refund(1, first, 1), domain.RefusedNotPaid, 0},
		{"an attempt that failed", twice[:3], refund(1, first, 1), domain.RefusedNotPaid, 0},
		{"under a reference that is known", append(once, refunded(1, first, 1)), sameReference,
			domain.RefusedRefundKnown, 8_999},
		{"without a reference, again", append(once, domain.RefundRecorded{
			At: late, Refund: nameless.Refund, Attempt: first, Amount: nameless.Amount,
		}), namelessAgain, nil, 8_998},
		{"a late payment", []domain.Event{
			created(), started(first, soon), failed(first, soon), domain.Expired{At: late},
			domain.LateSucceeded(paid(first, late)),
		}, refund(1, first, 9_000), nil, 0},
		{"an unknown intent", nil, refund(1, first, 1), domain.RefusedUnknownIntent, 0},
	} {
		before := domain.Fold(intent, c.given)
		events, err := domain.Decide(before, c.when, late)
		if !errors.Is(err, c.refused) || (err == nil) != (c.refused == nil) {
			t.Errorf("%s: %v, want %v", c.name, err, c.refused)
		}
		after := before
		for _, e := range events {
			after = domain.Evolve(after, e)
		}
		if left := after.Refundable(c.when.Attempt); left.Minor != c.left {
			t.Errorf("%s: %d is left, want %d", c.name, left.Minor, c.left)
		}
		if after.Status != before.Status || after.UpdatedAt != before.UpdatedAt {
			t.Errorf("%s: the intent changed from %s of %s to %s of %s", c.name, before.Status, before.UpdatedAt,
				after.Status, after.UpdatedAt)
		}
		if again, err := domain.Decide(after, c.when, late); c.refused == nil && (err != nil || len(again) > 0) {
			t.Errorf("%s: recorded a second time: %v, %v", c.name, again, err)
		}
	}
}

func TestARefundIsKeptAsItWasRecorded(t *testing.T) {
	t.Parallel()
	state := domain.Fold(intent, []domain.Event{created(), started(first, soon), paid(first, soon)})
	events, err := domain.Decide(state, refund(1, first, 4_500), late)
	if diff := cmp.Diff([]domain.Event{refunded(1, first, 4_500)}, events); err != nil || diff != "" {
		t.Fatalf("%v, events (-want +got):\n%s", err, diff)
	}
	state = domain.Evolve(state, events[0])
	want := []domain.Refund{{
		ID: domain.RefundID{1}, At: late, Attempt: first, Amount: domain.Money{Minor: 4_500, Currency: domain.LYD},
		ProviderReference: "R-b", Evidence: domain.EvidenceAcquirer,
	}}
	if diff := cmp.Diff(want, state.Refunds); diff != "" {
		t.Errorf("refunds (-want +got):\n%s", diff)
	}
	// A server with a slow clock records the next one no earlier.
	events, err = domain.Decide(state, refund(2, first, 1), soon.Add(-time.Hour))
	if err != nil || len(events) != 1 || events[0].OccurredAt() != late {
		t.Errorf("next refund: %v, %v", events, err)
	}
}

// That a refund failed is recorded once, in an intent that stays as it is. It does not prevent that
// the money is recorded, if it went back after all.
func TestFailedRefunds(t *testing.T) {
	t.Parallel()
	once := []domain.Event{created(), started(first, soon), paid(first, soon)}
	for _, c := range []struct {
		name    string
		given   []domain.Event
		when    domain.RecordRefundFailure
		refused error
	}{
		{"of a paid attempt", once, failure(1, first, 9_000), nil},
		{"after another that failed", append(once, refundFailed(1, first, 1)), failure(2, first, 1), nil},
		{"after another that went back", append(once, refunded(1, first, 9_000)), failure(2, first, 1), nil},
		{"of what went back", append(once, refunded(1, first, 1)), failure(1, first, 1), domain.RefusedRefundKnown},
		{"of nothing", once, failure(1, first, 0), domain.RefusedMalformed},
		{"of an unknown attempt", once, failure(1, second, 1), domain.RefusedUnknownAttempt},
		{"of an attempt that is open", once[:2], failure(1, first, 1), domain.RefusedNotPaid},
		{"of an unknown intent", nil, failure(1, first, 1), domain.RefusedUnknownIntent},
	} {
		before := domain.Fold(intent, c.given)
		events, err := domain.Decide(before, c.when, late)
		if !errors.Is(err, c.refused) || (err == nil) != (c.refused == nil) || len(events) > 0 != (err == nil) {
			t.Errorf("%s: %v, %v, want %v", c.name, events, err, c.refused)
		}
		for _, e := range events {
			after := domain.Evolve(before, e)
			n := len(after.FailedRefunds)
			if n == 0 || after.FailedRefunds[n-1] != (domain.FailedRefund{ID: c.when.Refund, At: late}) ||
				after.Status != before.Status || after.UpdatedAt != before.UpdatedAt ||
				after.Refundable(first) != before.Refundable(first) {
				t.Errorf("%s: the intent is %+v", c.name, after)
			}
			if again, err := domain.Decide(after, c.when, late); err != nil || len(again) > 0 {
				t.Errorf("%s: recorded a second time: %v, %v", c.name, again, err)
			}
			// A server with a slow clock records the next one no earlier.
			next, err := domain.Decide(after, failure(9, first, 1), soon.Add(-time.Hour))
			if err != nil || next[0].OccurredAt() != late {
				t.Errorf("%s: the next one: %v, %v", c.name, next, err)
			}
		}
	}
	state := domain.Fold(intent, append(once, refundFailed(1, first, 1)))
	if events, err := domain.Decide(state, refund(1, first, 1), late); err != nil || len(events) != 1 {
		t.Errorf("it went back after all: %v, %v", events, err)
	}
}
