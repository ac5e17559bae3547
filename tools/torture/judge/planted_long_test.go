//go:build long

package judge_test

import "testing"

func TestLongTheJudgeFindsAllThatIsPlanted(t *testing.T) {
	t.Parallel()
	findPlanted(t, allPlanted())
}
