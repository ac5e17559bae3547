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

// Even the shortest run contains every fault of a schedule. F9 and F14 last for the whole
// run, and F17 is made at its end.
func TestTheShortestRunHasEveryFault(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		seen := map[string]bool{}
		kinds := map[string]bool{}
		for _, s := range torture.Plan(seed, torture.Shortest) {
			seen[s.Fault], kinds[s.How] = true, true
		}
		for _, fault := range []string{
			"F1", "F3", "F4", "F5", "F6", "F7", "F8", "F10", "F11", "F12", "F13", "F15", "F16", "F18",
		} {
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

// A run with promotions loses the primary in every way in turn, loses standbys in between,
// and keeps the other faults, except those that end PostgreSQL or fill its disk.
func TestTheScheduleOfPromotions(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		first := torture.PlanPromotions(seed, 25, 4*time.Minute)
		if again := torture.PlanPromotions(seed, 25, 4*time.Minute); !slices.Equal(first, again) {
			t.Fatalf("seed %d gives two schedules:\n%s", seed, cmp.Diff(first, again))
		}
		if !slices.IsSortedFunc(first, func(a, b torture.Strike) int { return int(a.At - b.At) }) {
			t.Errorf("seed %d: not in the order of time", seed)
		}
		faults := map[string]int{}
		for _, s := range first {
			faults[s.Fault]++
		}
		if faults["F19"]+faults["F20"]+faults["F23"] != 25 ||
			faults["F20"] < 10 || faults["F19"] < 5 || faults["F23"] < 5 {
			t.Errorf("seed %d: promotions %v", seed, faults)
		}
		if faults["F4"] != 0 || faults["F8"] != 0 || faults["F1"] == 0 || faults["F15"] == 0 ||
			faults["F21"] < 4 || faults["F22"] < 8 {
			t.Errorf("seed %d: faults %v", seed, faults)
		}
		seen := map[string]bool{}
		for _, s := range torture.PlanPromotions(seed, torture.LeastPromotions, torture.Shortest) {
			seen[s.Fault] = true
		}
		for _, fault := range []string{"F1", "F5", "F6", "F15", "F16", "F19", "F20", "F21", "F22", "F23"} {
			if !seen[fault] {
				t.Errorf("seed %d: no %s in a short run", seed, fault)
			}
		}
	}
}
