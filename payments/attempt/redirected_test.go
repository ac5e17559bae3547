package attempt_test

import (
	"testing"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
)

// How the payer continues follows from the acquirer's answer, also after giving up in vain.
func TestPayerFlow(t *testing.T) {
	t.Parallel()
	const page, script = "https://bank.example/pay", "https://bank.example/form.js"
	const form, code = `{"MID":"1"}`, "000201"
	for name, row := range map[string]struct {
		url, presented string
		want           acquirer.Flow
	}{
		"a page":         {page, "", acquirer.Redirect},
		"a form":         {script, form, acquirer.Lightbox},
		"a code":         {"", code, acquirer.QR},
		"nothing so far": {"", "", acquirer.Redirect},
	} {
		for _, from := range []attempt.Stage{attempt.Beginning, attempt.Bank} {
			a := in(from)
			redirected, fits := attempt.Next(a, attempt.Redirected{
				Claim: a.Claim(expires), URL: row.url, Presented: row.presented, Memo: "M1",
			}, noon)
			if !fits || redirected.Stage != attempt.Bank || redirected.BankURL != row.url ||
				redirected.Presented != row.presented || redirected.Memo != "M1" {
				t.Errorf("%s from %s: %v, %+v", name, from, fits, redirected)
			}
			if redirected.BusyUntil != nil || redirected.AskAt == nil || !redirected.AskAt.After(noon) ||
				!redirected.Since.Equal(noon) {
				t.Errorf("%s from %s: busy until %v, asked at %v",
					name, from, redirected.BusyUntil, redirected.AskAt)
			}
			if got := redirected.PayerFlow(); got != row.want {
				t.Errorf("%s from %s: the payer continues by %s, want %s", name, from, got, row.want)
			}
			asked, _ := attempt.Next(redirected, attempt.Hint{}, noon)
			gone, fits := attempt.Next(asked, attempt.GiveUp{From: attempt.Bank, Until: expires}, noon)
			back, stays := attempt.Next(gone, attempt.StillOpen{Claim: gone.Claim(expires), From: attempt.Bank}, noon)
			if !fits || !stays || back.PayerFlow() != row.want || back.Memo != "M1" {
				t.Errorf("%s: after giving up in vain %+v", name, back)
			}
		}
	}
}

// A redirect in a later stage is refused, and the attempt stays as it was.
func TestRedirectedTooLate(t *testing.T) {
	t.Parallel()
	for _, s := range []attempt.Stage{
		attempt.Code, attempt.Asking, attempt.Ending, attempt.Closed, attempt.Quarantined,
	} {
		a := in(s)
		after, fits := attempt.Next(a, attempt.Redirected{
			Claim: a.Claim(expires), URL: "https://bank.example/", Memo: "M1",
		}, noon)
		if fits || after.BankURL != "" || after.Memo != "" || after.Stage != s {
			t.Errorf("in stage %s: %v, %+v", s, fits, after)
		}
	}
	// After a hint in between the attempt is due now.
	a := in(attempt.Beginning)
	hinted, _ := attempt.Next(a, attempt.Hint{}, noon)
	answer := attempt.Redirected{Claim: a.Claim(expires), Presented: "000201"}
	redirected, fits := attempt.Next(hinted, answer, noon.Add(time.Second))
	if !fits || !redirected.AskAt.Equal(noon) {
		t.Errorf("the hint is lost: %v, asked at %v", fits, redirected.AskAt)
	}
}

// An answer without a memo keeps the one before; a new memo replaces it.
func TestMemoIsKept(t *testing.T) {
	t.Parallel()
	a := in(attempt.Beginning)
	sent, _ := attempt.Next(a, attempt.CodeSent{Claim: a.Claim(expires), Memo: "M1"}, noon)
	again, _ := attempt.Next(sent, attempt.CodeSent{Claim: sent.Claim(expires), Again: true}, noon)
	proven, _ := attempt.Next(again, attempt.Proven{}, noon)
	other, _ := attempt.Next(again, attempt.Proven{Memo: "M2"}, noon)
	settled, _ := attempt.Next(again, attempt.Settled{Claim: again.Claim(expires)}, noon)
	refundable, _ := attempt.Next(again, attempt.Settled{Claim: again.Claim(expires), Memo: "M3"}, noon)
	if sent.Memo != "M1" || again.Memo != "M1" || proven.Memo != "M1" || other.Memo != "M2" ||
		settled.Memo != "M1" || refundable.Memo != "M3" {
		t.Errorf("memos %q %q %q %q %q %q",
			sent.Memo, again.Memo, proven.Memo, other.Memo, settled.Memo, refundable.Memo)
	}
}

// A proof settles the attempt while another caller has a claim; what that caller reports later
// changes nothing.
func TestProvenDuringAClaim(t *testing.T) {
	t.Parallel()
	for _, s := range stages {
		claimed := in(s)
		claimed.CountedFor, claimed.Trouble = [][]byte{{1}}, "set aside"
		c := claimed.Claim(expires)
		hinted, _ := attempt.Next(claimed, attempt.Hint{}, noon)
		for name, a := range map[string]attempt.Attempt{"claimed": claimed, "hinted": hinted} {
			proven, fits := attempt.Next(a, attempt.Proven{}, noon)
			if !fits || proven.Stage != attempt.Closed || proven.AskAt != nil || proven.BusyUntil != nil ||
				proven.CountedFor != nil || proven.Trouble != "" {
				t.Errorf("%s, %s: %v, %+v", s, name, fits, proven)
			}
			if got := attempt.UsageOf(attempt.Proven{}); got != (attempt.Usage{}) {
				t.Errorf("usage %+v", got)
			}
			for _, late := range []attempt.Report{
				attempt.CodeSent{Claim: c}, attempt.Redirected{Claim: c, URL: "https://bank.example/"},
				attempt.WrongCode{Claim: c}, attempt.CodeNotTried{Claim: c},
				attempt.StillOpen{Claim: c, From: attempt.Bank}, attempt.Unknown{Claim: c},
				attempt.Waiting{Claim: c, Until: expires},
				attempt.Disputed{Claim: c, Trouble: "late"}, attempt.Settled{Claim: c},
			} {
				after, fits := attempt.Next(proven, late, noon)
				if fits || after.Stage != attempt.Closed || after.AskAt != nil {
					t.Errorf("%s, %s: after the proof %T fits: %s, asked at %v",
						s, name, late, after.Stage, after.AskAt)
				}
			}
		}
	}
}

// An attempt that waits keeps its stage. After a hint or another claim it does not wait.
func TestWaiting(t *testing.T) {
	t.Parallel()
	for _, s := range stages {
		a := in(s)
		c := a.Claim(expires)
		waits, fits := attempt.Next(a, attempt.Waiting{Claim: c, Until: expires}, noon)
		if !fits || waits.Stage != s || !waits.AskAt.Equal(expires) || waits.BusyUntil != nil ||
			!waits.Since.Equal(a.Since) {
			t.Errorf("in stage %s: %v, %+v", s, fits, waits)
		}
		hinted, _ := attempt.Next(a, attempt.Hint{}, noon)
		after, fits := attempt.Next(hinted, attempt.Waiting{Claim: c, Until: expires}, noon)
		if fits || !after.AskAt.Equal(noon) {
			t.Errorf("in stage %s a hint is lost: asked at %v", s, after.AskAt)
		}
	}
	a := in(attempt.Code)
	taken, _ := attempt.Next(a, attempt.EnterCode{Until: expires, ExpiresAt: expires}, noon)
	after, fits := attempt.Next(taken, attempt.Waiting{Claim: a.Claim(expires), Until: expires}, noon)
	if fits || after.BusyUntil == nil {
		t.Error("an attempt waits whose code is being handed over")
	}
}

// What can be paid twice is asked about for a day after the payment.
func TestRechecks(t *testing.T) {
	t.Parallel()
	a := in(attempt.Asking)
	report := acquirer.Report{
		State: acquirer.StatePaid, Reference: string(a.ID), Money: asked, ProviderReference: "P1",
	}
	i := intentOf(a, domain.AttemptStateOpen)
	paidAt, at := noon, noon
	for n, after := range []time.Duration{10 * time.Minute, time.Hour, 24 * time.Hour, 0} {
		f := attempt.Find(a, i, report, at).WithRechecks(a, i, at)
		closed, fits := attempt.Next(a, f.Next, at)
		switch {
		case !fits || closed.Stage != attempt.Closed:
			t.Fatalf("inquiry %d: %+v", n, closed)
		case after == 0 && closed.AskAt != nil:
			t.Errorf("asked about for ever: %v", closed.AskAt)
		case after > 0 && (closed.AskAt == nil || !closed.AskAt.Equal(paidAt.Add(after))):
			t.Errorf("inquiry %d: asked at %v, want %v after the payment", n, closed.AskAt, after)
		}
		if after == 0 {
			break
		}
		i = intentOf(a, domain.AttemptStatePaid)
		i.Attempts[0].EndedAt = paidAt
		at, a = *closed.AskAt, closed
		a, _ = attempt.Next(a, attempt.Inquire{Until: at.Add(time.Minute)}, at)
	}
	declined := attempt.Find(in(attempt.Asking), intentOf(a, domain.AttemptStateOpen), acquirer.Report{
		State: acquirer.StateDeclined, Reference: string(a.ID), Money: asked, Reason: acquirer.GenericDecline,
	}, noon)
	if watched := declined.WithRechecks(a, i, noon); watched != declined {
		t.Errorf("a declined one: %+v", watched)
	}
	more := report
	more.More = []acquirer.Paid{{Money: asked, ProviderReference: "P2"}}
	waits := attempt.Find(in(attempt.Asking), i, more, noon)
	if f := waits.WithRechecks(a, i, noon); f.Next != waits.Next {
		t.Errorf("one that waits for a person: %+v", f)
	}
}
