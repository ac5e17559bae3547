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

// What an acquirer's report leads to.
func TestFind(t *testing.T) {
	t.Parallel()
	amount := domain.Money{Minor: 45_750, Currency: domain.LYD}
	id := in(attempt.Asking).ID
	paid := acquirer.Report{
		State: acquirer.StatePaid, Reference: string(id), Money: amount, ProviderReference: "P1",
	}
	with := func(change func(*acquirer.Report)) acquirer.Report {
		r := paid
		change(&r)
		return r
	}
	declined := with(func(r *acquirer.Report) {
		r.State, r.Reason = acquirer.StateDeclined, acquirer.SettledByOperator
	})
	pending := with(func(r *acquirer.Report) { r.State = acquirer.StatePending })
	unseen := acquirer.Report{State: acquirer.StateNotFound}
	otherAmount := with(func(r *acquirer.Report) { r.Money.Minor++ })
	otherAttempt := with(func(r *acquirer.Report) { r.Reference = "other" })
	senseless := with(func(r *acquirer.Report) { r.State = "perhaps" })
	for name, row := range map[string]struct {
		stage  attempt.Stage
		report acquirer.Report
		age    time.Duration
		want   domain.Command
		next   attempt.Report
		begin  bool
	}{
		"paid": {
			attempt.Asking, paid, 0,
			domain.RecordPayment{Attempt: id, Amount: amount, ProviderReference: "P1"}, attempt.Settled{}, false,
		},
		"declined": {
			attempt.Asking, declined, 0,
			domain.FailAttempt{Attempt: id, Reason: string(acquirer.SettledByOperator)}, attempt.Settled{}, false,
		},
		"another amount":            {attempt.Asking, otherAmount, 0, nil, attempt.Disputed{}, false},
		"another attempt":           {attempt.Asking, otherAttempt, 0, nil, attempt.Disputed{}, false},
		"pending":                   {attempt.Asking, pending, 0, nil, attempt.Undecided{}, false},
		"pending, the answer lost":  {attempt.Beginning, pending, 0, nil, attempt.Undecided{}, true},
		"pending, set aside before": {attempt.Quarantined, pending, 0, nil, attempt.Resumed{}, false},
		"not seen yet":              {attempt.Beginning, unseen, time.Second, nil, attempt.Undecided{}, false},
		"never seen": {
			attempt.Beginning, unseen, time.Minute,
			domain.FailAttempt{Attempt: id, Reason: string(acquirer.Unreachable)}, attempt.Settled{}, false,
		},
		"not seen, a code was typed": {attempt.Asking, unseen, time.Hour, nil, attempt.Undecided{}, false},
		"an unknown state":           {attempt.Asking, senseless, 0, nil, attempt.Undecided{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := in(row.stage)
			i := domain.Intent{
				Terms: domain.Terms{Amount: amount}, ExpiresAt: expires,
				Attempts: []domain.Attempt{{ID: a.ID, State: domain.AttemptStateOpen}},
			}
			f := attempt.Find(a, i, row.report, a.CreatedAt.Add(row.age))
			if diff := cmp.Diff(row.want, f.Command, cmpopts.EquateComparable()); diff != "" {
				t.Errorf("the command for the ledger (-want +got):\n%s", diff)
			}
			got, want := fmt.Sprintf("%T", f.Next), fmt.Sprintf("%T", row.next)
			if got != want || f.Begin != row.begin {
				t.Errorf("next %s, begin %v; want %s, %v", got, f.Begin, want, row.begin)
			}
			if (f.Err != nil) != (row.report.State == "perhaps") {
				t.Errorf("error %v", f.Err)
			}
		})
	}
}

// A closed attempt of which the acquirer knows nothing stays closed.
func TestNotFoundAfterTheEnd(t *testing.T) {
	t.Parallel()
	a := in(attempt.Asking)
	i := domain.Intent{Attempts: []domain.Attempt{{ID: a.ID, State: domain.AttemptStateFailed}}}
	f := attempt.Find(a, i, acquirer.Report{State: acquirer.StateNotFound}, noon)
	if f.Command != nil || f.Next != (attempt.Settled{Claim: a.Claim(i.ExpiresAt)}) {
		t.Errorf("%+v", f)
	}
}
