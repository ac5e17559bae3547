package httpapi

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"daftar/domain"
	"daftar/internal/throttle"
)

const (
	// limitedApplications is how many applications have their rate in memory.
	limitedApplications = 1 << 17
	// rateLogInterval is the time in seconds between two log lines about an application that is
	// over its rate: a line for each of its requests would flood the log.
	rateLogInterval = 60
)

// Rate limits the requests of an application. The zero Rate is no limit.
type Rate struct {
	PerSecond float64
	Burst     int // at once
}

var (
	rateForm  = regexp.MustCompile(`^([1-9][0-9]{0,5})/([smh])(?:,burst=([1-9][0-9]{0,5}))?$`)
	rateUnits = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}
)

// ErrRateForm is returned for a text that is no rate.
var ErrRateForm = errors.New("is no rate such as 50/s, 3000/m or 50/s,burst=200 " +
	"(numbers up to 999999; s, m or h), and not off")

// ParseRate reads a rate: NUMBER/UNIT, and how many requests may come at once
// where that is not the same number; "off" is no limit. The error is ErrRateForm.
func ParseRate(text string) (Rate, error) {
	if text == "off" {
		return Rate{}, nil
	}
	parts := rateForm.FindStringSubmatch(text)
	if parts == nil {
		return Rate{}, ErrRateForm
	}
	number, _ := strconv.Atoi(parts[1]) // at most six digits
	burst, _ := strconv.Atoi(cmp.Or(parts[3], parts[1]))
	return Rate{PerSecond: float64(number) / rateUnits[parts[2]].Seconds(), Burst: burst}, nil
}

// limiter limits the rate of each application, on this server. The nil limiter
// allows everything and sets no headers.
type limiter struct {
	buckets  *throttle.Keyed[domain.ApplicationID]
	logged   *throttle.Keyed[domain.ApplicationID]
	policy   []string // the header's value, made once
	rejected prometheus.Counter
}

func newLimiter(r Rate, now func() time.Time, to prometheus.Registerer) *limiter {
	if r.PerSecond <= 0 {
		return nil
	}
	burst := max(1, r.Burst)
	l := &limiter{
		buckets: throttle.New[domain.ApplicationID](r.PerSecond, burst, limitedApplications, now),
		logged:  throttle.New[domain.ApplicationID](1./rateLogInterval, 1, limitedApplications, now),
		policy:  []string{fmt.Sprintf(`"application";q=%d;w=%d`, burst, atLeastOne(float64(burst)/r.PerSecond))},
		rejected: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "daftar_api_rate_limited_total",
			Help: "Requests of the merchant API that were refused " +
				"because their application was over its rate, on this server.",
		}),
	}
	if to != nil {
		to.MustRegister(l.rejected)
	}
	return l
}

// The fields of draft-ietf-httpapi-ratelimit-headers-11. In the policy, q is how
// many requests may come at once, and w the seconds until as many are allowed
// again. In the other, r is how many requests are allowed within the next t seconds.
const (
	headerRatePolicy = "Ratelimit-Policy" // as net/http spells it
	headerRate       = "Ratelimit"
)

// take counts a request of the application and sets the rate headers in h. The
// error is *limitedError.
func (l *limiter) take(of domain.ApplicationID, h http.Header) error {
	if l == nil {
		return nil
	}
	s := l.buckets.Take(of)
	h[headerRatePolicy] = l.policy
	next := strconv.Itoa(atLeastOne(s.Next.Seconds()))
	h[headerRate] = []string{`"application";r=` + strconv.Itoa(s.Left) + `;t=` + next}
	if s.Wait == 0 {
		return nil
	}
	l.rejected.Inc()
	return &limitedError{application: of, retryAfter: atLeastOne(s.Wait.Seconds()), log: l.logged.Allow(of)}
}

// clearRateHeaders removes the headers of take: a caller without a valid credential must not see
// the rate of an application.
func clearRateHeaders(h http.Header) {
	h.Del(headerRatePolicy)
	h.Del(headerRate)
}

func atLeastOne(seconds float64) int { return max(1, int(math.Ceil(seconds))) }

// limitedError is returned for a request of an application that is over its rate. Nothing was
// done or looked up for it.
type limitedError struct {
	application domain.ApplicationID
	retryAfter  int  // seconds
	log         bool // no line about this application in the last rateLogInterval
}

func (e *limitedError) Error() string {
	return "application " + e.application.String() + " is over its rate"
}

// Is makes errors.Is match errTooMany.
func (e *limitedError) Is(target error) bool { return target == errTooMany }
