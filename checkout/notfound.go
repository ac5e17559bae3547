package checkout

import (
	"math"
	"net/http"
	"strconv"

	"daftar/internal/web"
)

// How many links that lead nowhere an address may try: so many at once, then one
// every two seconds. A link has 128 random bits; the limit only keeps guessing
// from costing us anything. Links that are right always work, because many payers
// can share an address.
const (
	notFoundBurst     = 30
	notFoundPerSecond = 0.5
	notFoundTracked   = 1 << 16 // addresses that are remembered, some 100 bytes each
)

// notFound answers a link that leads nowhere: always with the same page.
func (c *Checkout) notFound(w http.ResponseWriter, r *http.Request) {
	status := http.StatusNotFound
	if wait := c.notFoundLimit.Take(web.NetworkOf(web.ClientAddress(r))).Wait; wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
		status = http.StatusTooManyRequests
	}
	c.render(w, r, status, NotFound{})
}
