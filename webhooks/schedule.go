package webhooks

import (
	"net/http"
	"strconv"
	"time"

	"daftar/internal/worker"
)

// schedule is how long after a try the next one is made; the first is made at
// once. It is the example of Standard Webhooks 1.0.0.
var schedule = []time.Duration{
	0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour,
	14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

// jitter shortens or lengthens each wait at random, so that what failed together is
// not retried together.
const jitter = 0.2

// wait is the time before the try of the given step (1 is the first retry). Chance
// is from [0, 1). The endpoint's Retry-After (asked; 0: none) is honoured between the
// schedule's time and twice that.
func wait(step int, asked time.Duration, chance float64) time.Duration {
	base := schedule[step]
	if asked > 0 {
		return min(max(asked, base), 2*base)
	}
	return time.Duration(float64(base) * (1 - jitter + 2*jitter*chance))
}

// retryAfter reads the header, in seconds or as a date; 0 where it is missing or
// malformed.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

const (
	// failuresToOpen is how many failures in a row open the breaker.
	failuresToOpen = 10
	// failingLimit is how long an endpoint may fail without a success before it is disabled.
	failingLimit = 5 * 24 * time.Hour
	// slowAnswer is the duration from which a success counts against an endpoint's health,
	// because it takes a place from others for so long.
	slowAnswer = 5 * time.Second
)

// probing is the backoff between the single deliveries that an open breaker lets through.
var probing = worker.Backoff{First: time.Minute, Longest: 30 * time.Minute}

// Why an endpoint is disabled.
const (
	disabledGone    = "gone"    // it answered 410
	disabledFailing = "failing" // nothing but failures for failingLimit
)

// health is the state of an endpoint's circuit breaker. The zero value is healthy.
type health struct {
	Failures     int        // and slow successes, in a row
	FailingSince *time.Time // nil while there are slow successes only
	Probes       int        // in a row
	ProbeAt      *time.Time
	DisabledAt   *time.Time
	DisabledFor  string
}

// open reports whether the breaker is open: the endpoint gets one delivery at a time,
// as a probe.
func (h health) open() bool { return h.Failures >= failuresToOpen }

// after is the health after one more try that ended at the given time.
func (h health) after(r result, at time.Time) health {
	if r.delivered() {
		// A try that was under way when the endpoint was disabled does not enable it.
		fine := health{DisabledAt: h.DisabledAt, DisabledFor: h.DisabledFor}
		if r.slow() {
			fine.Failures = min(h.Failures+1, failuresToOpen) // one at a time, without a pause
		}
		return fine
	}
	h.Failures++
	if h.FailingSince == nil {
		h.FailingSince = &at
	}
	if h.DisabledAt != nil {
		return h
	}
	switch {
	case r.Status == http.StatusGone:
		h.DisabledAt, h.DisabledFor = &at, disabledGone
	case at.Sub(*h.FailingSince) >= failingLimit:
		h.DisabledAt, h.DisabledFor = &at, disabledFailing
	case h.open() && (h.ProbeAt == nil || !h.ProbeAt.After(at)):
		// The tries that were under way when the breaker opened are no probes.
		next := at.Add(probing.Pause(h.Probes))
		h.ProbeAt = &next
		h.Probes++
	}
	return h
}
