package checkout

import (
	"time"

	"daftar/domain"
)

// LinkClock sets the clock of the limits of wrong links.
func (c Config) LinkClock(now func() time.Time) Config {
	c.linkClock = now
	return c
}

// The limits that the tests go up to.
const (
	NotFoundBurst = notFoundBurst
	ProofBurst    = proofBurst
)

// Refunded is what a proof says went back.
func Refunded(i domain.Intent) domain.Money { return refunded(i) }
