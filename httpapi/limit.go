package httpapi

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"daftar/domain"
)

// limiter holds every application to a rate, on this server. There are as many
// entries as applications that were let in, which an operator creates by hand.
type limiter struct {
	rate  rate.Limit
	burst int
	now   func() time.Time

	mu      sync.Mutex
	buckets map[domain.ApplicationID]*rate.Limiter
}

// newLimiter gives nil, which allows everything, where there is no limit.
func newLimiter(perSecond float64, burst int, now func() time.Time) *limiter {
	if perSecond <= 0 {
		return nil
	}
	return &limiter{
		rate: rate.Limit(perSecond), burst: max(1, burst), now: now,
		buckets: make(map[domain.ApplicationID]*rate.Limiter),
	}
}

func (l *limiter) allow(id domain.ApplicationID) bool {
	if l == nil {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	bucket, ok := l.buckets[id]
	if !ok {
		bucket = rate.NewLimiter(l.rate, l.burst)
		l.buckets[id] = bucket
	}
	return bucket.AllowN(l.now(), 1)
}
