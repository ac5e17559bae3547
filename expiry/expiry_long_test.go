//go:build long

package expiry_test

import (
	"testing"
	"time"
)

// Not parallel, and with the machine to themselves: these measure.

// make bench measures the speed. If every claim read dead rows, this would take minutes.
func TestLongMeasuredTenThousandDueAtOnce(t *testing.T) {
	if took := manyDueAtOnce(t, 10_000, 0); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestLongMeasuredLagThroughTheFeed(t *testing.T) {
	lags := throughTheFeed(t, 300)
	if p99 := lags[len(lags)*99/100]; p99 > 2 {
		t.Errorf("the 99th percentile of the lags is %v s", p99)
	}
}
