package checkout

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"daftar/internal/throttle"
	"daftar/internal/web"
)

// limitsTracked is how many networks of each width are remembered, some 100 bytes each.
const limitsTracked = 1 << 16

// linkLimits are one for each width of web.Networks.
type linkLimits [len(web.Allowances)]*throttle.Keyed[string]

func newLinkLimits(perSecond float64, burst int, now func() time.Time) (l linkLimits) {
	if now == nil {
		now = time.Now
	}
	for n, times := range web.Allowances {
		l[n] = throttle.New[string](perSecond*float64(times), burst*times, limitsTracked, now)
	}
	return l
}

// takeEach takes one from each limit of the request's networks. It returns how long to wait.
func takeEach(l linkLimits, r *http.Request) (wait time.Duration) {
	for n, network := range web.Networks(web.ClientAddress(r)) {
		wait = max(wait, l[n].Take(network).Wait)
	}
	return wait
}

func retryAfter(wait time.Duration) string { return strconv.Itoa(int(math.Ceil(wait.Seconds()))) }
