package httpapi

import (
	"time"

	"daftar/domain"
	"daftar/internal/throttle"
)

// limitedApplications is how many applications are remembered; an operator
// creates them by hand.
const limitedApplications = 1 << 17

// limiter holds every application to a rate, on this server.
type limiter = throttle.Keyed[domain.ApplicationID]

// newLimiter gives nil, which allows everything, where there is no limit.
func newLimiter(perSecond float64, burst int, now func() time.Time) *limiter {
	return throttle.New[domain.ApplicationID](perSecond, burst, limitedApplications, now)
}
