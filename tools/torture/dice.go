package torture

import (
	"math/rand/v2"
	"time"
)

// dice is one source of chance. Whoever has one does not share it: the order of
// throws would depend on who comes first.
type dice struct{ *rand.Rand }

// throwing are the dice of one part of the run.
func throwing(seed uint64, part uint64) dice {
	return dice{rand.New(rand.NewPCG(seed, part))} //nolint:gosec // chance that can be repeated is the point
}

// Parts of the run that have dice of their own.
const (
	partKills uint64 = iota + 1
	partInfrastructure
	partClients
	partSinks
	partFront
	partQuiet
	partPromotions
	partMerchants uint64 = 1_000
	partReaders   uint64 = 2_000
	partPayers    uint64 = 3_000
)

// between is a duration from low (included) to high.
func (d dice) between(low, high time.Duration) time.Duration {
	return low + time.Duration(d.Int64N(int64(high-low)))
}

// in says yes in percent of all cases.
func (d dice) in(percent int) bool { return d.IntN(100) < percent }

func pick[T any](d dice, all []T) T { return all[d.IntN(len(all))] }
