//go:build long

package lifecycle_test

import "testing"

// More intents, and more operations on each, than in the short test.
func TestLongTheLifeOfAnIntentIsLinearizable(t *testing.T) {
	t.Parallel()
	checkLifecycles(t, effort{intents: 72, clients: 4, operations: 8})
}
