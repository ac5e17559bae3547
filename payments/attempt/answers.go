package attempt

import "time"

// Answers: what the caller with the Claim has learnt from the acquirer.

// CodeSent says that the payer has been sent a code, at the beginning or again.
type CodeSent struct {
	Claim    Claim
	To       string        // masked
	Digits   int           // 0: the acquirer does not say
	ValidFor time.Duration // 0: the acquirer does not say
	Memo     string
	Again    bool // by Resend
}

func (r CodeSent) next(a Attempt, now time.Time) (Attempt, bool) {
	a.SentTo, a.Digits, a.CodeSentAt, a.CodeUntil = r.To, r.Digits, &now, nil
	if r.ValidFor > 0 {
		a.CodeUntil = new(now.Add(r.ValidFor))
	}
	if r.Memo != "" {
		a.Memo = r.Memo
	}
	if !r.Again {
		return r.Claim.atStage(a, Code, now), a.mayStartAt(Code)
	}
	// A code may be on its way to the acquirer; then the time of the next inquiry stays.
	a.ResentAt = &now
	if a.Stage == Code && r.Claim.noHintSince(a) {
		a.AskAt = a.nextInquiry(r.Claim.expiresAt, now)
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

// Redirected says that the payer continues at the acquirer's page, in its form or in an app:
// see Attempt.PayerFlow.
type Redirected struct {
	Claim     Claim
	URL       string
	Presented string
	Memo      string
}

func (r Redirected) next(a Attempt, now time.Time) (Attempt, bool) {
	a.BankURL, a.Presented, a.Memo = r.URL, r.Presented, r.Memo
	return r.Claim.atStage(a, Bank, now), a.mayStartAt(Bank)
}

// mayStartAt reports whether the stage can be the payer's first. The attempt may be in it
// already: an inquiry may have found the payment open before the answer came.
func (a Attempt) mayStartAt(s Stage) bool { return a.Stage == Beginning || a.Stage == s }

// atStage moves the attempt to a stage of the payer's and ends the claim.
func (c Claim) atStage(a Attempt, s Stage, now time.Time) Attempt {
	a = a.in(s, now)
	return a.released(c, a.nextInquiry(c.expiresAt, now))
}

// WrongCode says that the code was not the one sent. The payment stays open.
type WrongCode struct {
	Claim     Claim
	TriesLeft int
}

func (r WrongCode) next(a Attempt, now time.Time) (Attempt, bool) {
	a.TriesLeft = r.TriesLeft
	return r.Claim.atStage(a, Code, now), a.Stage == Asking
}

// CodeNotTried says that a code did not reach the acquirer. It does not count.
type CodeNotTried struct{ Claim Claim }

func (r CodeNotTried) next(a Attempt, now time.Time) (Attempt, bool) {
	a.Codes = max(0, a.Codes-1)
	return r.Claim.atStage(a, Code, now), a.Stage == Asking
}

// NotGivenUp says that a request to give up did not reach the acquirer.
type NotGivenUp struct {
	Claim Claim
	From  Stage
}

func (r NotGivenUp) next(a Attempt, now time.Time) (Attempt, bool) {
	return r.Claim.atStage(a, r.From, now), a.Stage == Asking
}

// quickRetry is when the acquirer is asked after StillOpen.
const quickRetry = 2 * time.Second

// StillOpen says that the acquirer did not give the payment up, or that its answer was
// lost: the payer continues where they were, and the acquirer is asked soon.
type StillOpen struct {
	Claim Claim
	From  Stage
}

func (r StillOpen) next(a Attempt, now time.Time) (Attempt, bool) {
	return a.in(r.From, now).released(r.Claim, new(now.Add(quickRetry))), a.Stage == Asking
}

// Unknown says that the outcome is unknown from now on.
type Unknown struct{ Claim Claim }

func (r Unknown) next(a Attempt, now time.Time) (Attempt, bool) {
	after := a
	after.Since = now
	return after.concluded(after.nextInquiry(r.Claim.expiresAt, now)), r.Claim.holds(a)
}

// Undecided says that nothing has changed: the next inquiry follows the schedule.
type Undecided struct{ Claim Claim }

func (r Undecided) next(a Attempt, now time.Time) (Attempt, bool) {
	return a.concluded(a.nextInquiry(r.Claim.expiresAt, now)), r.Claim.holds(a)
}

// NotTaken says that the intent has expired and the acquirer has not taken the money yet.
type NotTaken struct{ Claim Claim }

func (r NotTaken) next(a Attempt, now time.Time) (Attempt, bool) {
	after := a.in(Ending, now)
	return after.concluded(after.nextInquiry(r.Claim.expiresAt, now)), r.Claim.holds(a)
}

// Lapsed says that the attempt has ended in the ledger without a final answer of the
// acquirer. Inquiries continue, because the acquirer may still take the money, late.
type Lapsed struct{ Claim Claim }

func (r Lapsed) next(a Attempt, now time.Time) (Attempt, bool) {
	after := a.in(Closed, now).forgotten()
	return after.concluded(after.nextInquiry(r.Claim.expiresAt, now)), r.Claim.holds(a)
}

// Unanswered says that an inquiry failed. The next one does not wait until the payer's code
// lapses: the acquirer may have hinted that it knows the outcome.
type Unanswered struct{ Claim Claim }

func (r Unanswered) next(a Attempt, now time.Time) (Attempt, bool) {
	at := a.nextInquiry(r.Claim.expiresAt, now)
	if early := Scheduled(a.Since, now); early.Before(*at) {
		at = &early
	}
	return a.concluded(at), r.Claim.holds(a)
}

// Resumed says that the acquirer's report on an attempt that was set aside matches again.
type Resumed struct{ Claim Claim }

func (r Resumed) next(a Attempt, now time.Time) (Attempt, bool) {
	after := a
	after.Stage, after.Trouble = Asking, ""
	return after.concluded(after.nextInquiry(r.Claim.expiresAt, now)), r.Claim.holds(a)
}

// Settled says that the ledger knows the outcome: no inquiry is needed.
type Settled struct {
	Claim Claim
	Usage Usage  // what is given back
	Memo  string // for a refund; empty: as before
	// Again is when the acquirer is asked whether more came in; nil: never.
	Again *time.Time
}

func (r Settled) next(a Attempt, now time.Time) (Attempt, bool) {
	if r.Memo != "" {
		a.Memo = r.Memo
	}
	after := a.closed(now)
	after.AskAt = r.Again
	return after, r.Claim.holds(a)
}

// Proven says that a signed message settled the attempt. It needs no Claim, also while another
// caller has one.
type Proven struct{ Memo string }

func (r Proven) next(a Attempt, now time.Time) (Attempt, bool) {
	if r.Memo != "" {
		a.Memo = r.Memo
	}
	return a.closed(now), true
}

// Waiting says that the acquirer has no inquiries: the attempt waits until that time, for a
// message or for its end.
type Waiting struct {
	Claim Claim
	Until time.Time
}

func (r Waiting) next(a Attempt, _ time.Time) (Attempt, bool) {
	return a.concluded(&r.Until), r.Claim.holds(a)
}

func (a Attempt) closed(now time.Time) Attempt {
	a = a.in(Closed, now).concluded(nil).forgotten()
	a.Trouble = ""
	return a
}

// forgotten is a closed attempt without what only an open one needs: it is stored for ever.
func (a Attempt) forgotten() Attempt {
	a.SentTo, a.CodeUntil, a.CodeSentAt, a.ResentAt, a.CodesSince, a.CountedFor = "", nil, nil, nil, nil, nil
	a.AskedAt = nil
	return a
}

// Disputed says that the acquirer's report does not match the attempt: an operator must look.
type Disputed struct {
	Claim   Claim
	Trouble string
}

func (r Disputed) next(a Attempt, now time.Time) (Attempt, bool) {
	after := a.in(Quarantined, now).concluded(nil)
	after.Trouble = r.Trouble
	return after, r.Claim.holds(a)
}

// concluded ends a claim: the acquirer is asked next at that time.
func (a Attempt) concluded(askAt *time.Time) Attempt {
	a.AskAt, a.BusyUntil = askAt, nil
	return a
}

// holds reports whether an attempt is still as it was claimed. Otherwise a hint came in, or
// another caller changed it, and the attempt stays as it is: the acquirer is asked again.
func (c Claim) holds(a Attempt) bool { return a.Stage == c.stage && c.noHintSince(a) }
