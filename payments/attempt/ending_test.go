package attempt_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
)

// What an acquirer's report leads to after the intent's expiry: an attempt that is still open
// lapses minutes later, and a payment after that is late.
func TestFindAfterTheExpiry(t *testing.T) {
	t.Parallel()
	amount := domain.Money{Minor: 45_750, Currency: domain.LYD}
	id := in(attempt.Asking).ID
	of := func(s acquirer.State) acquirer.Report {
		return acquirer.Report{State: s, Reference: string(id), Money: amount}
	}
	unseen := acquirer.Report{State: acquirer.StateNotFound}
	fail := domain.FailAttempt{Attempt: id, Reason: domain.ReasonExpired}
	for name, row := range map[string]struct {
		stage  attempt.Stage
		ledger domain.AttemptState
		report acquirer.Report
		after  time.Duration // the expiry
		want   domain.Command
		next   attempt.Report
	}{
		"paid, never seen open": {
			attempt.Asking, domain.AttemptStateOpen, of(acquirer.StatePaid), time.Minute,
			domain.RecordPayment{Attempt: id, Amount: amount}, attempt.Settled{},
		},
		"paid, seen open": {
			attempt.Ending, domain.AttemptStateOpen, of(acquirer.StatePaid), time.Minute,
			domain.RecordPayment{Attempt: id, Amount: amount, AfterExpiry: true}, attempt.Settled{},
		},
		"open at the last moment": {
			attempt.Code, domain.AttemptStateOpen, of(acquirer.StatePending), -time.Millisecond,
			nil, attempt.Undecided{},
		},
		"open at the expiry": {
			attempt.Code, domain.AttemptStateOpen, of(acquirer.StatePending), 0,
			nil, attempt.NotTaken{},
		},
		"begun at the expiry": {
			attempt.Beginning, domain.AttemptStateOpen, of(acquirer.StatePending), 0,
			nil, attempt.NotTaken{},
		},
		"open for minutes": {
			attempt.Ending, domain.AttemptStateOpen, of(acquirer.StatePending), attempt.LapsesAfter - 1,
			nil, attempt.Undecided{},
		},
		"open for too long": {
			attempt.Ending, domain.AttemptStateOpen, of(acquirer.StatePending), attempt.LapsesAfter,
			fail, attempt.Lapsed{},
		},
		"first seen open after that": {
			attempt.Asking, domain.AttemptStateOpen, of(acquirer.StatePending), attempt.LapsesAfter,
			fail, attempt.Lapsed{},
		},
		"not found after that": {
			attempt.Asking, domain.AttemptStateOpen, unseen, attempt.LapsesAfter,
			fail, attempt.Lapsed{},
		},
		"open, ended in the ledger": {
			attempt.Closed, domain.AttemptStateFailed, of(acquirer.StatePending), time.Hour,
			nil, attempt.Undecided{},
		},
		"unknown, ended in the ledger": {
			attempt.Closed, domain.AttemptStateFailed, unseen, time.Hour,
			nil, attempt.Settled{},
		},
		"set aside before": {
			attempt.Quarantined, domain.AttemptStateOpen, of(acquirer.StatePending), time.Hour,
			nil, attempt.Resumed{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := in(row.stage)
			i := domain.Intent{
				Terms: domain.Terms{Amount: amount}, ExpiresAt: expires,
				Attempts: []domain.Attempt{{ID: id, State: row.ledger}},
			}
			f := attempt.Find(a, i, row.report, expires.Add(row.after))
			if diff := cmp.Diff(row.want, f.Command, cmpopts.EquateComparable()); diff != "" {
				t.Errorf("the command for the ledger (-want +got):\n%s", diff)
			}
			if got, want := fmt.Sprintf("%T", f.Next), fmt.Sprintf("%T", row.next); got != want || f.Begin {
				t.Errorf("next %s, begin %v; want %s", got, f.Begin, want)
			}
		})
	}
}

// After the expiry only inquiries go to the acquirer, at once and often.
func TestOnlyInquiriesAfterTheExpiry(t *testing.T) {
	t.Parallel()
	until := expires.Add(time.Minute)
	for stage, refused := range map[attempt.Stage]attempt.Report{
		attempt.Beginning: attempt.CallBegin{Until: until, ExpiresAt: expires},
		attempt.Code:      attempt.EnterCode{Until: until, ExpiresAt: expires},
	} {
		if _, fits := attempt.Next(in(stage), refused, expires.Add(-1)); !fits {
			t.Errorf("%T is refused before the expiry", refused)
		}
		if _, fits := attempt.Next(in(stage), refused, expires); fits {
			t.Errorf("%T fits after the expiry", refused)
		}
	}
	i := domain.Intent{ExpiresAt: expires}
	for now, reason := range map[time.Time]acquirer.Reason{
		expires.Add(-1): acquirer.Unreachable,
		expires:         acquirer.Expired,
	} {
		f := attempt.NeverCalled(in(attempt.Beginning), i, now)
		if got := f.Command.(domain.FailAttempt).Reason; got != string(reason) {
			t.Errorf("an attempt that did not begin failed as %q, want %q", got, reason)
		}
	}
	if _, fits := attempt.Next(in(attempt.Code), attempt.Resend{ExpiresAt: expires}, expires); fits {
		t.Error("a new code is sent after the expiry")
	}
	waits := in(attempt.Code)
	waits.BusyUntil = nil
	waits.CodeUntil, waits.AskAt = new(expires.Add(time.Minute)), new(expires.Add(time.Minute))
	early := attempt.InquireEarly{NotSince: time.Second, ExpiresAt: expires}
	if _, fits := attempt.Next(waits, early, expires.Add(-1)); fits {
		t.Error("the acquirer is asked while the payer has a code to type")
	}
	if _, fits := attempt.Next(waits, early, expires); !fits {
		t.Error("the acquirer is not asked although no code is taken any more")
	}
	// One that stays pending is asked about at the expiry and every half minute after it.
	a, now := in(attempt.Asking), noon
	var asked []time.Duration
	for range 60 {
		a, _ = attempt.Next(a, attempt.Undecided{Claim: a.Claim(expires)}, now)
		now = *a.AskAt
		if since := now.Sub(expires); since >= 0 && since < attempt.LapsesAfter+time.Minute {
			asked = append(asked, since)
		}
	}
	if len(asked) < 20 || asked[0] != 0 {
		t.Errorf("asked %v after the expiry", asked)
	}
}
