package checkout

import "time"

// LinkClock sets the clock of the limits of links.
func (c Config) LinkClock(now func() time.Time) Config {
	c.linkClock = now
	return c
}

// The limits that the tests reach.
const (
	NotFoundBurst = notFoundBurst
	ShopBurst     = shopBurst
	ProofBurst    = proofBurst
)
