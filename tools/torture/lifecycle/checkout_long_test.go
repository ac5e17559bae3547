//go:build long

package lifecycle_test

import "testing"

// More intents, and more that is done to each, than in the test of every day.
func TestLongTheLifeOfAnIntentIsLinearizable(t *testing.T) {
	t.Parallel()
	checkLifecycles(t, effort{intents: 72, clients: 4, operations: 8})
}
