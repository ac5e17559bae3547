//go:build long

package acceptance_test

import "testing"

func TestLongWooCommercePlugin(t *testing.T) {
	t.Parallel()
	wooCommercePaysOnce(t, 500)
}
