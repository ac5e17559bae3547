package attempt_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"daftar/payments/attempt"
)

// A hint that comes in while a caller talks to the acquirer is not lost, whatever the
// caller reports. Next never changes its argument.
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
			attempt.Unknown{Claim: c}, attempt.Undecided{Claim: c}, attempt.Unanswered{Claim: c},
			attempt.Resumed{Claim: c}, attempt.Settled{Claim: c}, attempt.NotTaken{Claim: c},
			attempt.Lapsed{Claim: c}, attempt.Disputed{Claim: c}, attempt.Waiting{Claim: c, Until: expires},
		}).Draw(t, "report")
		after, _ := attempt.Next(hinted, r, later.Add(time.Second))
		if after.AskAt == nil || !after.AskAt.Equal(later) {
			t.Fatalf("%T: the acquirer is asked at %v, the hint was at %v", r, after.AskAt, later)
		}
		if now := fmt.Sprintf("%+v", hinted); now != kept {
			t.Fatalf("%T has changed its argument", r)
		}
	})
}

// However many hints come in, a due attempt keeps its place in the queue, and is not asked about
// twice within the pause; after a hint no claim holds.
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
	answer := attempt.Undecided{Claim: claimed.Claim(expires)}
	after, _ := attempt.Next(hinted, answer, noon.Add(2*time.Millisecond))
	if !after.AskAt.Equal(*hinted.AskAt) {
		t.Errorf("the answer that was under way moves a hint from %v to %v", hinted.AskAt, after.AskAt)
	}
	late := hint(claimed, noon.Add(2*time.Minute)) // the claim has lapsed, and its caller may still answer
	if late.AskAt.Equal(*claimed.AskAt) || late.AskAt.After(*claimed.AskAt) {
		t.Errorf("after the claim: %v, want before %v", late.AskAt, claimed.AskAt)
	}
	if claimed.DueSoon(noon.Add(2*time.Minute)) || !hinted.DueSoon(noon.Add(time.Millisecond)) ||
		in(attempt.Bank).DueSoon(noon) {
		t.Error("DueSoon differs from what a hint would change")
	}
}
