//go:build long

package refunds_test

import "testing"

func TestLongARefundsDecisionIsKept(t *testing.T) {
	t.Parallel()
	decisionsAreKept(t, 1000)
}
