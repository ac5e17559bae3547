//go:build long

package acceptance_test

import "testing"

// A thousand creates with each SDK: a thousand intents, none doubled, none lost.
func TestLongSDKsThroughFaults(t *testing.T) {
	t.Parallel()
	for _, k := range sdks {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			createThroughFaults(t, k, 1000, 8)
		})
	}
}

// A thousand refunds with each SDK: what each merchant knows of, what the ledger says and what the
// sandbox gave back are the same.
func TestLongSDKsRefundThroughFaults(t *testing.T) {
	t.Parallel()
	for _, k := range sdks {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			refundThroughFaults(t, k, 1000, 8)
		})
	}
}
