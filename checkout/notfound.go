package checkout

import (
	"net/http"
	"strings"

	"daftar/internal/web"
)

// How many invalid links an address may try: notFoundBurst at once, then one every two
// seconds; a wider network web.Allowances times as many. A link has 128 random bits, so the
// limit is not needed against guessing: it only bounds the load. Valid links always work,
// because many payers can share an address.
const (
	notFoundBurst     = 30
	notFoundPerSecond = 0.5
)

// notFound answers an invalid link: always with the same page, for receipts with a warning.
func (c *Checkout) notFound(w http.ResponseWriter, r *http.Request) {
	status := http.StatusNotFound
	if wait := c.notFoundLimits.Take(web.ClientAddress(r)); wait > 0 {
		w.Header().Set("Retry-After", web.RetryAfter(wait))
		status = http.StatusTooManyRequests
	}
	c.render(w, r, status, NotFound{
		Receipt: strings.HasPrefix(r.URL.Path, ReceiptPrefix), Shop: strings.HasPrefix(r.URL.Path, ShopPrefix),
	})
}
