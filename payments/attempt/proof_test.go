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

// intentOf returns the intent of an attempt, which has that state in the ledger.
func intentOf(a attempt.Attempt, s domain.AttemptState) domain.Intent {
	return domain.Intent{
		Terms: domain.Terms{Amount: asked}, ExpiresAt: expires,
		Attempts: []domain.Attempt{{ID: a.ID, State: s}},
	}
}

// wantFinding compares the command for the ledger and the report.
func wantFinding(t *testing.T, what string, f attempt.Finding, want domain.Command, next attempt.Report) {
	t.Helper()
	if diff := cmp.Diff(want, f.Command, cmpopts.EquateComparable()); diff != "" {
		t.Errorf("%s: the command for the ledger (-want +got):\n%s", what, diff)
	}
	if d, is := f.Next.(attempt.Disputed); is && d.Trouble == "" {
		t.Errorf("%s: set aside without a trouble", what)
	} else if is {
		d.Trouble = "" // other tests compare it
		f.Next = d
	}
	if f.Next != next {
		t.Errorf("%s: next %#v, want %#v", what, f.Next, next)
	}
	if f.Begin || f.Err != nil {
		t.Errorf("%s: begin %v, error %v", what, f.Begin, f.Err)
	}
}

func failed(a attempt.Attempt, reason acquirer.Reason) domain.Command {
	return domain.FailAttempt{Attempt: a.ID, Reason: string(reason)}
}

// Without inquiries an attempt ends where no money can have moved, waits while the payer or a
// message may still come, and otherwise is set aside.
func TestNoInquiry(t *testing.T) {
	t.Parallel()
	onlyConfirm, pays := acquirer.Capability{OnlyConfirmPays: true}, acquirer.Capability{}
	lapses := expires.Add(attempt.LapsesAfter)
	const early, late, lapsed = -time.Nanosecond, 0, attempt.LapsesAfter
	type row struct {
		stage attempt.Stage
		can   acquirer.Capability
		after time.Duration // the expiry
		fails acquirer.Reason
		wait  time.Time // zero: it does not wait
		aside bool      // set aside for a person
	}
	for _, r := range []row{
		{stage: attempt.Beginning, can: onlyConfirm, after: early, fails: acquirer.Unreachable},
		{stage: attempt.Beginning, can: onlyConfirm, after: late, fails: acquirer.Unreachable},
		{stage: attempt.Beginning, can: pays, after: early, fails: acquirer.Unreachable},
		{stage: attempt.Beginning, can: pays, after: lapsed, fails: acquirer.Unreachable},
		{stage: attempt.Code, can: onlyConfirm, after: early, wait: expires},
		{stage: attempt.Code, can: onlyConfirm, after: late, fails: acquirer.Expired},
		{stage: attempt.Code, can: onlyConfirm, after: lapsed, fails: acquirer.Expired},
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
		what := fmt.Sprintf("%s, only a code pays: %v, %v after the expiry",
			r.stage, r.can.OnlyConfirmPays, r.after)
		f := attempt.NoInquiry(a, intentOf(a, domain.AttemptStateOpen), r.can, expires.Add(r.after))
		switch {
		case r.aside:
			wantFinding(t, what, f, nil, attempt.Disputed{Claim: c})
		case !r.wait.IsZero():
			wantFinding(t, what, f, nil, attempt.Waiting{Claim: c, Until: r.wait})
		default:
			wantFinding(t, what, f, failed(a, r.fails), attempt.Settled{Claim: c})
		}
	}
}

// After a code was handed over only a person can find out the outcome. An outcome that the
// ledger has already is not sent to it again.
func TestNoInquiryInOtherStages(t *testing.T) {
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

// No attempt is due for ever: after a few turns it is closed or set aside.
func TestNoInquiryEnds(t *testing.T) {
	t.Parallel()
	for _, s := range stages {
		for _, can := range []acquirer.Capability{{}, {OnlyConfirmPays: true}} {
			a, turns := in(s), 0
			for ; a.AskAt != nil && turns < 5; turns++ {
				now := *a.AskAt
				f := attempt.NoInquiry(a, intentOf(a, domain.AttemptStateOpen), can, now)
				after, fits := attempt.Next(a, f.Next, now)
				if !fits {
					t.Fatalf("%s: %T does not fit", s, f.Next)
				}
				a = after
			}
			if turns > 3 || a.Stage != attempt.Closed && a.Stage != attempt.Quarantined {
				t.Errorf("%s, only a code pays: %v: after %d turns %s", s, can.OnlyConfirmPays, turns, a.Stage)
			}
		}
	}
}

// A signed message about the attempt's money settles it; one about other money sets it aside;
// one without an outcome is a hint.
func TestProof(t *testing.T) {
	t.Parallel()
	id := in(attempt.Bank).ID
	with := func(change func(*acquirer.Report)) acquirer.Report {
		r := acquirer.Report{
			State: acquirer.StatePaid, Reference: string(id), Money: asked, ProviderReference: "P1", Memo: "M1",
		}
		change(&r)
		return r
	}
	paid := with(func(*acquirer.Report) {})
	declined := with(func(r *acquirer.Report) {
		r.State, r.Reason, r.Memo = acquirer.StateDeclined, acquirer.InsufficientFunds, ""
	})
	type row struct {
		report acquirer.Report
		want   domain.Command
		next   attempt.Report
	}
	otherID := domain.AttemptID("attempt0000000000000000002")
	reference := func(id domain.AttemptID) acquirer.Report {
		return with(func(r *acquirer.Report) { r.Reference = string(id) })
	}
	otherAmount := with(func(r *acquirer.Report) { r.Money.Minor-- })
	noAmount := with(func(r *acquirer.Report) { r.Money = domain.Money{} })
	declinedOther := with(func(r *acquirer.Report) { r.State, r.Money.Minor = acquirer.StateDeclined, 1 })
	pending := with(func(r *acquirer.Report) { r.State = acquirer.StatePending })
	paidTwice := with(func(r *acquirer.Report) { r.More = []acquirer.Paid{{Money: asked}} })
	proven, hint := attempt.Proven{Memo: "M1"}, attempt.Hint{}
	for _, s := range stages {
		for _, now := range []time.Time{noon, expires, expires.Add(time.Hour)} {
			a := in(s)
			record := domain.RecordPayment{
				Attempt: id, Amount: asked, ProviderReference: "P1", AfterExpiry: s == attempt.Ending,
			}
			disputed := attempt.Disputed{Claim: a.Claim(expires)}
			rows := map[string]row{
				"paid":                   {paid, record, proven},
				"declined":               {declined, failed(a, acquirer.InsufficientFunds), attempt.Proven{}},
				"other amount":           {otherAmount, nil, disputed},
				"no amount":              {noAmount, nil, disputed},
				"other reference":        {reference(otherID), nil, disputed},
				"no reference":           {reference(""), nil, disputed},
				"short reference":        {reference(id[:19]), nil, disputed},
				"25 characters":          {reference(id[:25]), record, proven},
				"declined, other amount": {declinedOther, nil, disputed},
				"pending":                {pending, nil, hint},
				"not found":              {acquirer.Report{State: acquirer.StateNotFound}, nil, hint},
				"paid twice":             {paidTwice, record, disputed},
			}
			for name, r := range rows {
				what := fmt.Sprintf("%s in stage %s at %v", name, s, now)
				f := attempt.Proof(a, intentOf(a, domain.AttemptStateOpen), r.report, now)
				wantFinding(t, what, f, r.want, r.next)
			}
		}
	}
}

// Of two payments under the same reference one is recorded, and the other is named to a person, who
// has to give it back.
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
		next, is := f.Next.(attempt.Disputed)
		if !is {
			t.Fatalf("%s: next %#v", s, f.Next)
		}
		for _, word := range []string{`45.750 LYD under "P2"`, `1.000 LYD under "P3"`} {
			if !strings.Contains(attempt.ReadTrouble(next.Trouble).String(), word) {
				t.Errorf("%s: %q does not name %s", s, next.Trouble, word)
			}
		}
		if strings.Contains(next.Trouble, "P1") {
			t.Errorf("%s: %q names the payment that counts", s, next.Trouble)
		}
		want := domain.RecordPayment{
			Attempt: a.ID, Amount: asked, ProviderReference: "P1", AfterExpiry: s == attempt.Ending,
		}
		wantFinding(t, string(s), f, want, attempt.Disputed{Claim: a.Claim(expires)})
	}
}

// A payer who gives up ends the attempt in the ledger only: inquiries continue.
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

// Where the acquirer has not seen Begin, or refused the merchant, no message was sent: its usage is
// given back.
func TestNotBegun(t *testing.T) {
	t.Parallel()
	for _, reason := range []acquirer.Reason{
		acquirer.AccountRefused, acquirer.Unreachable, acquirer.TooManyCodes,
	} {
		a := in(attempt.Beginning)
		a.CountedFor = [][]byte{{1}}
		f := attempt.NotBegun(a, intentOf(a, domain.AttemptStateOpen), reason)
		settled := attempt.Settled{Claim: a.Claim(expires), Usage: attempt.Usage{Messages: -1}}
		wantFinding(t, string(reason), f, failed(a, reason), settled)
		if got := attempt.UsageOf(f.Next); got != (attempt.Usage{Messages: -1}) {
			t.Errorf("%s: usage %+v", reason, got)
		}
		after, fits := attempt.Next(a, f.Next, noon)
		if !fits || after.Stage != attempt.Closed || after.AskAt != nil || after.CountedFor != nil {
			t.Errorf("%s: %v, %+v", reason, fits, after)
		}
	}
}

// A signed message about other money sets a closed attempt aside too.
func TestProofOfOtherMoneyAfterTheEnd(t *testing.T) {
	t.Parallel()
	a := in(attempt.Bank)
	closed, _ := attempt.Next(a, attempt.Settled{Claim: a.Claim(expires)}, noon)
	r := acquirer.Report{
		State: acquirer.StatePaid, Reference: string(a.ID), Money: domain.Money{Minor: 1, Currency: domain.LYD},
	}
	f := attempt.Proof(closed, intentOf(closed, domain.AttemptStateFailed), r, noon)
	after, fits := attempt.Next(closed, f.Next, noon)
	if !fits || after.Stage != attempt.Quarantined || after.Trouble == "" {
		t.Errorf("%v, %s, %q", fits, after.Stage, after.Trouble)
	}
	hinted, _ := attempt.Next(closed, attempt.Hint{}, noon)
	if after, fits := attempt.Next(hinted, f.Next, noon); fits || after.AskAt == nil {
		t.Error("a hint is lost")
	}
}
