package checkout

import (
	"time"

	"daftar/domain"
)

// LinkClock sets the clock of the limits of links.
func (c Config) LinkClock(now func() time.Time) Config {
	c.linkClock = now
	return c
}

// The limits that the tests reach.
const (
	NotFoundBurst = notFoundBurst
	ProofBurst    = proofBurst
)

// Refunded is the refunded amount that a proof shows.
func Refunded(i domain.Intent) domain.Money { return refunded(i) }
