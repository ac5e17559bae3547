//go:build long

package refunds_test

import (
	"strconv"
	"testing"
)

// A run waits for the database most of its time: five databases at a time.
func TestLongARefundsDecisionIsKept(t *testing.T) {
	t.Parallel()
	for part := range 5 {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			t.Parallel()
			decisionsAreKept(t, 200)
		})
	}
}

func TestLongApplicationsNeverGetMoreThanWasPaid(t *testing.T) {
	t.Parallel()
	for part := range 5 {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			t.Parallel()
			neverMoreThanWasPaid(t, 100)
		})
	}
}
