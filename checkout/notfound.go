package checkout

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"daftar/internal/throttle"
	"daftar/internal/web"
)

// How many links that lead nowhere an address may try: so many at once, then one
// every two seconds; a wider network web.Allowances times as many. A link has 128
// random bits; the limit only keeps guessing from costing us anything. Links that are
// right always work, because many payers can share an address.
const (
	notFoundBurst     = 30
	notFoundPerSecond = 0.5
	notFoundTracked   = 1 << 16 // networks of each width that are remembered, some 100 bytes each
)

// notFoundLimits are the limits of web.Networks.
func notFoundLimits(now func() time.Time) (limits [len(web.Allowances)]*throttle.Keyed[string]) {
	if now == nil {
		now = time.Now
	}
	for n, times := range web.Allowances {
		limits[n] = throttle.New[string](notFoundPerSecond*float64(times), notFoundBurst*times, notFoundTracked, now)
	}
	return limits
}

// notFound answers a link that leads nowhere: always with the same page.
func (c *Checkout) notFound(w http.ResponseWriter, r *http.Request) {
	status := http.StatusNotFound
	var wait time.Duration
	for n, network := range web.Networks(web.ClientAddress(r)) {
		wait = max(wait, c.notFoundLimits[n].Take(network).Wait)
	}
	if wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
		status = http.StatusTooManyRequests
	}
	c.render(w, r, status, NotFound{})
}
