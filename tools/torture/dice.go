package torture

import (
	"math/rand/v2"
	"time"
)

// dice is a source of random numbers. Goroutines must not share one: their order would
// change the numbers that each gets.
type dice struct{ *rand.Rand }

// newDice returns the dice of one part of the run.
func newDice(seed uint64, part uint64) dice {
	return dice{rand.New(rand.NewPCG(seed, part))} //nolint:gosec // a run must be repeatable
}

// Parts of the run that have their own dice.
const (
	partKills uint64 = iota + 1
	partInfrastructure
	partClients
	partSinks
	partFront
	partQuiet
	partPromotions
	partBookkeeper
	partMerchants uint64 = 1_000
	partReaders   uint64 = 2_000
	partPayers    uint64 = 3_000
)

// between is a duration from low (included) to high.
func (d dice) between(low, high time.Duration) time.Duration {
	return low + time.Duration(d.Int64N(int64(high-low)))
}

// in returns true in so many percent of all cases.
func (d dice) in(percent int) bool { return d.IntN(100) < percent }

func pick[T any](d dice, all []T) T { return all[d.IntN(len(all))] }
