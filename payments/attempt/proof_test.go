package attempt_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
)

// asked is what the attempts of in are for.
var asked = domain.Money{Minor: 45_750, Currency: domain.LYD}

// intentOf is the intent of an attempt that stands so in the ledger.
func intentOf(a attempt.Attempt, s domain.AttemptState) domain.Intent {
	return domain.Intent{Amount: asked, ExpiresAt: expires, Attempts: []domain.Attempt{{ID: a.ID, State: s}}}
}

// wantFinding compares the command for the ledger, and the report with all that it says.
func wantFinding(t *testing.T, what string, f attempt.Finding, tell domain.Command, then attempt.Report) {
	t.Helper()
	if diff := cmp.Diff(tell, f.Command, cmpopts.EquateComparable()); diff != "" {
		t.Errorf("%s: the command for the ledger (-want +got):\n%s", what, diff)
	}
	if d, is := f.Next.(attempt.Disputed); is && d.Trouble == "" {
		t.Errorf("%s: set aside without a word", what)
	} else if is {
		d.Trouble = "" // the test of the words is another
		f.Next = d
	}
	if f.Next != then {
		t.Errorf("%s: then %#v, want %#v", what, f.Next, then)
	}
	if f.Begin || f.Err != nil {
		t.Errorf("%s: begin %v, error %v", what, f.Begin, f.Err)
	}
}

func failed(a attempt.Attempt, reason acquirer.Reason) domain.Command {
	return domain.FailAttempt{Attempt: a.ID, Reason: string(reason)}
}

// What becomes of an attempt whose acquirer cannot be asked: it ends where no money can have
// moved, it waits while the payer or a message may still come, and else a person looks.
func TestUnaskable(t *testing.T) {
	t.Parallel()
	onlyConfirm, pays := acquirer.Capability{OnlyConfirmPays: true}, acquirer.Capability{}
	lapses := expires.Add(attempt.LapsesAfter)
	const early, late, lapsed = -time.Nanosecond, 0, attempt.LapsesAfter
	type row struct {
		stage attempt.Stage
		can   acquirer.Capability
		after time.Duration // the expiry
		tell  acquirer.Reason
		wait  time.Time // zero: not at all
		aside bool      // set aside for a person
	}
	for _, r := range []row{
		{stage: attempt.Beginning, can: onlyConfirm, after: early, tell: acquirer.Unreachable},
		{stage: attempt.Beginning, can: onlyConfirm, after: late, tell: acquirer.Unreachable},
		{stage: attempt.Beginning, can: pays, after: early, tell: acquirer.Unreachable},
		{stage: attempt.Beginning, can: pays, after: lapsed, tell: acquirer.Unreachable},
		{stage: attempt.Code, can: onlyConfirm, after: early, wait: expires},
		{stage: attempt.Code, can: onlyConfirm, after: late, tell: acquirer.Expired},
		{stage: attempt.Code, can: onlyConfirm, after: lapsed, tell: acquirer.Expired},
		{stage: attempt.Code, can: pays, after: early, wait: expires},
		{stage: attempt.Code, can: pays, after: late, aside: true},
		{stage: attempt.Code, can: pays, after: lapsed, aside: true},
		{stage: attempt.Bank, can: pays, after: early, wait: lapses},
		{stage: attempt.Bank, can: pays, after: late, wait: lapses},
		{stage: attempt.Bank, can: pays, after: lapsed - 1, wait: lapses},
		{stage: attempt.Bank, can: pays, after: lapsed, aside: true},
		{stage: attempt.Bank, can: onlyConfirm, after: lapsed, aside: true},
	} {
		a := in(r.stage)
		c := a.Claim(expires)
		what := fmt.Sprintf("%s, only a code pays: %v, %v after the expiry", r.stage,
			r.can.OnlyConfirmPays, r.after)
		f := attempt.NoInquiry(a, intentOf(a, domain.AttemptStateOpen), r.can, expires.Add(r.after))
		switch {
		case r.aside:
			wantFinding(t, what, f, nil, attempt.Disputed{Claim: c})
		case !r.wait.IsZero():
			wantFinding(t, what, f, nil, attempt.Waiting{Claim: c, Until: r.wait})
		default:
			wantFinding(t, what, f, failed(a, r.tell), attempt.Settled{Claim: c})
		}
	}
}

// Once a code was handed over nobody but a person can say what became of it; and what the
// ledger knows already is not told again.
func TestUnaskableInOtherStages(t *testing.T) {
	t.Parallel()
	for _, s := range stages {
		a := in(s)
		c := a.Claim(expires)
		for _, after := range []time.Duration{-time.Nanosecond, 0, attempt.LapsesAfter} {
			for _, can := range []acquirer.Capability{{}, {OnlyConfirmPays: true}} {
				what := fmt.Sprintf("%s, only a code pays: %v, %v after the expiry", s, can.OnlyConfirmPays, after)
				if s != attempt.Beginning && s != attempt.Code && s != attempt.Bank {
					f := attempt.NoInquiry(a, intentOf(a, domain.AttemptStateOpen), can, expires.Add(after))
					wantFinding(t, what, f, nil, attempt.Disputed{Claim: c})
				}
				for _, state := range []domain.AttemptState{domain.AttemptStateFailed, domain.AttemptStatePaid} {
					f := attempt.NoInquiry(a, intentOf(a, state), can, expires.Add(after))
					wantFinding(t, what+", "+string(state)+" in the ledger", f, nil, attempt.Settled{Claim: c})
				}
			}
		}
	}
}

// No attempt is asked about for ever: each time that its turn comes it ends, or a person has it.
func TestUnaskableEnds(t *testing.T) {
	t.Parallel()
	for _, s := range stages {
		for _, can := range []acquirer.Capability{{}, {OnlyConfirmPays: true}} {
			a, turns := in(s), 0
			for ; a.AskAt != nil && turns < 5; turns++ {
				now := *a.AskAt
				f := attempt.NoInquiry(a, intentOf(a, domain.AttemptStateOpen), can, now)
				after, fits := attempt.Next(a, f.Next, now)
				if !fits {
					t.Fatalf("%s: %T has no place", s, f.Next)
				}
				a = after
			}
			if turns > 3 || a.Stage != attempt.Closed && a.Stage != attempt.Quarantined {
				t.Errorf("%s, only a code pays: %v: after %d turns %s", s, can.OnlyConfirmPays, turns, a.Stage)
			}
		}
	}
}

// A signed message about our money settles the attempt; one about other money has a person
// look; one that says nothing yet is no more than a hint.
func TestProof(t *testing.T) {
	t.Parallel()
	id := in(attempt.Bank).ID
	is := func(change func(*acquirer.Report)) acquirer.Report {
		r := acquirer.Report{State: acquirer.StatePaid, Reference: string(id), Money: asked,
			ProviderReference: "P1", Memo: "M1"}
		change(&r)
		return r
	}
	paid := is(func(*acquirer.Report) {})
	declined := is(func(r *acquirer.Report) {
		r.State, r.Reason, r.Memo = acquirer.StateDeclined, acquirer.InsufficientFunds, ""
	})
	type row struct {
		report acquirer.Report
		tell   domain.Command
		then   func(attempt.Claim) attempt.Report
	}
	disputed := func(c attempt.Claim) attempt.Report { return attempt.Disputed{Claim: c} }
	hint := func(attempt.Claim) attempt.Report { return attempt.Hint{} }
	for _, s := range stages {
		for _, now := range []time.Time{noon, expires, expires.Add(time.Hour)} {
			a := in(s)
			record := domain.RecordPayment{Attempt: id, Amount: asked, ProviderReference: "P1",
				AfterExpiry: s == attempt.Ending}
			rows := map[string]row{
				"paid": {paid, record, func(attempt.Claim) attempt.Report {
					return attempt.Proven{Memo: "M1"}
				}},
				"declined": {declined, failed(a, acquirer.InsufficientFunds), func(attempt.Claim) attempt.Report {
					return attempt.Proven{}
				}},
				"other amount": {is(func(r *acquirer.Report) { r.Money.Minor-- }), nil, disputed},
				"no amount":    {is(func(r *acquirer.Report) { r.Money = domain.Money{} }), nil, disputed},
				"other reference": {is(func(r *acquirer.Report) {
					r.Reference = "attempt0000000000000000002"
				}), nil, disputed},
				"no reference":    {is(func(r *acquirer.Report) { r.Reference = "" }), nil, disputed},
				"short reference": {is(func(r *acquirer.Report) { r.Reference = string(id[:19]) }), nil, disputed},
				"25 characters": {is(func(r *acquirer.Report) { r.Reference = string(id[:25]) }), record, func(attempt.Claim) attempt.Report {
					return attempt.Proven{Memo: "M1"}
				}},
				"declined, other amount": {is(func(r *acquirer.Report) {
					r.State, r.Money.Minor = acquirer.StateDeclined, 1
				}), nil, disputed},
				"pending":   {is(func(r *acquirer.Report) { r.State = acquirer.StatePending }), nil, hint},
				"not found": {acquirer.Report{State: acquirer.StateNotFound}, nil, hint},
				"paid twice": {is(func(r *acquirer.Report) {
					r.More = []acquirer.Paid{{Money: asked}}
				}), record, disputed},
			}
			for name, r := range rows {
				what := fmt.Sprintf("%s in stage %s at %v", name, s, now)
				f := attempt.Proof(a, intentOf(a, domain.AttemptStateOpen), r.report, now)
				wantFinding(t, what, f, r.tell, r.then(a.Claim(expires)))
			}
		}
	}
}

// A second payment under the same reference is recorded once and named to a person, who has to
// give it back.
func TestPaidTwiceIsSetAside(t *testing.T) {
	t.Parallel()
	other := domain.Money{Minor: 1_000, Currency: domain.LYD}
	for _, s := range stages {
		a := in(s)
		r := acquirer.Report{
			State: acquirer.StatePaid, Reference: string(a.ID), Money: asked, ProviderReference: "P1",
			More: []acquirer.Paid{{Money: asked, ProviderReference: "P2"}, {Money: other, ProviderReference: "P3"}},
		}
		f := attempt.Find(a, intentOf(a, domain.AttemptStateOpen), r, noon)
		then, is := f.Next.(attempt.Disputed)
		if !is {
			t.Fatalf("%s: then %#v", s, f.Next)
		}
		for _, word := range []string{`45.750 LYD under "P2"`, `1.000 LYD under "P3"`} {
			if !strings.Contains(attempt.ReadTrouble(then.Trouble).String(), word) {
				t.Errorf("%s: %q does not name %s", s, then.Trouble, word)
			}
		}
		if strings.Contains(then.Trouble, "P1") {
			t.Errorf("%s: %q names the payment that counts", s, then.Trouble)
		}
		wantFinding(t, string(s), f, domain.RecordPayment{Attempt: a.ID, Amount: asked, ProviderReference: "P1",
			AfterExpiry: s == attempt.Ending},
			attempt.Disputed{Claim: a.Claim(expires)})
	}
}

// A payer who gives up ends the attempt for the ledger alone: the acquirer is asked on.
func TestAbandon(t *testing.T) {
	t.Parallel()
	for _, s := range stages {
		a := in(s)
		f := attempt.Abandon(a, intentOf(a, domain.AttemptStateOpen))
		wantFinding(t, string(s), f, failed(a, acquirer.Abandoned), attempt.Lapsed{Claim: a.Claim(expires)})
		if !strings.Contains(f.Refused, "gave up") {
			t.Errorf("%s: refused as %q", s, f.Refused)
		}
		after, fits := attempt.Next(a, f.Next, noon)
		if !fits || after.Stage != attempt.Closed || after.AskAt == nil || !after.AskAt.After(noon) ||
			after.BusyUntil != nil {
			t.Errorf("%s: %v, %s, asked at %v", s, fits, after.Stage, after.AskAt)
		}
	}
}

// A beginning that the acquirer has not seen, or refused the merchant, gives the message back:
// none was sent.
func TestNotBegun(t *testing.T) {
	t.Parallel()
	for _, reason := range []acquirer.Reason{acquirer.AccountRefused, acquirer.Unreachable,
		acquirer.TooManyCodes} {
		a := in(attempt.Beginning)
		a.CountedFor = [][]byte{{1}}
		f := attempt.NotBegun(a, intentOf(a, domain.AttemptStateOpen), reason)
		settled := attempt.Settled{Claim: a.Claim(expires), Usage: attempt.Usage{Messages: -1}}
		wantFinding(t, string(reason), f, failed(a, reason), settled)
		if got := attempt.UsageOf(f.Next); got != (attempt.Usage{Messages: -1}) {
			t.Errorf("%s: usage %+v", reason, got)
		}
		if after, fits := attempt.Next(a, f.Next, noon); !fits || after.Stage != attempt.Closed ||
			after.AskAt != nil || after.CountedFor != nil {
			t.Errorf("%s: %v, %+v", reason, fits, after)
		}
	}
}

// A signed message about other money has a person look also where nothing was waited for any
// more.
func TestProofOfOtherMoneyAfterTheEnd(t *testing.T) {
	t.Parallel()
	a := in(attempt.Bank)
	closed, _ := attempt.Next(a, attempt.Settled{Claim: a.Claim(expires)}, noon)
	r := acquirer.Report{State: acquirer.StatePaid, Reference: string(a.ID),
		Money: domain.Money{Minor: 1, Currency: domain.LYD}}
	f := attempt.Proof(closed, intentOf(closed, domain.AttemptStateFailed), r, noon)
	if after, fits := attempt.Next(closed, f.Next, noon); !fits || after.Stage != attempt.Quarantined ||
		after.Trouble == "" {
		t.Errorf("%v, %s, %q", fits, after.Stage, after.Trouble)
	}
	hinted, _ := attempt.Next(closed, attempt.Hint{}, noon)
	if after, fits := attempt.Next(hinted, f.Next, noon); fits || after.AskAt == nil {
		t.Error("a hint is lost")
	}
}
