package throttle

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Keyed is a token bucket for each key. The nil Keyed lets everything through.
type Keyed[K comparable] struct {
	rate  rate.Limit
	burst int
	half  int // of the buckets that are kept
	now   func() time.Time

	mu sync.Mutex
	// The buckets that were used since the last change of generations, and the older ones.
	// With two maps the old one can be dropped as a whole.
	young, old map[K]*rate.Limiter
}

// New makes a Keyed that lets each key through perSecond times on average and
// burst times at once, at least once. It keeps no more than the given number of
// buckets, at least two. perSecond of 0 or less is no limit: New returns nil.
func New[K comparable](perSecond float64, burst, buckets int, now func() time.Time) *Keyed[K] {
	if perSecond <= 0 {
		return nil
	}
	return &Keyed[K]{
		rate: rate.Limit(perSecond), burst: max(1, burst), half: max(1, buckets/2), now: now,
		young: make(map[K]*rate.Limiter),
	}
}

// Allow takes a token of the key's bucket and reports whether there was one.
func (k *Keyed[K]) Allow(key K) bool { return k.Take(key).Wait == 0 }

// Result is the answer to a request for a token.
type Result struct {
	Wait time.Duration // until there is a token; 0: one was taken
	Left int           // whole tokens in the bucket
	Next time.Duration // until there is one more than Left
}

// Take takes a token of the key's bucket if there is one. The nil Keyed has no bucket and
// returns the zero Result.
func (k *Keyed[K]) Take(key K) Result {
	if k == nil {
		return Result{}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.now()
	bucket := k.bucket(key)
	reservation := bucket.ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
		return Result{Wait: wait, Next: wait}
	}
	tokens := max(0, bucket.TokensAt(now))
	left := int(tokens)
	missing := float64(left) + 1 - tokens
	return Result{Left: left, Next: time.Duration(missing / float64(k.rate) * float64(time.Second))}
}

// Wait is how long a key has to wait until there is a token. It takes none.
func (k *Keyed[K]) Wait(key K) time.Duration {
	if k == nil {
		return 0
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.now()
	reservation := k.bucket(key).ReserveN(now, 1)
	defer reservation.CancelAt(now)
	return reservation.DelayFrom(now)
}

func (k *Keyed[K]) bucket(key K) *rate.Limiter {
	if bucket, ok := k.young[key]; ok {
		return bucket
	}
	bucket, ok := k.old[key]
	if !ok {
		bucket = rate.NewLimiter(k.rate, k.burst)
	}
	if len(k.young) >= k.half {
		k.old, k.young = k.young, make(map[K]*rate.Limiter)
	}
	k.young[key] = bucket
	return bucket
}
