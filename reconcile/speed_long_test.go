//go:build long

package reconcile_test

import (
	"testing"
	"time"
)

// A statement of a hundred thousand lines, in a log of four times as many events.
func TestLongMeasuredStatement(t *testing.T) {
	const limit = 10 * time.Second
	if took := manyLines(t, 100_000); took > limit {
		t.Errorf("it took %s, more than %s", took, limit)
	} else {
		t.Logf("it took %s", took)
	}
}
