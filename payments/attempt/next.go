package attempt

import "time"

// Next is what the attempt becomes by the report at that time. It returns false
// where the report has no place in the attempt's present state, which then stays.
func Next(a Attempt, r Report, now time.Time) (Attempt, bool) {
	if after, fits := r.next(a, now); fits {
		return after, true
	}
	return a, false
}

// Report is something that happened to an attempt. The types of this package are
// all there are.
type Report interface {
	// next may change the attempt also where it returns false: Next drops that.
	next(a Attempt, now time.Time) (Attempt, bool)
}

// Claim is one caller's right to talk to the acquirer about an attempt.
type Claim struct {
	stage     Stage
	until     *time.Time
	expiresAt time.Time
}

// Claim is the claim with which the attempt was written. The inquiry after it goes by
// the time at which the intent expires.
func (a Attempt) Claim(expiresAt time.Time) Claim { return Claim{a.Stage, a.AskAt, expiresAt} }

// noHintSince says whether no hint came in since the claim. A signed message may be about an
// attempt of which nothing was waited for.
func (c Claim) noHintSince(a Attempt) bool {
	return a.AskAt == nil && c.until == nil || a.AskAt != nil && c.until != nil && a.AskAt.Equal(*c.until)
}

func (a Attempt) claimed(until time.Time) Attempt {
	a.AskAt, a.BusyUntil = &until, &until
	return a
}

// released ends a claim: the acquirer is asked next at that time, or by the hint
// that came in meanwhile.
func (a Attempt) released(c Claim, at *time.Time) Attempt {
	if c.noHintSince(a) {
		a.AskAt = at
	}
	a.BusyUntil = nil
	return a
}

func (a Attempt) in(s Stage, now time.Time) Attempt {
	a.Stage, a.Since = s, now
	return a
}

// Requests: each gives one caller the right to go on.

// CallBegin is for the caller that recorded the attempt and is about to call the
// acquirer, which may send a code. It is refused where the attempt has been given up
// meanwhile, and where the intent has expired: it must not begin.
type CallBegin struct{ Until, ExpiresAt time.Time }

func (r CallBegin) next(a Attempt, now time.Time) (Attempt, bool) {
	return a.claimed(r.Until), a.Stage == Beginning && now.Before(r.ExpiresAt)
}

// EnterCode is for the caller that hands a code over. It is refused where the
// attempt does not wait for a code, where too many were handed over lately, and where the
// intent has expired.
type EnterCode struct{ Until, ExpiresAt time.Time }

func (r EnterCode) next(a Attempt, now time.Time) (Attempt, bool) {
	if a.Stage != Code || !now.Before(r.ExpiresAt) {
		return a, false
	}
	switch {
	case a.CodesSince == nil || !a.CodesSince.After(now.Add(-CodesWindow)):
		a.Codes, a.CodesSince = 1, &now
	case a.Codes >= CodesPerWindow:
		return a, false
	default:
		a.Codes++
	}
	return a.in(Asking, now).claimed(r.Until), true
}

// GiveUp is for the caller that asks the acquirer to give the payment up. It is
// refused where the payer is no longer where the request came from, or a code is being
// confirmed.
type GiveUp struct {
	From  Stage
	Until time.Time
}

func (r GiveUp) next(a Attempt, now time.Time) (Attempt, bool) {
	return a.in(Asking, now).claimed(r.Until), a.Stage == r.From && (a.Stage == Code || a.Stage == Bank)
}

// Resend is for the caller that has a new code sent. It is refused where none is
// waited for, one was sent a short while ago, or the intent has expired.
type Resend struct{ ExpiresAt time.Time }

func (r Resend) next(a Attempt, now time.Time) (Attempt, bool) {
	early := a.CodeSentAt != nil && a.CodeSentAt.After(now.Add(-ResendEvery))
	a.CodeSentAt = &now
	return a, a.Stage == Code && !early && now.Before(r.ExpiresAt)
}

// Inquire is for the caller that asks the acquirer what became of the attempt. It
// is refused before the time for that has come.
type Inquire struct{ Until time.Time }

func (r Inquire) next(a Attempt, now time.Time) (Attempt, bool) {
	due := a.AskAt != nil && !a.AskAt.After(now)
	a.Asked, a.AskedAt = a.Asked+1, &now
	return a.claimed(r.Until), due
}

// A hint brings about an inquiry hintPause after the last one at the earliest, times how
// often was asked, up to longestHintPause. A payment has one or two of them, at once; who
// sends more is slowed down.
const (
	hintPause        = 100 * time.Millisecond
	longestHintPause = time.Second
)

// Hint has the acquirer asked now, whatever the stage, or some pause after the last time.
// Where nothing was waited for any more, the schedule begins again. What is to be asked about
// sooner keeps its place: each hint would put it at the end of the queue. It moves by the
// least that there is, so that the claim of who asks at the moment does not stand.
type Hint struct{}

func (Hint) next(a Attempt, now time.Time) (Attempt, bool) {
	if a.Stage == Closed || a.Stage == Quarantined {
		a.Since = now
	}
	at := now
	if a.AskedAt != nil {
		if rested := a.AskedAt.Add(min(time.Duration(a.Asked)*hintPause, longestHintPause)); rested.After(now) {
			at = rested
		}
	}
	if a.AskAt != nil && !at.Before(*a.AskAt) {
		at = a.AskAt.Add(-time.Microsecond)
	}
	a.AskAt = &at
	return a, true
}

// DueSoon reports whether a hint would change next to nothing: the attempt is to be asked
// about within a second, and nobody is asking, whose answer may be older than the hint.
func (a Attempt) DueSoon(now time.Time) bool {
	return a.AskAt != nil && !a.AskAt.After(now.Add(longestHintPause)) && (a.BusyUntil == nil ||
		!a.BusyUntil.Equal(*a.AskAt))
}

// InquireEarly has the acquirer asked now because somebody waits for the outcome. It is
// refused where a server is talking to the acquirer, where it was asked less than
// NotSince ago, and where the payer still has something to do: not after ExpiresAt.
type InquireEarly struct {
	NotSince  time.Duration
	ExpiresAt time.Time
}

func (r InquireEarly) next(a Attempt, now time.Time) (Attempt, bool) {
	waits := a.Stage == Beginning || a.Stage == Bank || a.Stage == Asking || a.Stage == Ending ||
		a.Stage == Code && (a.CodeUntil != nil && a.CodeUntil.Before(now) || !now.Before(r.ExpiresAt))
	busy := a.BusyUntil != nil && !a.BusyUntil.Before(now)
	lately := a.AskedAt != nil && !a.AskedAt.Before(now.Add(-r.NotSince))
	later := a.AskAt != nil && a.AskAt.After(now)
	a.AskAt = &now
	return a, later && waits && !busy && !lately
}

// Dismiss ends the inquiries because an operator has decided, also while a server
// is talking to the acquirer.
type Dismiss struct{}

func (Dismiss) next(a Attempt, now time.Time) (Attempt, bool) {
	return a.closed(now), true
}
