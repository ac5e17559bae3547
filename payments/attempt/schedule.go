package attempt

import "time"

// CodeGrace is how long after the end of a code the acquirer is asked, so that
// its clock has passed that end too.
const CodeGrace = 2 * time.Second

// schedule says when an unknown outcome is asked about, counted from when it
// became unknown; after the last, daily.
var schedule = []time.Duration{
	5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour,
}

const day = 24 * time.Hour

// Scheduled is when an outcome that is unknown since then is asked about next.
func Scheduled(since, now time.Time) time.Time {
	for _, after := range schedule {
		if at := since.Add(after); at.After(now) {
			return at
		}
	}
	return since.Add(now.Sub(since).Truncate(day) + day)
}

// nextInquiry is when the attempt is asked about next if there is no hint before.
// One that is open at the intent's expiry is asked about then: the intent cannot be
// canceled before the outcome is known.
func (a Attempt) nextInquiry(expiresAt, now time.Time) *time.Time {
	at := Scheduled(a.Since, now)
	if a.Stage == Code && a.CodeUntil != nil && a.CodeUntil.After(now) {
		at = a.CodeUntil.Add(CodeGrace)
	}
	switch soon := now.Add(overdueEvery); {
	case expiresAt.After(now) && expiresAt.Before(at):
		at = expiresAt
	case !expiresAt.After(now) && now.Sub(expiresAt) < overdueFor && a.Stage != Closed && soon.Before(at):
		at = soon
	}
	return &at
}

const (
	// overdueEvery is how often an attempt is asked about that is open after the intent's
	// expiry, and overdueFor how long so often.
	overdueEvery = 30 * time.Second
	overdueFor   = 20 * time.Minute
	// LapsesAfter the expiry an attempt is over that the acquirer still calls open. An
	// intent has ended a quarter of an hour after its expiry, unless the acquirer is silent.
	LapsesAfter = 10 * time.Minute
)
