//go:build long

package acceptance_test

import "testing"

func TestLongSampleShops(t *testing.T) {
	t.Parallel()
	sampleShops(t, 500, samples)
}
