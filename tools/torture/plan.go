package torture

import (
	"fmt"
	"slices"
	"time"
)

// Strike is a fault of the plan.
type Strike struct {
	Track  string
	At     time.Duration // since the faults began
	Length time.Duration // before it heals
	Fault  string        // F1 to F18
	How    string        // which kind of it
	Server int           // which of the servers that may be killed
	Seed   uint64        // of the suite's random choices
}

func (s Strike) String() string {
	return fmt.Sprintf("%6.1fs %-4s %s", s.At.Seconds(), s.Fault, s.How)
}

// The tracks of a plan: strikes of one track follow one another, those of different tracks overlap.
const (
	trackKills          = "kills"
	trackInfrastructure = "infrastructure"
	trackClients        = "clients"
)

// card is a kind of strike. Every run contains each card at least once.
type card struct {
	fault, how string
	length     time.Duration
}

// The ways to make a fault.
const (
	howKill          = "kill -9"
	howCrashPoint    = "crash point"
	howDrain         = "SIGTERM under load"
	howPostmaster    = "kill -9 of the postmaster"
	howBackend       = "kill -9 of a backend"
	howImmediate     = "immediate stop"
	howAnswersCut    = "answers of the database cut"
	howRequestsCut   = "requests to the database cut"
	howReset         = "connections to the database reset"
	howClientsCut    = "answers to clients cut"
	howSlow          = "database slow by 500 ms"
	howBlackHole     = "database silent"
	howExhaustion    = "200 clients at a few slow connections"
	howDiskFull      = "no room for the log of PostgreSQL"
	howAcquirerSlow  = "acquirer slow"
	howAcquirerCut   = "acquirer's answers cut"
	howAcquirerGone  = "acquirer refuses connections"
	howNotifications = "notifications: repeated, contradictory, wrong, unknown, forged"
	howExpiryRace    = "payment at the moment of expiry"
	howSameReference = "one reference from 50 clients at 3 servers"
	howRebuild       = "rebuild of intents, killed half way"
	howIdleCut       = "connections to the database closed"
	howHostile       = "slow headers, 100 MB, 10,000 levels of JSON"
)

// infrastructure and clients are the decks of two tracks: each card is drawn once before any
// is drawn again.
var (
	infrastructure = []card{
		{"F3", howDrain, 3 * time.Second},
		{"F4", howPostmaster, 3 * time.Second},
		{"F4", howBackend, 2 * time.Second},
		{"F4", howImmediate, 3 * time.Second},
		{"F5", howAnswersCut, 2 * time.Second},
		{"F5", howRequestsCut, 2 * time.Second},
		{"F5", howReset, time.Second},
		{"F5", howClientsCut, 2 * time.Second},
		{"F6", howSlow, 3 * time.Second},
		{"F6", howBlackHole, 7 * time.Second},
		{"F7", howExhaustion, 2 * time.Second},
		{"F8", howDiskFull, 4 * time.Second},
		{"F10", howAcquirerSlow, 4 * time.Second},
		{"F10", howAcquirerCut, 3 * time.Second},
		{"F10", howAcquirerGone, 2 * time.Second},
		{"F16", howIdleCut, time.Second},
	}
	clients = []card{
		{"F11", howNotifications, 2 * time.Second},
		{"F12", howExpiryRace, 7 * time.Second},
		{"F13", howSameReference, 2 * time.Second},
		{"F15", howRebuild, 3 * time.Second},
		{"F18", howHostile, 3 * time.Second},
	}
)

// Shortest is the least length of a run, in which each card is drawn once.
const Shortest = 70 * time.Second

// killable is how many servers may be killed.
const killable = 3

// Plan returns the schedule of faults of a run: the same for the same seed and length.
func Plan(seed uint64, length time.Duration) []Strike {
	all := kills(seed, length)
	all = append(all, deal(trackInfrastructure, infrastructure, newDice(seed, partInfrastructure), length)...)
	all = append(all, deal(trackClients, clients, newDice(seed, partClients), length)...)
	slices.SortStableFunc(all, func(a, b Strike) int { return int(a.At - b.At) })
	return all
}

// kills returns F1 and, one in four, F2: never two at a time, about eight a minute.
func kills(seed uint64, length time.Duration) []Strike {
	d := newDice(seed, partKills)
	var all []Strike
	for at := 2 * time.Second; at < length; at += d.between(6*time.Second, 9*time.Second) {
		s := Strike{
			Track: trackKills, At: at, Length: d.between(50*time.Millisecond, 1200*time.Millisecond),
			Fault: "F1", How: howKill,
		}
		if d.in(25) {
			s.Fault, s.How = "F2", howCrashPoint
		}
		s.Server, s.Seed = d.IntN(killable), d.Uint64()
		all = append(all, s)
	}
	return all
}

// deal plans whole decks, each shuffled again. The first has short pauses, so that it fits
// into the shortest run. Later ones leave the service time to recover: permanent faults
// would hide that it does.
func deal(track string, deck []card, d dice, length time.Duration) []Strike {
	var all []Strike
	at := 3 * time.Second
	for round := 0; at < length; round++ {
		for _, n := range d.Perm(len(deck)) {
			if at >= length {
				return all
			}
			c := deck[n]
			all = append(all, Strike{
				Track: track, At: at, Length: c.length, Fault: c.fault, How: c.how,
				Server: d.IntN(killable), Seed: d.Uint64(),
			})
			rest := d.between(300*time.Millisecond, 800*time.Millisecond)
			if round > 0 {
				rest = d.between(2*time.Second, 6*time.Second)
			}
			at += c.length + rest
		}
	}
	return all
}
