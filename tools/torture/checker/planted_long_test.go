//go:build long

package checker_test

import "testing"

func TestLongTheCheckerFindsAllThatIsPlanted(t *testing.T) {
	t.Parallel()
	findPlanted(t, allPlanted())
}
