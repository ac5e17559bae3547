package attempt

import "time"

// Next returns what the attempt becomes by the report at that time. It returns false
// where the report does not fit the attempt's present state, which then stays.
func Next(a Attempt, r Report, now time.Time) (Attempt, bool) {
	if after, fits := r.next(a, now); fits {
		return after, true
	}
	return a, false
}

// Report is something that happened to an attempt. Only types of this package implement it.
type Report interface {
	// next may change the attempt even where it returns false: Next ignores that.
	next(a Attempt, now time.Time) (Attempt, bool)
}

// Claim is one caller's right to talk to the acquirer about an attempt.
type Claim struct {
	stage     Stage
	until     *time.Time
	expiresAt time.Time
}

// Claim returns the claim with which the attempt was written. The time of the inquiry after
// the claim depends on when the intent expires.
func (a Attempt) Claim(expiresAt time.Time) Claim { return Claim{a.Stage, a.AskAt, expiresAt} }

// noHintSince reports whether no hint came in since the claim. AskAt and until may be nil: a
// signed message may be about an attempt for which no inquiry was planned.
func (c Claim) noHintSince(a Attempt) bool {
	return a.AskAt == nil && c.until == nil || a.AskAt != nil && c.until != nil && a.AskAt.Equal(*c.until)
}

func (a Attempt) claimed(until time.Time) Attempt {
	a.AskAt, a.BusyUntil = &until, &until
	return a
}

// released ends a claim: the acquirer is asked next at that time, or at the time of a hint
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

// Requests: each gives one caller the right to continue.

// CallBegin is for the caller that recorded the attempt and is about to call the
// acquirer, which may send a code. It is refused where the attempt has been closed
// meanwhile, and where the intent has expired.
type CallBegin struct{ Until, ExpiresAt time.Time }

func (r CallBegin) next(a Attempt, now time.Time) (Attempt, bool) {
	return a.claimed(r.Until), a.Stage == Beginning && now.Before(r.ExpiresAt)
}

// EnterCode is for the caller that hands a code over. It is refused where the
// attempt does not wait for a code, where too many codes were handed over recently, and where
// the intent has expired.
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

// GiveUp is for the caller that asks the acquirer to cancel the payment. It is refused where
// the attempt is no longer in the stage From, or a code is being confirmed.
type GiveUp struct {
	From  Stage
	Until time.Time
}

func (r GiveUp) next(a Attempt, now time.Time) (Attempt, bool) {
	return a.in(Asking, now).claimed(r.Until), a.Stage == r.From && (a.Stage == Code || a.Stage == Bank)
}

// Resend is for the caller that asks the acquirer for a new code. It is refused where the
// attempt does not wait for a code, one was sent within ResendEvery, or the intent has expired.
type Resend struct{ ExpiresAt time.Time }

func (r Resend) next(a Attempt, now time.Time) (Attempt, bool) {
	early := a.CodeSentAt != nil && a.CodeSentAt.After(now.Add(-ResendEvery))
	a.CodeSentAt = &now
	return a, a.Stage == Code && !early && now.Before(r.ExpiresAt)
}

// Inquire is for the caller that asks the acquirer about the attempt. It is refused before
// the attempt is due.
type Inquire struct{ Until time.Time }

func (r Inquire) next(a Attempt, now time.Time) (Attempt, bool) {
	due := a.AskAt != nil && !a.AskAt.After(now)
	a.Asked, a.AskedAt = a.Asked+1, &now
	return a.claimed(r.Until), due
}

// A hint causes an inquiry no sooner after the last one than hintPause times the number of
// inquiries, up to longestHintPause. A payment has one or two hints, which cause one at once;
// more are slowed down.
const (
	hintPause        = 100 * time.Millisecond
	longestHintPause = time.Second
)

// Hint makes the attempt due now, in any stage, or after the pause above. Where the attempt
// was closed or quarantined, the schedule begins again. An attempt that is due sooner keeps
// its place: otherwise each hint would move it to the end of the queue. It still moves by one
// microsecond, so that the claim of a caller that is asking at the moment no longer holds.
type Hint struct{}

func (Hint) next(a Attempt, now time.Time) (Attempt, bool) {
	if a.Stage == Closed || a.Stage == Quarantined {
		if a.AskedAt == nil {
			a.AskedAt = new(a.Since) // when it closed, which is what such an attempt keeps
		}
		a.Since = now
	}
	at := now
	if a.AskedAt != nil {
		pause := min(time.Duration(a.Asked)*hintPause, longestHintPause)
		if paused := a.AskedAt.Add(pause); paused.After(now) {
			at = paused
		}
	}
	if a.AskAt != nil && !at.Before(*a.AskAt) {
		at = a.AskAt.Add(-time.Microsecond)
	}
	a.AskAt = &at
	return a, true
}

// DueSoon reports whether a hint is not needed: the attempt is due within a second, and no
// inquiry is under way, whose answer may be older than the hint.
func (a Attempt) DueSoon(now time.Time) bool {
	claimed := a.BusyUntil != nil && a.AskAt != nil && a.BusyUntil.Equal(*a.AskAt)
	return a.AskAt != nil && !a.AskAt.After(now.Add(longestHintPause)) && !claimed
}

// InquireEarly makes the attempt due now because a payer waits for the outcome. It is
// refused where a server is talking to the acquirer, where it was asked less than
// NotSince ago, and where the payer still has a code to enter before ExpiresAt.
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
