//go:build long

package checkout_test

import "testing"

// Ten thousand forms are sent twice.
func TestLongNoDoubleSubmissionChargesTwice(t *testing.T) {
	t.Parallel()
	submitTwice(t, 5_000)
}

func TestLongABrokenConnectionLosesNoMoney(t *testing.T) {
	t.Parallel()
	loseEvery(t, 125)
}
