package domain_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"daftar/domain"
)

// Random commands at random times: in any order of commands the history keeps the rules that an
// auditor checks.
func TestEveryHistoryIsSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		attempts := []domain.AttemptID{"a1", "a2", "a3"}
		state := domain.Blank(intent)
		now := t0
		var history []domain.Event
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(-60, 1200).Draw(t, "seconds")) * time.Second)
			attempt := rapid.SampledFrom(attempts).Draw(t, "attempt")
			command := rapid.SampledFrom([]domain.Command{
				create(), start(attempt), fail(attempt), pay(attempt), domain.Expire{},
				refund(rapid.Byte().Draw(t, "refund"), attempt, rapid.Int64Range(1, coffee.Minor).Draw(t, "back")),
				failure(rapid.Byte().Draw(t, "failed refund"), attempt, 1),
			}).Draw(t, "command")
			before := state
			events, err := domain.Decide(state, command, now)
			if err != nil && len(events) > 0 {
				t.Fatalf("%T was refused with %v and still caused %v", command, err, events)
			}
			for _, e := range events {
				state = domain.Evolve(state, e)
				history = append(history, e)
			}
			if again, _ := domain.Decide(before, command, now); !cmp.Equal(again, events) {
				t.Fatalf("%T decided differently the second time", command)
			}
			check(t, state, history, now)
		}
	})
}

func check(t *rapid.T, state domain.Intent, history []domain.Event, now time.Time) {
	if replayed := domain.Fold(intent, throughStorage(t, history)); !cmp.Equal(replayed, state) {
		t.Fatalf("replay differs from the live state:\n%s", cmp.Diff(state, replayed))
	}
	succeeded, final := 0, false
	open := 0
	for n, e := range history {
		if n > 0 && e.OccurredAt().Before(history[n-1].OccurredAt()) {
			t.Fatalf("event %d happened before the one before it", n+1)
		}
		_, inTime := e.(domain.Succeeded)
		_, late := e.(domain.LateSucceeded)
		_, again := e.(domain.DuplicatePayment)
		_, back := e.(domain.RefundRecorded)
		_, failed := e.(domain.RefundFailed)
		if final != (again || back || failed) {
			t.Fatalf("%T, and the final state came before: %t", e, final)
		}
		if inTime || late {
			succeeded++
			final = true
		}
	}
	if succeeded > 1 {
		t.Fatalf("succeeded %d times", succeeded)
	}
	for _, a := range state.Attempts {
		if a.State == domain.AttemptStateOpen {
			open++
		}
	}
	_, hasOpen := state.OpenAttempt()
	if open > 1 || hasOpen != (open == 1) || (state.Status == domain.StatusProcessing) != (open == 1 && !final) {
		t.Fatalf("%d open attempts in status %s", open, state.Status)
	}
	if (state.Status == domain.StatusSucceeded) != (succeeded == 1) {
		t.Fatalf("status %s after %d payments", state.Status, succeeded)
	}
	for _, a := range state.Attempts {
		if left := state.Refundable(a.ID); left.Minor < 0 || left.Minor > coffee.Minor {
			t.Fatalf("%s is left of attempt %s", left, a.ID)
		}
	}
	if state.Overdue(now) && state.Status != domain.StatusRequiresPaymentMethod {
		t.Fatalf("overdue in status %s", state.Status)
	}
	if paid := slices.ContainsFunc(state.Attempts, func(a domain.Attempt) bool {
		return a.ID == state.PaidBy && a.State == domain.AttemptStatePaid
	}); paid != (succeeded == 1) {
		t.Fatalf("paid by %q, which is paid: %v", state.PaidBy, paid)
	}
}

// throughStorage encodes and decodes the history, as the ledger does.
func throughStorage(t *rapid.T, history []domain.Event) []domain.Event {
	read := make([]domain.Event, len(history))
	for n, e := range history {
		stored, err := domain.EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		if read[n], err = domain.DecodeEvent(stored); err != nil {
			t.Fatal(err)
		}
	}
	return read
}
