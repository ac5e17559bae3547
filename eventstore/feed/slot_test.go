package feed_test

import (
	"testing"
	"time"

	"daftar/eventstore/feed"
)

// Under load groups look in turn, once in a round: whenever one looked, its next
// look is in its own slot, and not in a neighbour's.
func TestGroupsLookInTurn(t *testing.T) {
	t.Parallel()
	const gap, groups = 10 * time.Millisecond, 4
	const round = 4 * gap
	start := time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC)
	for late := range 50 {
		looked := start.Add(time.Duration(late) * time.Millisecond)
		slots := map[time.Duration]bool{}
		for number := range groups {
			at := feed.Slot(number, groups, gap, looked, looked)
			if rest := at.Sub(looked); rest < round/2 || rest > round*3/2 {
				t.Errorf("group %d looks %v after its last look, want about %v", number, rest, round)
			}
			if again := feed.Slot(number, groups, gap, at.Add(time.Millisecond), at); again.Sub(at) != round {
				t.Errorf("group %d looks %v later again, want %v", number, again.Sub(at), round)
			}
			slots[time.Duration(at.UnixNano())%round] = true
		}
		if len(slots) != groups {
			t.Errorf("%d groups have %d slots", groups, len(slots))
		}
		// A group that has to give way for longer does so.
		if at, earliest := feed.Slot(1, groups, gap, looked, looked.Add(5*round)), looked.Add(5*round); at.Before(earliest) || at.After(earliest.Add(round)) {
			t.Errorf("it looks at %v, want the first slot after %v", at, earliest)
		}
	}
}
