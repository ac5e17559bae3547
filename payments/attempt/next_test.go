package attempt_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
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

// in returns an attempt in a stage that was claimed a minute ago, for two minutes.
func in(s attempt.Stage) attempt.Attempt {
	a := attempt.New("attempt0000000000000000001", domain.IntentID{1}, "sandbox", sandbox.Wallet,
		"091•••5678", "ar", noon.Add(-time.Minute), noon.Add(time.Minute))
	a.Stage = s
	return a
}

// The stages in which each report fits, and the stage that follows. In the others it is refused.
func TestEveryReportInEveryStage(t *testing.T) {
	t.Parallel()
	type stageAfter map[attempt.Stage]attempt.Stage
	same := func(all ...attempt.Stage) stageAfter {
		to := stageAfter{}
		for _, s := range all {
			to[s] = s
		}
		return to
	}
	all := func(then attempt.Stage) stageAfter {
		to := stageAfter{}
		for _, s := range stages {
			to[s] = then
		}
		return to
	}
	until := noon.Add(time.Minute)
	type row struct {
		report attempt.Report
		next   stageAfter
	}
	toAsking := stageAfter{attempt.Code: attempt.Asking}
	backToCode := stageAfter{attempt.Asking: attempt.Code}
	rows := func(c attempt.Claim) map[string]row {
		return map[string]row{
			"call begin":     {attempt.CallBegin{Until: until, ExpiresAt: expires}, same(attempt.Beginning)},
			"enter code":     {attempt.EnterCode{Until: until, ExpiresAt: expires}, toAsking},
			"give up a code": {attempt.GiveUp{From: attempt.Code, Until: until}, toAsking},
			"leave the bank": {
				attempt.GiveUp{From: attempt.Bank, Until: until},
				stageAfter{attempt.Bank: attempt.Asking},
			},
			"give up early": {attempt.GiveUp{From: attempt.Beginning, Until: until}, nil},
			"resend":        {attempt.Resend{ExpiresAt: expires}, same(attempt.Code)},
			"hint":          {attempt.Hint{}, same(stages...)},
			"dismiss":       {attempt.Dismiss{}, all(attempt.Closed)},
			"inquire":       {attempt.Inquire{Until: until}, nil}, // not due yet
			"code sent": {
				attempt.CodeSent{Claim: c},
				stageAfter{attempt.Beginning: attempt.Code, attempt.Code: attempt.Code},
			},
			"new code": {attempt.CodeSent{Claim: c, Again: true}, same(attempt.Code, attempt.Asking)},
			"redirected": {
				attempt.Redirected{Claim: c},
				stageAfter{attempt.Beginning: attempt.Bank, attempt.Bank: attempt.Bank},
			},
			"wrong code": {attempt.WrongCode{Claim: c}, backToCode},
			"not tried":  {attempt.CodeNotTried{Claim: c}, backToCode},
			"not given up": {
				attempt.NotGivenUp{Claim: c, From: attempt.Bank},
				stageAfter{attempt.Asking: attempt.Bank},
			},
			"still open": {attempt.StillOpen{Claim: c, From: attempt.Code}, backToCode},
			"unknown":    {attempt.Unknown{Claim: c}, same(stages...)},
			"undecided":  {attempt.Undecided{Claim: c}, same(stages...)},
			"unanswered": {attempt.Unanswered{Claim: c}, same(stages...)},
			"not taken":  {attempt.NotTaken{Claim: c}, all(attempt.Ending)},
			"lapsed":     {attempt.Lapsed{Claim: c}, all(attempt.Closed)},
			"resumed":    {attempt.Resumed{Claim: c}, all(attempt.Asking)},
			"settled":    {attempt.Settled{Claim: c}, all(attempt.Closed)},
			"disputed":   {attempt.Disputed{Claim: c, Trouble: "x"}, all(attempt.Quarantined)},
			"proven":     {attempt.Proven{Memo: "M1"}, all(attempt.Closed)},
			"waiting":    {attempt.Waiting{Claim: c, Until: until}, same(stages...)},
		}
	}
	for name := range rows(attempt.Claim{}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, s := range stages {
				before := in(s)
				row := rows(before.Claim(expires))[name]
				after, fits := attempt.Next(before, row.report, noon)
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

// Whatever closes an attempt, what only an open one needs is not kept.
func TestClosedAttemptsForget(t *testing.T) {
	t.Parallel()
	before := in(attempt.Code)
	before.SentTo, before.CountedFor = "091•••5678", [][]byte{{1}}
	before.CodeUntil, before.CodeSentAt, before.ResentAt, before.CodesSince = &noon, &noon, &noon, &noon
	before.Asked, before.AskedAt = 20, new(noon.Add(-time.Hour))
	c := before.Claim(expires)
	for _, r := range []attempt.Report{
		attempt.Settled{Claim: c}, attempt.Lapsed{Claim: c}, attempt.Dismiss{}, attempt.Proven{},
	} {
		after, fits := attempt.Next(before, r, noon)
		if !fits || after.SentTo != "" || after.CountedFor != nil || after.CodeUntil != nil ||
			after.CodeSentAt != nil || after.ResentAt != nil || after.CodesSince != nil ||
			after.AskedAt != nil {
			t.Errorf("%T: %+v, %v", r, after, fits)
		}
		// Hints are slowed down as from an inquiry when it closed.
		after.AskAt = nil
		if after, _ = attempt.Next(after, attempt.Hint{}, noon.Add(time.Millisecond)); !after.AskAt.Equal(
			noon.Add(time.Second)) {
			t.Errorf("%T at noon, and after a hint asked about at %v", r, after.AskAt)
		}
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
	next := noon.Add(attempt.CodesWindow)
	claimed, _ := attempt.Next(a, attempt.EnterCode{Until: expires, ExpiresAt: expires}, next)
	back, fits := attempt.Next(claimed, attempt.CodeNotTried{Claim: claimed.Claim(expires)}, next)
	if !fits || back.Codes != a.Codes {
		t.Errorf("a code that was not tried counts: %d, want %d", back.Codes, a.Codes)
	}
}

func TestResendWaits(t *testing.T) {
	t.Parallel()
	a := in(attempt.Code)
	a.CodeSentAt = new(noon)
	early := noon.Add(attempt.ResendEvery - time.Millisecond)
	if _, taken := attempt.Next(a, attempt.Resend{ExpiresAt: expires}, early); taken {
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

// A payer who looks at the page makes the attempt due, unless an inquiry would be of no use.
func TestInquireEarly(t *testing.T) {
	t.Parallel()
	waiting := in(attempt.Asking)
	waiting.BusyUntil = nil
	for name, row := range map[string]struct {
		change func(*attempt.Attempt)
		want   bool
	}{
		"waits":              {func(*attempt.Attempt) {}, true},
		"at the bank":        {func(a *attempt.Attempt) { a.Stage = attempt.Bank }, true},
		"asked a moment ago": {func(a *attempt.Attempt) { a.AskedAt = new(noon.Add(-time.Second)) }, false},
		"asked a while ago":  {func(a *attempt.Attempt) { a.AskedAt = new(noon.Add(-3 * time.Second)) }, true},
		"claimed":            {func(a *attempt.Attempt) { a.BusyUntil = new(noon) }, false},
		"no longer claimed":  {func(a *attempt.Attempt) { a.BusyUntil = new(noon.Add(-1)) }, true},
		"is due anyway":      {func(a *attempt.Attempt) { a.AskAt = new(noon) }, false},
		"closed":             {func(a *attempt.Attempt) { a.Stage, a.AskAt = attempt.Closed, nil }, false},
		"the payer has a code": {
			func(a *attempt.Attempt) { a.Stage, a.CodeUntil = attempt.Code, new(noon) }, false,
		},
		"the payer's code lapsed": {
			func(a *attempt.Attempt) { a.Stage, a.CodeUntil = attempt.Code, new(noon.Add(-1)) }, true,
		},
		"set aside": {func(a *attempt.Attempt) { a.Stage = attempt.Quarantined }, false},
		"ending":    {func(a *attempt.Attempt) { a.Stage = attempt.Ending }, true},
	} {
		a := waiting
		row.change(&a)
		after, got := attempt.Next(a, attempt.InquireEarly{NotSince: 2 * time.Second, ExpiresAt: expires}, noon)
		if got != row.want || got && !after.AskAt.Equal(noon) {
			t.Errorf("%s: fits %v, asked at %v", name, got, after.AskAt)
		}
	}
}
