package torture

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Counters of what happened in the run. Reports show their names.
const (
	countKills          = "kills"
	countAmbiguous      = "creates without a definite answer"
	countUnavailable    = "answers 503"
	countDuplicates     = "duplicate creates answered 200"
	countRecovered      = "lost answers found again by a repeated create"
	countRaced          = "raced creates"
	countHalf           = "half-sent responses"
	countTwice          = "checkouts from two windows"
	countExpiryRaces    = "payments at the moment of expiry"
	countStrangers      = "reads by strangers"
	countFollowed       = "reads upon webhooks"
	countCuts           = "connection cuts"
	countRestarts       = "PostgreSQL restarts"
	countGroupTakeovers = "group takeovers"
	countLeaseTakeovers = "lease takeovers"
	countChecked        = "checked meanwhile"
	countParked         = "parked events"
	countCommits        = "ambiguous commits"
	countLate           = "late successes"
	countExpired        = "expiries"
	countResolved       = "unknown outcomes resolved"
	countRetried        = "webhooks retried"
	countCrashPoints    = "crash points hit"
	countTakenBy        = "payments taken by " // and the provider's name
	countOperator       = "attempts settled by an operator"
	countBooked         = "settlements recorded, corrected and withdrawn"
)

// vital are the counters that must not be 0 in any run: a run proves nothing about a case
// that did not happen.
var vital = []string{
	countKills, countAmbiguous, countDuplicates, countRaced, countTwice, countExpiryRaces, countStrangers,
	countFollowed, countCuts, countRestarts, countChecked, countParked, countLate, countExpired, countResolved,
	countRetried, countLeaseTakeovers,
	"fault F1", "fault F3", "fault F4", "fault F5", "fault F6", "fault F7", "fault F10", "fault F11",
	"fault F12", "fault F13", "fault F15", "fault F16", "fault F18", "rebuilds killed",
	countTakenBy + "plutu", countTakenBy + "lypay", countOperator,
	countBooked,
}

// vitalInLong must not be 0 in runs of ten minutes or more. In a short run they may be 0 by
// chance.
var vitalInLong = []string{countHalf, countRecovered, countCommits, countGroupTakeovers, "rebuilds"}

// inLogs counts the lines of the servers' logs that contain a text.
func inLogs(paths []string, text string) int64 {
	var n int64
	for _, path := range paths {
		if !strings.Contains(path, "server-") {
			continue
		}
		f, err := os.Open(path)
		if err != nil {
			continue
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if bytes.Contains(lines.Bytes(), []byte(text)) {
				n++
			}
		}
		_ = f.Close()
	}
	return n
}

// vitalWithPromotions must not be 0 in a run with promotions. insteadOfRestarts do not
// happen in one: no PostgreSQL is restarted alone.
var (
	vitalWithPromotions = []string{
		countSplit, countRewinds, countAtOld, countWaited, countWentOn, "fault F19", "fault F20", "fault F21",
		"fault F22", "fault F23",
	}
	insteadOfRestarts = []string{countRestarts, "fault F4"}
)

// missing names the counters that show that something did not happen.
func missing(counted map[string]int64, long bool, promotions int) []string {
	wanted := slices.Clone(vital)
	if long {
		wanted = append(wanted, vitalInLong...)
	}
	if promotions > 0 {
		wanted = slices.DeleteFunc(append(wanted, vitalWithPromotions...), func(name string) bool {
			return slices.Contains(insteadOfRestarts, name)
		})
	}
	wanted = slices.DeleteFunc(wanted, func(name string) bool { return counted[name] > 0 })
	if done := counted[countPromotions]; done < int64(promotions) {
		wanted = append(wanted, fmt.Sprintf("%d of %d promotions", int64(promotions)-done, promotions))
	}
	return wanted
}
