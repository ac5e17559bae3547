package attempt

import "time"

// Answers: what the caller that holds the Claim has learnt from the acquirer.
// ExpiresAt is the intent's.

// CodeSent says that the payer has been sent a code, at the beginning or anew.
type CodeSent struct {
	Claim     Claim
	To        string        // masked
	Digits    int           // 0: the acquirer does not say
	ValidFor  time.Duration // 0: the acquirer does not say
	ExpiresAt time.Time
	Again     bool // by Resend
}

func (r CodeSent) next(a Attempt, now time.Time) (Attempt, bool) {
	a.SentTo, a.Digits, a.CodeUntil = r.To, r.Digits, nil
	if r.ValidFor > 0 {
		until := now.Add(r.ValidFor)
		a.CodeUntil = &until
	}
	if r.Again {
		return r.again(a, now)
	}
	a.CodeSentAt = &now
	return r.Claim.begun(a, Code, r.ExpiresAt, now)
}

// again is what a new code changes. A code may be on its way to the acquirer
// meanwhile; the inquiry after that stays when it is.
func (r CodeSent) again(a Attempt, now time.Time) (Attempt, bool) {
	a.CodeSentAt, a.ResentAt = &now, &now
	if a.Stage == Code && r.Claim.stands(a) {
		a.AskAt = a.nextInquiry(r.ExpiresAt, now)
	}
	return a, a.Stage == Code || a.Stage == Asking
}

// CodeNotSent says that the request of a Resend did not reach the acquirer: the
// payer may ask again at once.
type CodeNotSent struct {
	At     *time.Time // CodeSentAt as the Resend set it
	Before *time.Time // and as it was before
}

func (r CodeNotSent) next(a Attempt, _ time.Time) (Attempt, bool) {
	if a.CodeSentAt == nil || r.At == nil || !a.CodeSentAt.Equal(*r.At) {
		return a, false
	}
	a.CodeSentAt = r.Before
	return a, true
}

// Redirected says that the payer goes on at the acquirer's page.
type Redirected struct {
	Claim     Claim
	URL       string
	ExpiresAt time.Time
}

func (r Redirected) next(a Attempt, now time.Time) (Attempt, bool) {
	a.BankURL = r.URL
	return r.Claim.begun(a, Bank, r.ExpiresAt, now)
}

// begun is the attempt in its first stage with the payer. An inquiry may have found
// out before the answer came that the payment is open.
func (c Claim) begun(a Attempt, s Stage, expiresAt, now time.Time) (Attempt, bool) {
	if a.Stage != Beginning && a.Stage != s {
		return a, false
	}
	a = a.in(s, now)
	return a.released(c, a.nextInquiry(expiresAt, now)), true
}

// WrongCode says that the code was not the one sent. The payment stays open.
type WrongCode struct {
	Claim     Claim
	TriesLeft int
	ExpiresAt time.Time
}

func (r WrongCode) next(a Attempt, now time.Time) (Attempt, bool) {
	a.TriesLeft = r.TriesLeft
	return r.Claim.returned(a, Code, r.ExpiresAt, now)
}

// CodeNotTried says that a code did not reach the acquirer. It does not count.
type CodeNotTried struct {
	Claim     Claim
	ExpiresAt time.Time
}

func (r CodeNotTried) next(a Attempt, now time.Time) (Attempt, bool) {
	a.Codes = max(0, a.Codes-1)
	return r.Claim.returned(a, Code, r.ExpiresAt, now)
}

// NotGivenUp says that a request to give up did not reach the acquirer.
type NotGivenUp struct {
	Claim     Claim
	From      Stage
	ExpiresAt time.Time
}

func (r NotGivenUp) next(a Attempt, now time.Time) (Attempt, bool) {
	return r.Claim.returned(a, r.From, r.ExpiresAt, now)
}

// returned is the attempt after a claim that changed nothing at the acquirer: the
// payer goes on where they were.
func (c Claim) returned(a Attempt, s Stage, expiresAt, now time.Time) (Attempt, bool) {
	if a.Stage != Asking {
		return a, false
	}
	a = a.in(s, now)
	return a.released(c, a.nextInquiry(expiresAt, now)), true
}

// soon is when the acquirer is asked after an answer that said nothing.
const soon = 2 * time.Second

// StillOpen says that the acquirer did not give the payment up, or that nothing was
// learnt: the payer goes on where they were, and the acquirer is asked soon.
type StillOpen struct {
	Claim Claim
	From  Stage
}

func (r StillOpen) next(a Attempt, now time.Time) (Attempt, bool) {
	if a.Stage != Asking {
		return a, false
	}
	at := now.Add(soon)
	return a.in(r.From, now).released(r.Claim, &at), true
}

// Unknown says that the outcome is unknown from now on.
type Unknown struct {
	Claim     Claim
	ExpiresAt time.Time
}

func (r Unknown) next(a Attempt, now time.Time) (Attempt, bool) {
	return r.Claim.concluded(a, func(a Attempt) Attempt {
		a.Since = now
		a.AskAt = a.nextInquiry(r.ExpiresAt, now)
		return a
	})
}

// Undecided says that nothing has changed: the next inquiry is the next of the
// schedule.
type Undecided struct {
	Claim     Claim
	ExpiresAt time.Time
}

func (r Undecided) next(a Attempt, now time.Time) (Attempt, bool) {
	return r.Claim.concluded(a, func(a Attempt) Attempt {
		a.AskAt = a.nextInquiry(r.ExpiresAt, now)
		return a
	})
}

// Unanswered says that an inquiry failed. That the payer still has time to enter a
// code is no reason to wait: the acquirer may have hinted that it knows the outcome.
type Unanswered struct {
	Claim     Claim
	ExpiresAt time.Time
}

func (r Unanswered) next(a Attempt, now time.Time) (Attempt, bool) {
	return r.Claim.concluded(a, func(a Attempt) Attempt {
		a.AskAt = a.nextInquiry(r.ExpiresAt, now)
		if early := Scheduled(a.Since, now); early.Before(*a.AskAt) {
			a.AskAt = &early
		}
		return a
	})
}

// Resumed says that the words of an attempt that was set aside match again.
type Resumed struct {
	Claim     Claim
	ExpiresAt time.Time
}

func (r Resumed) next(a Attempt, now time.Time) (Attempt, bool) {
	return r.Claim.concluded(a, func(a Attempt) Attempt {
		a.Stage, a.Trouble = Asking, ""
		a.AskAt = a.nextInquiry(r.ExpiresAt, now)
		return a
	})
}

// Settled says that the ledger knows the outcome: nothing is waited for.
type Settled struct{ Claim Claim }

func (r Settled) next(a Attempt, now time.Time) (Attempt, bool) {
	return r.Claim.concluded(a, func(a Attempt) Attempt {
		a = a.in(Closed, now)
		a.AskAt, a.Trouble = nil, ""
		return a
	})
}

// Disputed says that the acquirer's words do not match ours: an operator must look.
type Disputed struct {
	Claim   Claim
	Trouble string
}

func (r Disputed) next(a Attempt, now time.Time) (Attempt, bool) {
	return r.Claim.concluded(a, func(a Attempt) Attempt {
		a = a.in(Quarantined, now)
		a.AskAt, a.Trouble = nil, r.Trouble
		return a
	})
}

// concluded changes an attempt that is still as it was claimed. Where a hint came
// in since, or somebody else went on with it, it stays: the acquirer is asked again,
// which finds the ledger as it should be.
func (c Claim) concluded(a Attempt, change func(Attempt) Attempt) (Attempt, bool) {
	if a.Stage != c.stage || !c.stands(a) {
		return a, false
	}
	a.BusyUntil = nil
	return change(a), true
}
