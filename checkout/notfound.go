package checkout

import (
	"net/http"
	"strings"

	"daftar/internal/web"
)

// How many links that lead nowhere an address may try: so many at once, then one
// every two seconds; a wider network web.Allowances times as many. A link has 128
// random bits; the limit only keeps guessing from costing us anything. Links that are
// right always work, because many payers can share an address.
const (
	notFoundBurst     = 30
	notFoundPerSecond = 0.5
)

// notFound answers a link that leads nowhere: always with the same page, or for receipts
// with a warning.
func (c *Checkout) notFound(w http.ResponseWriter, r *http.Request) {
	status := http.StatusNotFound
	if wait := c.notFoundLimits.Take(web.ClientAddress(r)); wait > 0 {
		w.Header().Set("Retry-After", web.RetryAfter(wait))
		status = http.StatusTooManyRequests
	}
	c.render(w, r, status, NotFound{Receipt: strings.HasPrefix(r.URL.Path, ReceiptPrefix)})
}
