package attempt_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
)

// A trouble is stored as a kind and values. A sentence that a server of an earlier release stored
// reads as the same, with amounts that are not 1,000 times too large. Other texts stay.
func TestTroubles(t *testing.T) {
	t.Parallel()
	want := attempt.Sum{Minor: 5_000, Currency: domain.LYD}
	for words, row := range map[string]struct {
		trouble attempt.Trouble
		before  string
	}{
		`the acquirer reports paid for 45.000 LYD under "A \"1\""; the attempt is for 5.000 LYD`: {
			attempt.Trouble{
				Kind: attempt.TroubleMismatch, State: acquirer.StatePaid, Asked: &want,
				Sums: []attempt.Sum{{Minor: 45_000, Currency: domain.LYD, Reference: `A "1"`}},
			},
			`the acquirer reports paid for 45000 LYD under "A \"1\""; the attempt is for 5000 LYD`,
		},
		`the acquirer reports declined for 100 of the smallest unit of "USD" under "A1"; ` +
			`the attempt is for 5.000 LYD`: {
			attempt.Trouble{
				Kind: attempt.TroubleMismatch, State: acquirer.StateDeclined, Asked: &want,
				Sums: []attempt.Sum{{Minor: 100, Currency: "USD", Reference: "A1"}},
			},
			`the acquirer reports declined for 100 USD under "A1"; the attempt is for 5000 LYD`,
		},
		`paid, and paid again: 45.000 LYD under "P, 2", 1.000 LYD under "P3"`: {
			attempt.Trouble{Kind: attempt.TroublePaidAgain, Sums: []attempt.Sum{
				{Minor: 45_000, Currency: domain.LYD, Reference: "P, 2"},
				{Minor: 1_000, Currency: domain.LYD, Reference: "P3"},
			}},
			`paid, and paid again: 45000 LYD under "P, 2", 1000 LYD under "P3"`,
		},
		"the acquirer reports paid; the ledger says attempt_unknown": {
			attempt.Trouble{
				Kind: attempt.TroubleRefused, What: attempt.RefusedPaid, Refusal: domain.RefusedUnknownAttempt,
			},
			"the acquirer reports paid; the ledger says attempt_unknown",
		},
		"the payer gave up; the ledger says attempt_paid": {
			attempt.Trouble{
				Kind: attempt.TroubleRefused, What: attempt.RefusedAbandoned, Refusal: domain.RefusedAttemptPaid,
			},
			"the payer gave up; the ledger says attempt_paid",
		},
		"the time is over; the ledger says attempt_paid": {
			attempt.Trouble{
				Kind: attempt.TroubleRefused, What: attempt.RefusedTimeOver, Refusal: domain.RefusedAttemptPaid,
			},
			"the time is over; the ledger says attempt_paid",
		},
		"the outcome is unknown and the acquirer cannot be asked": {
			attempt.Trouble{Kind: attempt.TroubleNoInquiry}, "the outcome is unknown and the acquirer cannot be asked",
		},
		"the outcome is unknown, and the application has no account with plutu any more": {
			attempt.Trouble{Kind: attempt.TroubleNoAccount, Acquirer: "plutu"},
			"the outcome is unknown, and the application has no account with plutu any more",
		},
		"set aside by hand": {attempt.Trouble{Text: "set aside by hand"}, "set aside by hand"},
		"{":                 {attempt.Trouble{Text: "{"}, "{"},
		"":                  {attempt.Trouble{}, ""},
	} {
		for _, stored := range []string{row.trouble.Stored(), row.before} {
			got := attempt.ReadTrouble(stored)
			if diff := cmp.Diff(row.trouble, got); diff != "" || got.String() != words {
				t.Errorf("%s reads %q (-want +got):\n%s", stored, got, diff)
			}
		}
	}
	later := `{"kind":"of_a_later_release"}`
	if got := attempt.ReadTrouble(later).String(); got != later {
		t.Errorf("of a later release: %q", got)
	}
}
