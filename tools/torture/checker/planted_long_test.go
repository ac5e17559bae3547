//go:build long

package checker_test

import "testing"

func TestLongTheCheckerFindsEveryPlantedViolation(t *testing.T) {
	t.Parallel()
	findPlanted(t, allPlanted())
}
