//go:build long

package checkout_test

import "testing"

// Ten thousand forms are sent twice.
func TestLongNoDoubleSubmissionChargesTwice(t *testing.T) {
	t.Parallel()
	submitTwice(t, 5_000)
}

// More intents, and more that is done to each, than in the test of every day.
func TestLongTheLifeOfAnIntentIsLinearizable(t *testing.T) {
	t.Parallel()
	checkLives(t, effort{intents: 72, clients: 4, deeds: 8})
}
