package attempt

import "time"

// CodeGrace is how long after the end of a code the acquirer is asked, so that
// its clock has passed that end too.
const CodeGrace = 2 * time.Second

// schedule has the times of the inquiries about an unknown outcome, counted from when it
// became unknown; after the last they are daily.
var schedule = []time.Duration{
	5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour,
}

const day = 24 * time.Hour

// Scheduled returns the time of the next inquiry about an outcome that is unknown since then.
func Scheduled(since, now time.Time) time.Time {
	for _, after := range schedule {
		if at := since.Add(after); at.After(now) {
			return at
		}
	}
	return since.Add(now.Sub(since).Truncate(day) + day)
}

// nextInquiry returns the time of the next inquiry if there is no hint before. An attempt
// that is open at the intent's expiry is asked about then: the intent cannot be canceled
// before the outcome is known.
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
	// overdueEvery is how often an attempt that is open after the intent's expiry is asked
	// about; overdueFor is how long that lasts.
	overdueEvery = 30 * time.Second
	overdueFor   = 20 * time.Minute
	// LapsesAfter is how long after the expiry an attempt ends that the acquirer still calls
	// open. So an intent has ended a quarter of an hour after its expiry, unless the acquirer
	// does not answer.
	LapsesAfter = 10 * time.Minute
)
