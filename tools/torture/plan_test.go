package torture_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/tools/torture"
)

func TestTheScheduleIsAFunctionOfTheSeed(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		first, again := torture.Plan(seed, 10*time.Minute), torture.Plan(seed, 10*time.Minute)
		if !slices.Equal(first, again) {
			t.Fatalf("seed %d gives two schedules:\n%s", seed, cmp.Diff(first, again))
		}
		if slices.Equal(first, torture.Plan(seed+1, 10*time.Minute)) {
			t.Errorf("seeds %d and %d give one schedule", seed, seed+1)
		}
	}
}

// Also the shortest run holds every kind of fault that a schedule can hold; F9 and
// F14 last all the time, F17 comes last of all.
func TestTheShortestRunHoldsEveryFault(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		seen := map[string]bool{}
		kinds := map[string]bool{}
		for _, s := range torture.Plan(seed, torture.Shortest) {
			seen[s.Fault], kinds[s.How] = true, true
		}
		for _, fault := range []string{"F1", "F3", "F4", "F5", "F6", "F7", "F8", "F10", "F11", "F12", "F13", "F15", "F16", "F18"} {
			if !seen[fault] {
				t.Errorf("seed %d: no %s", seed, fault)
			}
		}
		// Kills and crash points, and all cards of both decks.
		if len(kinds) < 22 {
			t.Errorf("seed %d: %d kinds of strikes", seed, len(kinds))
		}
	}
}

func TestALongRunKillsOften(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		killed := 0
		for _, s := range torture.Plan(seed, 30*time.Minute) {
			if s.Fault == "F1" || s.Fault == "F2" {
				killed++
			}
		}
		if killed < 200 {
			t.Errorf("seed %d: %d kills in 30 min, want 200", seed, killed)
		}
	}
}
