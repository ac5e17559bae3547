package attempt_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/sandbox"
	"daftar/payments/attempt"
)

var (
	noon    = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	expires = noon.Add(time.Hour)
	stages  = []attempt.Stage{
		attempt.Beginning, attempt.Code, attempt.Bank, attempt.Asking, attempt.Ending, attempt.Closed,
		attempt.Quarantined,
	}
)

// in is an attempt in a stage that was claimed a minute ago, until in a minute.
func in(s attempt.Stage) attempt.Attempt {
	a := attempt.New("attempt0000000000000000001", domain.IntentID{1}, "sandbox", sandbox.Wallet,
		"091•••5678", "ar", noon.Add(-time.Minute), noon.Add(time.Minute))
	a.Stage = s
	return a
}

// Where each report has a place, and the stage that follows. What is not listed is
// refused.
func TestEveryReportInEveryStage(t *testing.T) {
	t.Parallel()
	same := func(all ...attempt.Stage) map[attempt.Stage]attempt.Stage {
		to := map[attempt.Stage]attempt.Stage{}
		for _, s := range all {
			to[s] = s
		}
		return to
	}
	all := func(then attempt.Stage) map[attempt.Stage]attempt.Stage {
		to := map[attempt.Stage]attempt.Stage{}
		for _, s := range stages {
			to[s] = then
		}
		return to
	}
	until := noon.Add(time.Minute)
	type next = map[attempt.Stage]attempt.Stage
	for name, row := range map[string]struct {
		report func(attempt.Claim) attempt.Report
		next   next
	}{
		"call begin":     {func(attempt.Claim) attempt.Report { return attempt.CallBegin{Until: until, ExpiresAt: expires} }, same(attempt.Beginning)},
		"enter code":     {func(attempt.Claim) attempt.Report { return attempt.EnterCode{Until: until, ExpiresAt: expires} }, next{attempt.Code: attempt.Asking}},
		"give up a code": {func(attempt.Claim) attempt.Report { return attempt.GiveUp{From: attempt.Code, Until: until} }, next{attempt.Code: attempt.Asking}},
		"leave the bank": {func(attempt.Claim) attempt.Report { return attempt.GiveUp{From: attempt.Bank, Until: until} }, next{attempt.Bank: attempt.Asking}},
		"give up early":  {func(attempt.Claim) attempt.Report { return attempt.GiveUp{From: attempt.Beginning, Until: until} }, nil},
		"resend":         {func(attempt.Claim) attempt.Report { return attempt.Resend{ExpiresAt: expires} }, same(attempt.Code)},
		"hint":           {func(attempt.Claim) attempt.Report { return attempt.Hint{} }, same(stages...)},
		"dismiss":        {func(attempt.Claim) attempt.Report { return attempt.Dismiss{} }, all(attempt.Closed)},
		"inquire":        {func(attempt.Claim) attempt.Report { return attempt.Inquire{Until: until} }, nil}, // not due before its time
		"code sent": {
			func(c attempt.Claim) attempt.Report { return attempt.CodeSent{Claim: c} },
			next{attempt.Beginning: attempt.Code, attempt.Code: attempt.Code},
		},
		"new code": {func(c attempt.Claim) attempt.Report { return attempt.CodeSent{Claim: c, Again: true} }, same(attempt.Code, attempt.Asking)},
		"redirected": {
			func(c attempt.Claim) attempt.Report { return attempt.Redirected{Claim: c} },
			next{attempt.Beginning: attempt.Bank, attempt.Bank: attempt.Bank},
		},
		"wrong code":   {func(c attempt.Claim) attempt.Report { return attempt.WrongCode{Claim: c} }, next{attempt.Asking: attempt.Code}},
		"not tried":    {func(c attempt.Claim) attempt.Report { return attempt.CodeNotTried{Claim: c} }, next{attempt.Asking: attempt.Code}},
		"not given up": {func(c attempt.Claim) attempt.Report { return attempt.NotGivenUp{Claim: c, From: attempt.Bank} }, next{attempt.Asking: attempt.Bank}},
		"still open":   {func(c attempt.Claim) attempt.Report { return attempt.StillOpen{Claim: c, From: attempt.Code} }, next{attempt.Asking: attempt.Code}},
		"unknown":      {func(c attempt.Claim) attempt.Report { return attempt.Unknown{Claim: c} }, same(stages...)},
		"undecided":    {func(c attempt.Claim) attempt.Report { return attempt.Undecided{Claim: c} }, same(stages...)},
		"unanswered":   {func(c attempt.Claim) attempt.Report { return attempt.Unanswered{Claim: c} }, same(stages...)},
		"not taken":    {func(c attempt.Claim) attempt.Report { return attempt.NotTaken{Claim: c} }, all(attempt.Ending)},
		"lapsed":       {func(c attempt.Claim) attempt.Report { return attempt.Lapsed{Claim: c} }, all(attempt.Closed)},
		"resumed":      {func(c attempt.Claim) attempt.Report { return attempt.Resumed{Claim: c} }, all(attempt.Asking)},
		"settled":      {func(c attempt.Claim) attempt.Report { return attempt.Settled{Claim: c} }, all(attempt.Closed)},
		"disputed":     {func(c attempt.Claim) attempt.Report { return attempt.Disputed{Claim: c, Trouble: "x"} }, all(attempt.Quarantined)},
		"proven":       {func(attempt.Claim) attempt.Report { return attempt.Proven{Memo: "M1"} }, all(attempt.Closed)},
		"waiting":      {func(c attempt.Claim) attempt.Report { return attempt.Waiting{Claim: c, Until: until} }, same(stages...)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, s := range stages {
				before := in(s)
				after, fits := attempt.Next(before, row.report(before.Claim(expires)), noon)
				if want, has := row.next[s]; fits != has || fits && after.Stage != want {
					t.Errorf("in stage %s: %s, %v; want %q", s, after.Stage, fits, want)
				}
				if !fits && !cmp.Equal(after, before, cmp.AllowUnexported(attempt.Claim{})) {
					t.Errorf("in stage %s a refused report has changed the attempt:\n%s", s, cmp.Diff(before, after))
				}
			}
		})
	}
}

// Five codes a minute are taken; one that did not reach the acquirer does not count.
func TestCodesAreLimited(t *testing.T) {
	t.Parallel()
	a := in(attempt.Code)
	enter := func(now time.Time) bool {
		after, taken := attempt.Next(a, attempt.EnterCode{Until: now.Add(time.Minute), ExpiresAt: expires}, now)
		if !taken {
			return false
		}
		back, _ := attempt.Next(after, attempt.WrongCode{Claim: after.Claim(expires), TriesLeft: 3}, now)
		a = back
		return true
	}
	for n := range attempt.CodesPerWindow {
		if !enter(noon.Add(time.Duration(n) * time.Second)) {
			t.Fatalf("code %d is refused", n+1)
		}
	}
	late := noon.Add(10 * time.Second)
	if enter(late) {
		t.Error("one code too many is taken")
	}
	if wait := a.NoCodeFor(late); wait != attempt.CodesWindow-10*time.Second {
		t.Errorf("the wait is %v", wait)
	}
	if !enter(noon.Add(attempt.CodesWindow)) || a.Codes != 1 {
		t.Errorf("after the minute: %d codes", a.Codes)
	}
	claimed, _ := attempt.Next(a, attempt.EnterCode{Until: expires, ExpiresAt: expires},
		noon.Add(attempt.CodesWindow))
	back, fits := attempt.Next(claimed, attempt.CodeNotTried{Claim: claimed.Claim(expires)},
		noon.Add(attempt.CodesWindow))
	if !fits || back.Codes != a.Codes {
		t.Errorf("a code that was not tried counts: %d, want %d", back.Codes, a.Codes)
	}
}

func TestResendWaits(t *testing.T) {
	t.Parallel()
	a := in(attempt.Code)
	a.CodeSentAt = new(noon)
	if _, taken := attempt.Next(a, attempt.Resend{ExpiresAt: expires},
		noon.Add(attempt.ResendEvery-time.Millisecond)); taken {
		t.Error("a new code is sent too early")
	}
	sent, taken := attempt.Next(a, attempt.Resend{ExpiresAt: expires}, noon.Add(attempt.ResendEvery))
	if !taken || sent.NoResendFor(noon.Add(attempt.ResendEvery)) != attempt.ResendEvery {
		t.Errorf("after the wait: %v", taken)
	}
	undone, taken := attempt.Next(sent, attempt.CodeNotSent{At: sent.CodeSentAt, Before: a.CodeSentAt}, noon)
	if !taken || !undone.CodeSentAt.Equal(noon) {
		t.Errorf("a code that was not sent: %v at %v", taken, undone.CodeSentAt)
	}
	if _, taken := attempt.Next(undone, attempt.CodeNotSent{At: sent.CodeSentAt, Before: nil}, noon); taken {
		t.Error("a claim is undone twice")
	}
}

// A look at the page has the acquirer asked, unless that would be of no use.
func TestHurry(t *testing.T) {
	t.Parallel()
	waiting := in(attempt.Asking)
	waiting.BusyUntil = nil
	for name, row := range map[string]struct {
		change func(*attempt.Attempt)
		want   bool
	}{
		"waits":                   {func(*attempt.Attempt) {}, true},
		"at the bank":             {func(a *attempt.Attempt) { a.Stage = attempt.Bank }, true},
		"asked a moment ago":      {func(a *attempt.Attempt) { a.AskedAt = new(noon.Add(-time.Second)) }, false},
		"asked a while ago":       {func(a *attempt.Attempt) { a.AskedAt = new(noon.Add(-3 * time.Second)) }, true},
		"a server is at it":       {func(a *attempt.Attempt) { a.BusyUntil = new(noon) }, false},
		"a server was at it":      {func(a *attempt.Attempt) { a.BusyUntil = new(noon.Add(-1)) }, true},
		"is due anyway":           {func(a *attempt.Attempt) { a.AskAt = new(noon) }, false},
		"nothing is waited for":   {func(a *attempt.Attempt) { a.Stage, a.AskAt = attempt.Closed, nil }, false},
		"the payer has a code":    {func(a *attempt.Attempt) { a.Stage, a.CodeUntil = attempt.Code, new(noon) }, false},
		"the payer's code lapsed": {func(a *attempt.Attempt) { a.Stage, a.CodeUntil = attempt.Code, new(noon.Add(-1)) }, true},
		"set aside":               {func(a *attempt.Attempt) { a.Stage = attempt.Quarantined }, false},
		"the time is over":        {func(a *attempt.Attempt) { a.Stage = attempt.Ending }, true},
	} {
		a := waiting
		row.change(&a)
		after, got := attempt.Next(a, attempt.InquireEarly{NotSince: 2 * time.Second, ExpiresAt: expires}, noon)
		if got != row.want || got && !after.AskAt.Equal(noon) {
			t.Errorf("%s: hurried %v, asked at %v", name, got, after.AskAt)
		}
	}
}

// A hint that comes in while a caller talks to the acquirer is not lost, whatever
// the caller has learnt; what was given is never changed in place.
func TestHintsAreNotLost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		claimed := in(rapid.SampledFrom(stages).Draw(t, "stage"))
		c := claimed.Claim(expires)
		later := noon.Add(time.Duration(rapid.IntRange(1, 50_000).Draw(t, "ms")) * time.Millisecond)
		hinted, _ := attempt.Next(claimed, attempt.Hint{}, later)
		kept := fmt.Sprintf("%+v", hinted)
		r := rapid.SampledFrom([]attempt.Report{
			attempt.CodeSent{Claim: c, ValidFor: time.Minute}, attempt.CodeSent{Claim: c, Again: true},
			attempt.Redirected{Claim: c}, attempt.WrongCode{Claim: c}, attempt.CodeNotTried{Claim: c},
			attempt.NotGivenUp{Claim: c, From: attempt.Bank}, attempt.StillOpen{Claim: c, From: attempt.Code},
			attempt.Unknown{Claim: c},
			attempt.Undecided{Claim: c}, attempt.Unanswered{Claim: c}, attempt.Resumed{Claim: c},
			attempt.Settled{Claim: c},
			attempt.NotTaken{Claim: c}, attempt.Lapsed{Claim: c},
			attempt.Disputed{Claim: c}, attempt.Waiting{Claim: c, Until: expires},
		}).Draw(t, "report")
		after, _ := attempt.Next(hinted, r, later.Add(time.Second))
		if after.AskAt == nil || !after.AskAt.Equal(later) {
			t.Fatalf("%T: the acquirer is asked at %v, the hint was at %v", r, after.AskAt, later)
		}
		if now := fmt.Sprintf("%+v", hinted); now != kept {
			t.Fatalf("%T has changed what it was given", r)
		}
	})
}

// What an acquirer's word leads to.
func TestFind(t *testing.T) {
	t.Parallel()
	amount := domain.Money{Minor: 45_750, Currency: domain.LYD}
	id := in(attempt.Asking).ID
	paid := acquirer.Report{State: acquirer.StatePaid, Reference: string(id), Money: amount,
		ProviderReference: "P1"}
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
	for name, row := range map[string]struct {
		stage  attempt.Stage
		report acquirer.Report
		age    time.Duration
		tell   domain.Command
		then   attempt.Report
		begin  bool
	}{
		"paid": {attempt.Asking, paid, 0,
			domain.RecordPayment{Attempt: id, Amount: amount, ProviderReference: "P1"}, attempt.Settled{}, false},
		"declined": {attempt.Asking, declined, 0,
			domain.FailAttempt{Attempt: id, Reason: string(acquirer.SettledByOperator)}, attempt.Settled{}, false},
		"another amount": {attempt.Asking, with(func(r *acquirer.Report) {
			r.Money.Minor++
		}), 0, nil, attempt.Disputed{}, false},
		"another attempt": {attempt.Asking, with(func(r *acquirer.Report) {
			r.Reference = "other"
		}), 0, nil, attempt.Disputed{}, false},
		"pending":                   {attempt.Asking, pending, 0, nil, attempt.Undecided{}, false},
		"pending, the answer lost":  {attempt.Beginning, pending, 0, nil, attempt.Undecided{}, true},
		"pending, set aside before": {attempt.Quarantined, pending, 0, nil, attempt.Resumed{}, false},
		"not seen yet":              {attempt.Beginning, unseen, time.Second, nil, attempt.Undecided{}, false},
		"never seen": {attempt.Beginning, unseen, time.Minute,
			domain.FailAttempt{Attempt: id, Reason: string(acquirer.Unreachable)}, attempt.Settled{}, false},
		"not seen, a code was typed": {attempt.Asking, unseen, time.Hour, nil, attempt.Undecided{}, false},
		"a word that makes no sense": {attempt.Asking, with(func(r *acquirer.Report) {
			r.State = "perhaps"
		}), 0, nil, attempt.Undecided{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := in(row.stage)
			i := domain.Intent{Amount: amount, ExpiresAt: expires,
				Attempts: []domain.Attempt{{ID: a.ID, State: domain.AttemptStateOpen}}}
			f := attempt.Find(a, i, row.report, a.CreatedAt.Add(row.age))
			if diff := cmp.Diff(row.tell, f.Command, cmpopts.EquateComparable()); diff != "" {
				t.Errorf("the command for the ledger (-want +got):\n%s", diff)
			}
			if got, want := fmt.Sprintf("%T", f.Next), fmt.Sprintf("%T", row.then); got != want ||
				f.Begin != row.begin {
				t.Errorf("then %s, begin %v; want %s", got, f.Begin, want)
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
	if f := attempt.Find(a, i, acquirer.Report{State: acquirer.StateNotFound}, noon); f.Command != nil ||
		f.Next != (attempt.Settled{Claim: a.Claim(i.ExpiresAt)}) {
		t.Errorf("%+v", f)
	}
}

// However many hints come in, an attempt keeps its place among those that are due, and is not
// asked about twice within the pause; no claim stands over a hint.
func TestHintsMoveNothingBackwards(t *testing.T) {
	t.Parallel()
	hint := func(a attempt.Attempt, now time.Time) attempt.Attempt {
		after, fits := attempt.Next(a, attempt.Hint{}, now)
		if !fits {
			t.Fatal("a hint is refused")
		}
		return after
	}
	due := in(attempt.Bank)
	due.AskAt = new(noon.Add(-time.Minute))
	for n := range 1_000 {
		after := hint(due, noon.Add(time.Duration(n)*time.Millisecond))
		if after.AskAt.After(*due.AskAt) {
			t.Fatalf("hint %d moves it from %v to %v", n, due.AskAt, after.AskAt)
		}
		due = after
	}

	asked := in(attempt.Bank)
	asked.AskAt, asked.Asked = new(noon), 20
	claimed, _ := attempt.Next(asked, attempt.Inquire{Until: noon.Add(time.Minute)}, noon)
	hinted := hint(claimed, noon.Add(time.Millisecond))
	if want := noon.Add(time.Second); !hinted.AskAt.Equal(want) {
		t.Errorf("asked at noon, it is asked about again at %v, want %v", hinted.AskAt, want)
	}
	first := in(attempt.Bank)
	first.AskAt = new(noon)
	first, _ = attempt.Next(first, attempt.Inquire{Until: noon.Add(time.Minute)}, noon)
	if first = hint(first, noon); !first.AskAt.Equal(noon.Add(100 * time.Millisecond)) {
		t.Errorf("asked once, at noon, it is asked about again at %v", first.AskAt)
	}
	if after, _ := attempt.Next(hinted, attempt.Undecided{Claim: claimed.Claim(expires)},
		noon.Add(2*time.Millisecond)); !after.AskAt.Equal(*hinted.AskAt) {
		t.Errorf("the answer that was under way moves a hint from %v to %v", hinted.AskAt, after.AskAt)
	}
	late := hint(claimed, noon.Add(2*time.Minute)) // the claim is over, and who had it may still answer
	if late.AskAt.Equal(*claimed.AskAt) || late.AskAt.After(*claimed.AskAt) {
		t.Errorf("after the claim: %v, want before %v", late.AskAt, claimed.AskAt)
	}
	if claimed.DueSoon(noon.Add(2*time.Minute)) || !hinted.DueSoon(noon.Add(time.Millisecond)) ||
		in(attempt.Bank).DueSoon(noon) {
		t.Error("what is asked about soon is not what a hint leaves as it is")
	}
}
