package torture

import (
	"slices"
	"time"
)

const trackPromotions = "promotions"

// promoting are the ways in which a primary is lost, the first three of which leave it
// alive; losingStandby what happens to standbys between promotions.
var (
	promoting = []card{
		{"F20", howPrimaryPaused, 3 * time.Second},
		{"F20", howPrimaryStarted, 3 * time.Second},
		{"F23", howPrimaryCutOff, 3 * time.Second},
		{"F19", howPrimaryKilled, 0},
	}
	losingStandby = []card{
		{"F21", howStandbyCutOff, 2500 * time.Millisecond},
		{"F22", howStandbyLost, 2500 * time.Millisecond},
		{"F22", howStandbyLeft, 1500 * time.Millisecond},
	}
)

// LeastPromotions has every way to lose a primary at least once.
const LeastPromotions = 4

// promotionEvery is how long a promotion takes with everything around it, about.
const promotionEvery = 9 * time.Second

// PlanPromotions is the schedule of a run with promotions, the same for the same seed: its
// own track, and what Plan has of other faults that need no other PostgreSQL.
func PlanPromotions(seed uint64, promotions int, length time.Duration) []Strike {
	d := throwing(seed, partPromotions)
	var all []Strike
	at := 3 * time.Second
	add := func(c card) {
		all = append(all, Strike{Track: trackPromotions, At: at, Length: c.length, Fault: c.fault, How: c.how,
			Seed: d.Uint64()})
		at += c.length + d.between(time.Second, 3*time.Second)
	}
	var ways, losses []card
	for range promotions {
		if len(ways) == 0 {
			ways, losses = shuffled(d, promoting), append(losses, shuffled(d, losingStandby)...)
		}
		add(ways[0])
		ways = ways[1:]
		if len(losses) > 0 {
			add(losses[0])
			losses = losses[1:]
		}
	}
	// What ends or fills the one PostgreSQL would take the standby's place.
	others := slices.DeleteFunc(Plan(seed, length), func(s Strike) bool {
		return s.Fault == "F4" || s.Fault == "F8"
	})
	all = append(all, others...)
	slices.SortStableFunc(all, func(a, b Strike) int { return int(a.At - b.At) })
	return all
}

func shuffled(d dice, deck []card) []card {
	all := slices.Clone(deck)
	d.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	return all
}
