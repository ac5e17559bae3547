package torture

import (
	"slices"
	"time"
)

const trackPromotions = "promotions"

// promoting are the ways to lose a primary; the first three leave it running.
// losingStandby are the faults of standbys between promotions.
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

// LeastPromotions is enough for every way to lose a primary to happen once.
const LeastPromotions = 4

// promotionEvery is about how long a promotion takes, including its faults and recovery.
const promotionEvery = 9 * time.Second

// PlanPromotions returns the schedule of a run with promotions, the same for the same seed: its
// own track, and the faults of Plan except those that end PostgreSQL or fill its disk.
func PlanPromotions(seed uint64, promotions int, length time.Duration) []Strike {
	d := newDice(seed, partPromotions)
	var all []Strike
	at := 3 * time.Second
	add := func(c card) {
		all = append(all, Strike{
			Track: trackPromotions, At: at, Length: c.length, Fault: c.fault, How: c.how, Seed: d.Uint64(),
		})
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
	// Faults that end PostgreSQL or fill its disk would collide with promotions.
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
